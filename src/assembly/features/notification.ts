/** Notifications: subscriptions, events, failures, and the deliveries that connect them. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { Delinquency } from '../../notification/delinquency/service.ts';
import { DelinquencyStore } from '../../notification/delinquency/store.ts';
import { type DeliveryParts, openDelivery } from './delivery.ts';
import { DeliveryWakeup } from '../../notification/delivery/work/delivery-wakeup.ts';
import type { RecipientRules } from '../../notification/event/model.ts';
import { EventService } from '../../notification/event/service.ts';
import { EventStore } from '../../notification/event/store.ts';
import { EVENT_NAMES } from '../../notification/event/types.ts';
import { failureRoutes } from '../../notification/failure/routes.ts';
import { FailureService } from '../../notification/failure/service.ts';
import { FailureStore } from '../../notification/failure/store.ts';
import { Retention } from '../../notification/retention/service.ts';
import { RetentionStore } from '../../notification/retention/store.ts';
import { PendingCancellation } from '../../notification/subscription/backlog.ts';
import { subscriptionRoutes } from '../../notification/subscription/routes.ts';
import { createSubscriptionService } from '../../notification/subscription/service.ts';
import { SubscriptionStore } from '../../notification/subscription/store.ts';
import { SecretSealer } from '../../notification/subscription/secret-sealer.ts';

export type NotificationParts = Pick<DeliveryParts, 'onAttempt' | 'notify'>;

export function openNotification(
  appContext: AppContext,
  rules: RecipientRules,
  { onAttempt, notify }: NotificationParts,
) {
  const { db, writer, clock } = appContext;
  const wakeup = new DeliveryWakeup();
  const secretSealer = new SecretSealer(appContext.folder.keys.secrets);
  const subscription = openSubscription(appContext, secretSealer, wakeup);
  const subscriptions = subscription.service;
  const events = new EventService(new EventStore(db), writer, wakeup.wake);
  const failures = new FailureService(new FailureStore(db), clock);
  const delinquency = new Delinquency(new DelinquencyStore(db), subscriptions, writer, clock);
  const retention = new Retention(new RetentionStore(db), writer, clock);

  const event: Feature = { lateOperations: ({ eventRoutes }) => eventRoutes(events, rules) };
  const failure: Feature = {
    operations: () => failureRoutes(failures, appContext.settings['corpo.maximo']),
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
    wakeup,
    events,
    subscriptions,
    backlog: subscription.backlog,
    delinquency,
    retention,
    subscription,
    failure,
    event,
    delivery: openDelivery(appContext, {
      secretSealer,
      delinquency,
      notify,
      wakeup,
      rules,
      ...(onAttempt && { onAttempt }),
    }),
    deletion,
  };
}

function openSubscription(
  { db, writer, settings, ownMachine }: AppContext,
  secretSealer: SecretSealer,
  wakeup: DeliveryWakeup,
) {
  const store = new SubscriptionStore(db);
  const backlog = new PendingCancellation(store, writer);
  const service = createSubscriptionService({
    store,
    backlog,
    writer,
    secretSealer,
    knownEvents: settings['assinatura.recusarDesconhecido'] ? EVENT_NAMES : undefined,
    onEnded: wakeup.withdraw,
    onEndpointChanged: wakeup.changed,
  });
  const feature: Feature = {
    operations: () => subscriptionRoutes({ subscriptions: service, ownMachine }),
    // Runs before the deliveries, so that cancelled deliveries are not attempted.
    dueWork: [{ nextDueAt: () => undefined, runDue: async () => void (await backlog.runOnce()) }],
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
