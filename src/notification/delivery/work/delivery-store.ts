/** Reads the pending deliveries for the worker. Deliveries in flight are not marked on disk. */
import type { EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import { entitled } from '../../entitled-store.ts';
import type { DestinatarioTipo } from '../../event/model.ts';

export interface WaitingSubscription {
  readonly id: number;
  readonly endpoint: string;
}

export interface WaitingDelivery {
  readonly id: number;
  readonly subscriptionId: number;
}

/** One attempt to make: the delivery with all data of its request. */
export interface DueDelivery {
  readonly id: number;
  readonly subscriptionId: number;
  /** True when this attempt is a replay. */
  readonly replay: boolean;
  /** False when the subscriber no longer represents the company of the event: no request is sent. */
  readonly isEntitled: boolean;
  readonly evento: string;
  readonly destinatarioTipo: DestinatarioTipo;
  readonly destinatarioId: string;
  readonly conteudo: string;
  readonly endpoint: string;
  /** Sealed. */
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

interface DueRow extends Omit<DueDelivery, 'replay' | 'isEntitled'> {
  readonly replay: 0 | 1;
  readonly isEntitled: 0 | 1;
}

const toDueDelivery = (row: DueRow): DueDelivery => ({
  ...row,
  replay: row.replay === 1,
  isEntitled: row.isEntitled === 1,
});

/**
 * Selects first attempts, which are due at any clock time; `REPEAT` selects repeats, which the clock makes
 * due.
 */
const FIRST = `INDEXED BY delivery_first WHERE state = 'pending' AND attempt_count = 0`;
const REPEAT = `INDEXED BY delivery_repeat WHERE state = 'pending' AND attempt_count > 0`;

/** Selects the earliest due time. Ids follow the order of insertion: the lowest id has waited longest. */
export const OLDEST_DUE = `
  SELECT min(due) FROM (
    SELECT next_attempt_at AS due FROM delivery WHERE id = (SELECT min(id) FROM delivery ${FIRST})
    UNION ALL
    SELECT min(next_attempt_at) FROM delivery INDEXED BY delivery_due
    WHERE attempt_count > 0 AND next_attempt_at IS NOT NULL)`;

/**
 * Selects subscriptions with a due repeat. It steps from subscription to subscription, so that its time does
 * not grow with a backlog.
 */
const WITH_REPEATS = `
  WITH RECURSIVE waiting (id) AS (
    SELECT (SELECT min(subscription_id) FROM delivery ${REPEAT})
    UNION ALL
    SELECT (SELECT min(subscription_id) FROM delivery ${REPEAT} AND subscription_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL
  )
  SELECT s.id, s.endpoint FROM waiting JOIN subscription s ON s.id = waiting.id
  WHERE s.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM delivery ${REPEAT} AND subscription_id = s.id AND next_attempt_at <= +@now)`;

export class DeliveryStore extends Store {
  readonly #begin = this.runs('BEGIN');
  readonly #end = this.runs('COMMIT');
  /**
   * Returns deliveries that wait for their first attempt after that id, in the order of their ids.
   */
  readonly firstAfter = this.many<[id: number, limit: number], WaitingDelivery>(
    `SELECT id, subscription_id AS subscriptionId FROM delivery ${FIRST} AND id > ? ORDER BY id LIMIT ?`,
  );
  /**
   * Returns the untried deliveries of one subscription with an id above `afterId`, in the order of their ids.
   */
  readonly firstOf = this.values<[subscriptionId: number, afterId: number, limit: number], number>(
    `SELECT id FROM delivery INDEXED BY delivery_of_subscription
     WHERE subscription_id = ? AND id > ? AND state = 'pending' AND attempt_count = 0 ORDER BY id LIMIT ?`,
  );
  /** Returns true when a delivery waits for its first attempt. */
  readonly isFirst = this.exists<[id: number]>(
    `SELECT 1 FROM delivery WHERE id = ? AND state = 'pending' AND attempt_count = 0`,
  );
  readonly #withRepeats = this.many<[{ now: EpochMs }], WaitingSubscription>(WITH_REPEATS);
  readonly #repeatsOf = this.values<[RepeatParameters], number>(
    `SELECT id FROM delivery ${REPEAT} AND subscription_id = +@subscriptionId
       AND next_attempt_at <= +@now
     ORDER BY next_attempt_at, id LIMIT @limit`,
  );
  /**
   * Reads the attempt to make. Returns `undefined` when it is not pending any more, for instance because the
   * subscription was deleted.
   */
  readonly find = this.one<[id: number], DueDelivery>(
    `SELECT d.id, d.subscription_id AS subscriptionId, d.replay, e.evento,
          e.destinatario_tipo AS destinatarioTipo, e.destinatario_id AS destinatarioId, e.conteudo,
          s.endpoint, s.chave_secreta AS chaveSecreta, s.chave_autenticacao AS chaveAutenticacao,
          ${entitled('e.company', 's.documento')} AS isEntitled
     FROM delivery d JOIN event e ON e.id = d.event_id JOIN subscription s ON s.id = d.subscription_id
     WHERE d.id = +? AND d.state = 'pending' AND s.deleted_at IS NULL`,
    toDueDelivery,
  );
  /** Returns the time at which the earliest pending attempt is due. It may be in the past. */
  readonly nextDueAt = this.value<[], EpochMs>(OLDEST_DUE);
  /** Returns the time at which the next repeat falls due after `now`. */
  readonly nextRepeatAfter = this.value<[now: EpochMs], EpochMs>(
    'SELECT min(next_attempt_at) FROM delivery INDEXED BY delivery_due WHERE attempt_count > 0 AND next_attempt_at > ?',
  );
  /** Returns a subscription, or `undefined` when it is deleted. */
  readonly findActive = this.one<[subscriptionId: number], WaitingSubscription>(
    'SELECT id, endpoint FROM subscription WHERE id = ? AND deleted_at IS NULL',
  );
  /** Makes repeats that are due later than `latest` due at `now`. Returns their number. */
  readonly pullForward = this.changes(
    `UPDATE delivery SET next_attempt_at = ? WHERE next_attempt_at > ? AND state = 'pending' AND attempt_count > 0`,
    (latest: EpochMs, now: EpochMs) => [now, latest],
  );

  /** Runs `work` in one read transaction: separate look-ups would each lock and unlock the file. */
  inReadTransaction<T>(work: () => T): T {
    this.#begin();
    try {
      return work();
    } finally {
      this.#end();
    }
  }

  /** Returns the active subscriptions with a repeat due. */
  withRepeats(now: EpochMs): readonly WaitingSubscription[] {
    return this.#withRepeats({ now });
  }

  /** Returns the ids of a subscription's due repeats, the longest due first. */
  repeatsOf(subscriptionId: number, now: EpochMs, limit: number): readonly number[] {
    return this.#repeatsOf({ subscriptionId, now, limit });
  }
}

interface RepeatParameters {
  readonly subscriptionId: number;
  readonly now: EpochMs;
  readonly limit: number;
}
