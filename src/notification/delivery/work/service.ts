/** Builds the delivery worker from its parts. */
import { type Clock, type EpochMs, REAL_TIME, type RealTime } from '../../../clock.ts';
import type { Feed } from '../../../db/feed.ts';
import type { Db } from '../../../db/open.ts';
import type { Writer } from '../../../db/writer.ts';
import type { Logger } from '../../../log/log.ts';
import type { NotifyPeople } from '../../../session/notices/model.ts';
import type { Delinquency } from '../../delinquency/service.ts';
import { DeliveryStore, type DueDelivery } from './delivery-store.ts';
import type { Outcome } from '../send/outcome.ts';
import { OutcomeStore } from './outcome-store.ts';
import { createOutcomes } from './outcomes.ts';
import { latestRepeatAt, type RepeatPolicy } from './repeats.ts';
import { composeHeaders } from '../send/request.ts';
import type { DeliveryRequest, Sender } from '../send/sender.ts';
import type { SlotLimits } from './slots.ts';
import { DeliveryWorker } from './worker.ts';

type Secrets = { readonly chaveSecreta: string | null; readonly chaveAutenticacao: string | null };
type Sealed = Pick<DueDelivery, keyof Secrets>;

export interface CompositionParts {
  /** Opens the secrets of a subscription. Throws when they cannot be decrypted. */
  readonly openSecrets: (subscriptionId: number, sealed: Sealed) => Secrets;
  /** `entrega.standardWebhooks`. */
  readonly standardWebhooks: boolean;
}

export interface DeliveryParts {
  readonly db: Db;
  readonly feed: Feed;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sender: Sender;
  readonly delinquency: Delinquency;
  readonly composition: CompositionParts;
  readonly limits: SlotLimits;
  readonly repeats: RepeatPolicy;
  readonly notify?: NotifyPeople | undefined;
  readonly onAttempt?: (outcome: Outcome, due: DueDelivery) => void;
  /** The time source of a simulation, instead of the machine's. */
  readonly realTime?: RealTime;
  readonly pollMs?: number;
  readonly replicated?: (() => Promise<boolean> | undefined) | undefined;
  readonly store?: DeliveryStore;
  readonly outcomeStore?: OutcomeStore;
}

export function createWorker(parts: DeliveryParts): DeliveryWorker {
  const { db, feed, writer, clock, log, sender, delinquency, composition, limits, repeats } = parts;
  const store = parts.store ?? new DeliveryStore(db);
  const outcomes = createOutcomes({
    store: parts.outcomeStore ?? new OutcomeStore(db),
    writer,
    delinquency,
    repeats,
    notify: parts.notify,
  });
  return new DeliveryWorker({
    store,
    outcomes,
    sender,
    limits,
    feed,
    clock,
    log,
    compose: (due, now) => composeRequest(due, composition, now),
    pullForward: async (now) => {
      const latest = latestRepeatAt(repeats, now);
      if (store.nextRepeatAfter(latest) === undefined) return;
      await writer.write(() => store.pullForward(latest, now));
    },
    realTime: parts.realTime ?? REAL_TIME,
    replicated: parts.replicated,
    ...(parts.onAttempt && { onAttempt: parts.onAttempt }),
    ...(parts.pollMs !== undefined && { pollMs: parts.pollMs }),
  });
}

/** Builds the request of a stored delivery. */
function composeRequest(
  due: DueDelivery,
  { openSecrets, standardWebhooks }: CompositionParts,
  now: EpochMs,
): Omit<DeliveryRequest, 'withdrawal'> {
  const { endpoint, conteudo: body, evento, destinatarioTipo, destinatarioId } = due;
  const headers = composeHeaders({
    evento,
    destinatarioTipo,
    destinatarioId,
    body,
    ...openSecrets(due.subscriptionId, due),
    // The id is the same for every attempt of a delivery, so that a receiver recognises a repeat.
    ...(standardWebhooks && { standardWebhooks: { id: `delivery_${due.id}`, now } }),
  });
  return { endpoint, headers, body };
}
