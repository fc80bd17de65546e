/** Deliveries: sends due notifications, keeps their history for a while, and repeats them on request. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { Delinquency } from '../../notification/delinquency/service.ts';
import type { NotifyPeople } from '../../session/notices/model.ts';
import type { SecretSealer } from '../../notification/subscription/secret-sealer.ts';
import type { DeliveryRoutesParts } from '../../notification/delivery/history/routes.ts';
import { DeliveryHistory } from '../../notification/delivery/history/service.ts';
import { DeliveryHistoryStore } from '../../notification/delivery/history/store.ts';
import { createSender } from '../../notification/delivery/send/sender-settings.ts';
import type { Outcome } from '../../notification/delivery/send/outcome.ts';
import type { DeliveryWakeup } from '../../notification/delivery/work/delivery-wakeup.ts';
import type { DueDelivery } from '../../notification/delivery/work/delivery-store.ts';
import { type Queue, QueueStore } from '../../notification/delivery/work/queue-store.ts';
import { createWorker } from '../../notification/delivery/work/service.ts';

export interface DeliveryParts {
  readonly secretSealer: SecretSealer;
  readonly delinquency: Delinquency;
  readonly notify: NotifyPeople;
  readonly wakeup: DeliveryWakeup;
  readonly rules: DeliveryRoutesParts['rules'];
  /** Called for each attempt, before it is recorded. */
  readonly onAttempt?: (outcome: Outcome, due: DueDelivery) => void;
}

export function openDelivery(appContext: AppContext, parts: DeliveryParts) {
  const { wakeup, rules } = parts;
  const history = new DeliveryHistory(
    new DeliveryHistoryStore(appContext.db),
    appContext.writer,
    wakeup.changed,
  );
  let queue: QueueStore | undefined;
  let work: ReturnType<typeof createWork> | undefined;
  const feature: Feature = {
    lateOperations: ({ deliveryRoutes }) =>
      deliveryRoutes({ history, rules, reads: appContext.reads, clock: appContext.clock }),
    dueWork: [{ nextDueAt: () => work?.worker.nextDueAt(), runDue: async () => work?.worker.runDue() }],
    prepare: async () => {
      work = createWork(appContext, parts);
      wakeup.listen(work.worker);
    },
    start: () => work?.worker.start(),
    stop: async (graceMs) => work?.worker.stop(graceMs),
    close: () => work?.sender.close(),
  };
  return { ...feature, history, queue: (): Queue => (queue ??= new QueueStore(appContext.db)).read() };
}

/** Throws `OperatorError` when a setting of the sender cannot be used. */
function createWork(appContext: AppContext, { secretSealer, delinquency, notify, onAttempt }: DeliveryParts) {
  const { db, feed, writer, settings, clock, log, metrics, ownMachine, realTime, fence } = appContext;
  const sender = createSender(settings, { ownMachine, realTime });
  const worker = createWorker({
    db,
    feed,
    writer,
    clock,
    log,
    sender,
    delinquency,
    notify,
    composition: {
      openSecrets: (id, sealed) => secretSealer.open(id, sealed),
      standardWebhooks: settings['entrega.standardWebhooks'],
    },
    limits: { total: settings['entrega.simultaneas'], perReceiver: settings['entrega.porReceptor'] },
    // On a test clock a retry is due to the millisecond.
    repeats: { delays: settings['entrega.repeticoes'], random: clock.test ? () => 0 : Math.random },
    replicated: () => fence.caughtUp(),
    onAttempt: (outcome, due) => {
      metrics?.delivery(outcome.kind);
      onAttempt?.(outcome, due);
    },
  });
  return { sender, worker };
}
