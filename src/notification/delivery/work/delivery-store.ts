/** Deliveries that wait to be tried, as the worker looks for them. What is in flight is not marked on disk. */
import type { EpochMs } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { DestinatarioTipo } from '../../event/model.ts';

/** First attempts go before repeats and replays (contract section 10). */
export const TURNS = ['first', 'repeat'] as const;
export type Turn = (typeof TURNS)[number];

export interface WaitingSubscription {
  readonly id: number;
  readonly endpoint: string;
}

/** One attempt to make: the delivery with all that its request is made of. */
export interface DueDelivery {
  readonly id: number;
  readonly subscriptionId: number;
  /** Whether this attempt is a replay. */
  readonly replay: boolean;
  readonly evento: string;
  readonly destinatarioTipo: DestinatarioTipo;
  readonly destinatarioId: string;
  readonly conteudo: string;
  readonly endpoint: string;
  /** Sealed. */
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

interface DueRow extends Omit<DueDelivery, 'replay'> {
  readonly replay: 0 | 1;
}

const toDueDelivery = (row: DueRow): DueDelivery => ({ ...row, replay: row.replay === 1 });

/** First attempts are due whatever the clock says; repeats follow it. */
const IS_WAITING: Record<Turn, string> = {
  first: `INDEXED BY delivery_first WHERE state = 'pending' AND attempt_count = 0`,
  repeat: `INDEXED BY delivery_repeat WHERE state = 'pending' AND attempt_count > 0`,
};

/** Goes from subscription to subscription, so that its time does not grow with anybody's backlog. */
const waiting = (turn: Turn): string => `
  WITH RECURSIVE waiting (id) AS (
    SELECT (SELECT min(subscription_id) FROM delivery ${IS_WAITING[turn]})
    UNION ALL
    SELECT (SELECT min(subscription_id) FROM delivery ${IS_WAITING[turn]} AND subscription_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL
  )`;

/** Deliveries are made in the order of their ids: the first of each subscription has waited longest. */
export const OLDEST_DUE = `
  ${waiting('first')}
  SELECT min(due) FROM (
    SELECT next_attempt_at AS due FROM delivery WHERE id IN (
      SELECT (SELECT min(id) FROM delivery ${IS_WAITING.first} AND subscription_id = waiting.id) FROM waiting)
    UNION ALL
    SELECT min(next_attempt_at) FROM delivery INDEXED BY delivery_due
    WHERE attempt_count > 0 AND next_attempt_at IS NOT NULL)`;

const waitingSubscriptions = (turn: Turn): string => `
  ${waiting(turn)}
  SELECT s.id, s.endpoint FROM waiting JOIN subscription s ON s.id = waiting.id
  WHERE s.deleted_at IS NULL`;

export class DeliveryStore {
  readonly #begin;
  readonly #end;
  readonly #waiting;
  readonly #heads;
  readonly #find;
  readonly #nextDue;
  readonly #nextRepeat;
  readonly #isActive;
  readonly #pullForward;

  constructor(db: Db) {
    this.#begin = db.prepare('BEGIN');
    this.#end = db.prepare('COMMIT');
    this.#waiting = {
      first: db.prepare<[{ now: EpochMs }], WaitingSubscription>(waitingSubscriptions('first')),
      repeat: db.prepare<[{ now: EpochMs }], WaitingSubscription>(
        `${waitingSubscriptions('repeat')} AND EXISTS (SELECT 1 FROM delivery ${IS_WAITING.repeat}
           AND subscription_id = s.id AND next_attempt_at <= +@now)`,
      ),
    };
    this.#heads = {
      first: db
        .prepare<[HeadParameters], number>(
          `SELECT id FROM delivery ${IS_WAITING.first} AND subscription_id = +@subscriptionId
           ORDER BY id LIMIT @limit`,
        )
        .pluck(),
      repeat: db
        .prepare<[HeadParameters], number>(
          `SELECT id FROM delivery ${IS_WAITING.repeat} AND subscription_id = +@subscriptionId
             AND next_attempt_at <= +@now
           ORDER BY next_attempt_at, id LIMIT @limit`,
        )
        .pluck(),
    };
    this.#find = db.prepare<[number], DueRow>(
      `SELECT d.id, d.subscription_id AS subscriptionId, d.replay, e.evento,
              e.destinatario_tipo AS destinatarioTipo, e.destinatario_id AS destinatarioId, e.conteudo,
              s.endpoint, s.chave_secreta AS chaveSecreta, s.chave_autenticacao AS chaveAutenticacao
       FROM delivery d JOIN event e ON e.id = d.event_id JOIN subscription s ON s.id = d.subscription_id
       WHERE d.id = +? AND d.state = 'pending' AND s.deleted_at IS NULL`,
    );
    this.#nextDue = db.prepare<[], EpochMs | null>(OLDEST_DUE).pluck();
    this.#nextRepeat = db
      .prepare<[EpochMs], EpochMs | null>(
        'SELECT min(next_attempt_at) FROM delivery INDEXED BY delivery_due WHERE attempt_count > 0 AND next_attempt_at > ?',
      )
      .pluck();
    this.#isActive = db
      .prepare<[number], number>('SELECT 1 FROM subscription WHERE id = ? AND deleted_at IS NULL')
      .pluck();
    this.#pullForward = db.prepare<[EpochMs, EpochMs]>(
      `UPDATE delivery SET next_attempt_at = ? WHERE next_attempt_at > ? AND state = 'pending' AND attempt_count > 0`,
    );
  }

  /** Runs `work` in one reading of the database: each look-up by itself would lock and unlock the file. */
  inOneReading<T>(work: () => T): T {
    this.#begin.run();
    try {
      return work();
    } finally {
      this.#end.run();
    }
  }

  /** Active subscriptions with something due. */
  waiting(turn: Turn, now: EpochMs): readonly WaitingSubscription[] {
    return this.#waiting[turn].all({ now });
  }

  /** Ids of a subscription's due deliveries, the longest due first. */
  heads(turn: Turn, subscriptionId: number, now: EpochMs, limit: number): readonly number[] {
    return this.#heads[turn].all({ subscriptionId, now, limit });
  }

  /** The attempt to make; `undefined` when there is none any more, for instance because the subscription was deleted. */
  find(id: number): DueDelivery | undefined {
    const row = this.#find.get(id);
    return row && toDueDelivery(row);
  }

  /** When the earliest pending attempt is due; it may be overdue. */
  nextDueAt(): EpochMs | undefined {
    return this.#nextDue.get() ?? undefined;
  }

  /** When the next repeat falls due after `now`. */
  nextRepeatAfter(now: EpochMs): EpochMs | undefined {
    return this.#nextRepeat.get(now) ?? undefined;
  }

  isActive(subscriptionId: number): boolean {
    return this.#isActive.get(subscriptionId) !== undefined;
  }

  /** Makes repeats that are due later than `latest` due at `now`; returns how many. */
  pullForward(latest: EpochMs, now: EpochMs): number {
    return this.#pullForward.run(now, latest).changes;
  }
}

interface HeadParameters {
  readonly subscriptionId: number;
  readonly now: EpochMs;
  readonly limit: number;
}
