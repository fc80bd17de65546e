/** Notifications: who asked to be told, what is told, what could not be, and the deliveries between. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { Delinquency } from './delinquency/service.ts';
import { DelinquencyStore } from './delinquency/store.ts';
import { type DeliveryParts, openDelivery } from './delivery/feature.ts';
import { Bell } from './delivery/work/bell.ts';
import type { RecipientRules } from './event/model.ts';
import { eventRoutes } from './event/routes.ts';
import { EventService } from './event/service.ts';
import { EventStore } from './event/store.ts';
import { EVENT_NAMES } from './event/types.ts';
import { failureRoutes } from './failure/routes.ts';
import { FailureService } from './failure/service.ts';
import { FailureStore } from './failure/store.ts';
import { Retention } from './retention/service.ts';
import { RetentionStore } from './retention/store.ts';
import { Backlog } from './subscription/backlog.ts';
import { subscriptionRoutes } from './subscription/routes.ts';
import { SubscriptionService } from './subscription/service.ts';
import { SubscriptionStore } from './subscription/store.ts';
import { Vault } from './subscription/vault.ts';

export type NotificationParts = Pick<DeliveryParts, 'attempted'>;

export function openNotification(ground: Ground, rules: RecipientRules, { attempted }: NotificationParts) {
  const { db, writer, clock } = ground;
  const bell = new Bell();
  const vault = new Vault(ground.folder.keys.secrets);
  const subscription = openSubscription(ground, vault, bell);
  const subscriptions = subscription.service;
  const events = new EventService(new EventStore(db), writer, bell.wake);
  const failures = new FailureService(new FailureStore(db), clock);
  const delinquency = new Delinquency({ store: new DelinquencyStore(db), subscriptions, writer, clock });
  const retention = new Retention({ store: new RetentionStore(db), writer, clock });

  const event: Feature = { operations: () => eventRoutes({ events, rules }) };
  const failure: Feature = {
    operations: () => failureRoutes(failures, ground.settings['corpo.maximo']),
  };
  const deletion: Feature = {
    jobs: [
      {
        name: 'assinaturas-sem-sucesso',
        about: 'Exclui as assinaturas que só tiveram erros de entrega em 30 dias.',
        pattern: '0 * * * *',
        atStart: true,
        runOnce: () => delinquency.runOnce(),
      },
      {
        name: 'retencao',
        about: 'Apaga falhas, entregas encerradas e eventos com mais de 30 dias.',
        pattern: '20 * * * *',
        atStart: true,
        runOnce: () => retention.runOnce(),
      },
    ],
  };
  return {
    bell,
    events,
    subscriptions,
    backlog: subscription.backlog,
    delinquency,
    retention,
    subscription,
    failure,
    event,
    delivery: openDelivery(ground, { vault, delinquency, bell, ...(attempted && { attempted }) }),
    deletion,
  };
}

function openSubscription({ db, writer, settings, ownMachine }: Ground, vault: Vault, bell: Bell) {
  const store = new SubscriptionStore(db);
  const backlog = new Backlog(store, writer);
  const service = new SubscriptionService({
    store,
    backlog,
    writer,
    vault,
    knownEvents: settings['assinatura.recusarDesconhecido'] ? EVENT_NAMES : undefined,
    ended: bell.withdraw,
    moved: bell.changed,
  });
  const feature: Feature = {
    operations: () => subscriptionRoutes({ subscriptions: service, ownMachine }),
    // Before the deliveries: what is cancelled is not tried any more.
    dated: [{ nextDueAt: () => undefined, runDue: async () => void (await backlog.runOnce()) }],
    jobs: [
      {
        name: 'entregas-canceladas',
        about: 'Cancela o que ficou pendente de assinaturas excluídas, se algo impediu de fazê-lo na hora.',
        pattern: '50 * * * *',
        atStart: true,
        runOnce: () => backlog.runOnce(),
      },
    ],
  };
  return { ...feature, service, backlog };
}
