/**
 * The required state, independent of the product: subscribers, owed deliveries, outcomes. It reads attempts
 * from their rows, derives the required result of each, and is compared with the database.
 */
import { DAY_MS, type EpochMs, HOUR_MS } from '../../src/clock.ts';
import type { Db } from '../../src/db/open.ts';
import type { Exchange } from './network.ts';
import { prepared } from './prepared.ts';

export class Violation extends Error {
  override readonly name = 'Violation';
}

export interface Subscribed {
  readonly id: number;
  readonly secret: string;
  readonly documento: string;
  evento: string;
  endpoint: string;
  /**
   * Its endpoint changed since an attempt ended: deliveries that wait for a slot are checked again when one
   * ends.
   */
  isMoved: boolean;
  deletedAt: EpochMs | null;
  motivo: string | null;
  lastSuccessAt: EpochMs | null;
  failingSince: EpochMs | null;
  readonly failures: EpochMs[];
}

export interface Owed {
  readonly id: number;
  readonly event: number;
  readonly sub: Subscribed;
  /** Virtual time. */
  readonly publishedAt: number;
  state: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** The first attempt and its repeats; replays are not counted. */
  attempts: number;
  dueAt: EpochMs;
  /** The clock was set back since `dueAt` was planned. */
  isClockSetBack: boolean;
  isReplay: boolean;
  resumeAt: EpochMs | undefined;
  finishedAt: EpochMs | undefined;
  /** The exchange in progress, or ended and not recorded yet. */
  exchange: Exchange | undefined;
  wasReplay: boolean;
}

export const MOTIVO_USER = 'Exclusão solicitada pelo usuário.';
export const MOTIVO_FAILING = 'Exclusão automática: somente erros de entrega nos últimos 30 dias.';
/** Jitter lengthens a wait by at most this share. */
export const JITTER_MAX = 0.1;
const MONTH_MS = 30 * DAY_MS;

export class Ledger {
  readonly subs = new Map<number, Subscribed>();
  readonly bySecret = new Map<string, Subscribed>();
  readonly owed = new Map<number, Owed>();
  readonly byKey = new Map<string, Owed>();
  readonly records = new Map<number, EpochMs>();
  readonly counts = { delivered: 0, failed: 0, cancelled: 0, attempts: 0, deletions: 0, forgotten: 0 };
  readonly #repeats: readonly number[];
  #lastAttempt = 0;
  #lastRecord = 0;

  constructor(repeats: readonly number[]) {
    this.#repeats = repeats;
  }

  subscribed(
    sub: Omit<Subscribed, 'isMoved' | 'deletedAt' | 'motivo' | 'lastSuccessAt' | 'failingSince' | 'failures'>,
  ): void {
    const entry = {
      ...sub,
      isMoved: false,
      deletedAt: null,
      motivo: null,
      lastSuccessAt: null,
      failingSince: null,
      failures: [],
    };
    this.subs.set(sub.id, entry);
    this.bySecret.set(sub.secret, entry);
  }

  activeSubs(): Subscribed[] {
    return [...this.subs.values()].filter(({ deletedAt }) => deletedAt === null);
  }

  changed(sub: Subscribed, evento: string, endpoint: string): void {
    if (endpoint !== sub.endpoint) sub.failingSince = null;
    Object.assign(sub, { evento, endpoint, isMoved: true });
  }

  ended(sub: Subscribed, motivo: string, now: EpochMs): void {
    sub.deletedAt = now;
    sub.motivo = motivo;
    this.counts.deletions += 1;
    for (const owed of this.owed.values())
      if (owed.sub === sub && owed.state === 'pending') this.#finish(owed, 'cancelled', now);
  }

  /** Records that each active subscription to the event is owed one delivery. */
  published(
    db: Db,
    event: { id: number; number: number; evento: string },
    now: EpochMs,
    elapsed: number,
  ): void {
    const rows = prepared<[number], { id: number; sub: number }>(
      db,
      'SELECT id, subscription_id AS sub FROM delivery WHERE event_id = ? ORDER BY subscription_id',
    ).all(event.id);
    const expected = this.activeSubs().filter(({ evento }) => evento === event.evento);
    const [actual, wanted] = [rows.map(({ sub }) => sub).join(), expected.map(({ id }) => id).join()];
    if (actual !== wanted)
      throw new Violation(`event ${event.number} is owed to [${wanted}], deliveries are for [${actual}]`);
    for (const { id, sub: subId } of rows) {
      const sub = this.subs.get(subId);
      if (sub === undefined) throw new Violation(`delivery ${id} is for nobody`);
      const owed: Owed = {
        id,
        event: event.number,
        sub,
        publishedAt: elapsed,
        state: 'pending',
        attempts: 0,
        dueAt: now,
        isClockSetBack: false,
        isReplay: false,
        resumeAt: undefined,
        finishedAt: undefined,
        exchange: undefined,
        wasReplay: false,
      };
      this.owed.set(id, owed);
      this.byKey.set(`${event.number}/${sub.secret}`, owed);
    }
  }

  clockWasSetBack(): void {
    for (const owed of this.owed.values()) owed.isClockSetBack = true;
  }

  get longestRepeat(): number {
    return Math.max(0, ...this.#repeats);
  }

  replayed(owed: Owed, now: EpochMs): void {
    if (owed.state === 'pending' && !owed.isReplay) owed.resumeAt = owed.dueAt;
    Object.assign(owed, { state: 'pending', isReplay: true, dueAt: now, finishedAt: undefined });
  }

  /** Reads the new attempts and failure records, and derives their results. */
  catchUp(db: Db, now: EpochMs): void {
    const attempts = prepared<[number], AttemptRow>(
      db,
      `SELECT id, delivery_id AS deliveryId, outcome, ms, description FROM delivery_attempt WHERE id > ? ORDER BY id`,
    ).all(this.#lastAttempt);
    const records = prepared<[number], RecordRow>(
      db,
      `SELECT id, subscription_id AS subId, failed_at AS failedAt, descricao, conteudo FROM delivery_failure
         WHERE id > ? ORDER BY id`,
    ).all(this.#lastRecord);
    for (const attempt of attempts) this.#apply(attempt, records, now);
    const [surplus] = records;
    if (surplus !== undefined)
      throw new Violation(`failure record ${surplus.id} belongs to no failed attempt`);
  }

  /** Returns whether a subscription must be deleted for its failures, by the text of the contract. */
  isDelinquent({ failingSince, failures, deletedAt }: Subscribed, now: EpochMs): boolean {
    const isLongEnough = failingSince !== null && failingSince + MONTH_MS <= now;
    const isRecent = failures.some((at) => at <= now && at >= now - 24 * HOUR_MS);
    return deletedAt === null && isLongEnough && isRecent;
  }

  /** Checks that records and finished deliveries are removed after 30 days, and not before. */
  retained(db: Db, now: EpochMs): void {
    this.#seekLastAttempt(db);
    for (const [id, failedAt] of this.records) if (failedAt < now - MONTH_MS) this.records.delete(id);
    for (const owed of this.owed.values()) if ((owed.finishedAt ?? now) < now - MONTH_MS) this.#forget(owed);
  }

  /** Accepts, after a crash, that a retention started at `began` removed only a part. */
  reconcileRetention(db: Db, began: EpochMs): void {
    this.#seekLastAttempt(db);
    const isRecorded = prepared<[number], number>(db, 'SELECT 1 FROM delivery_failure WHERE id = ?').pluck();
    const isKept = prepared<[number], number>(db, 'SELECT 1 FROM delivery WHERE id = ?').pluck();
    for (const [id, failedAt] of this.records)
      if (failedAt < began - MONTH_MS && isRecorded.get(id) === undefined) this.records.delete(id);
    for (const owed of this.owed.values())
      if ((owed.finishedAt ?? began) < began - MONTH_MS && isKept.get(owed.id) === undefined)
        this.#forget(owed);
  }

  /** Finds the last attempt again: ids have no meaning, and restart when all attempts were removed. */
  #seekLastAttempt(db: Db): void {
    const { last } = prepared<[], { last: number }>(
      db,
      'SELECT coalesce(max(id), 0) AS last FROM delivery_attempt',
    ).get() ?? { last: 0 };
    this.#lastAttempt = last;
  }

  #forget({ id, event, sub }: Owed): void {
    this.owed.delete(id);
    this.byKey.delete(`${event}/${sub.secret}`);
    this.counts.forgotten += 1;
  }

  /** Records a crash: unrecorded attempts in progress must be repeated. */
  died(): void {
    for (const owed of this.owed.values()) owed.exchange = undefined;
  }

  #apply({ id, deliveryId, outcome, ms, description }: AttemptRow, records: RecordRow[], now: EpochMs): void {
    this.#lastAttempt = id;
    this.counts.attempts += 1;
    const owed = this.owed.get(deliveryId);
    const exchange = owed?.exchange;
    const ended = exchange?.outcome;
    if (owed === undefined || exchange === undefined || ended === undefined || ended.kind === 'withdrawn')
      throw new Violation(`attempt ${id} of delivery ${deliveryId} is recorded, but was never made`);
    const isDelivered = ended.kind === 'delivered';
    if ((outcome === 'delivered') !== isDelivered || ms !== ended.ms)
      throw new Violation(
        `attempt ${id} is recorded as ${outcome} after ${ms} ms, but was ${ended.kind} after ${ended.ms} ms`,
      );
    owed.exchange = undefined;
    if (isDelivered) return this.#delivered(owed, exchange, now);

    const record = records.shift();
    if (
      record?.descricao !== description ||
      record.subId !== owed.sub.id ||
      !record.conteudo.includes(`${owed.event}`)
    )
      throw new Violation(`the failed attempt ${id} has no failure record`);
    if (record.failedAt !== now)
      throw new Violation(`failure record ${record.id} says ${record.failedAt}, it is ${now}`);
    this.#lastRecord = record.id;
    this.records.set(record.id, now);
    owed.sub.failures.push(now);
    this.#failed(owed, exchange, now);
  }

  #delivered(owed: Owed, { request }: Exchange, now: EpochMs): void {
    if (owed.state !== 'pending') return;
    if (!owed.wasReplay) owed.attempts += 1;
    this.#finish(owed, 'delivered', now);
    owed.sub.lastSuccessAt = now;
    if (request.endpoint === owed.sub.endpoint) owed.sub.failingSince = null;
  }

  #failed(owed: Owed, { request }: Exchange, now: EpochMs): void {
    if (owed.state !== 'pending') return;
    if (!owed.wasReplay) owed.attempts += 1;
    const delay = this.#repeats[owed.attempts - 1];
    const next = owed.wasReplay ? owed.resumeAt : delay === undefined ? undefined : now + delay;
    if (owed.isReplay && !owed.wasReplay) Object.assign(owed, { dueAt: now, resumeAt: next });
    else if (next === undefined) this.#finish(owed, 'failed', now);
    else Object.assign(owed, { dueAt: next, isReplay: false, resumeAt: undefined, isClockSetBack: false });
    const { sub } = owed;
    if (request.endpoint === sub.endpoint) sub.failingSince ??= now;
    if (this.isDelinquent(sub, now)) this.ended(sub, MOTIVO_FAILING, now);
  }

  #finish(owed: Owed, state: 'delivered' | 'failed' | 'cancelled', now: EpochMs): void {
    this.counts[state] += 1;
    Object.assign(owed, { state, isReplay: false, resumeAt: undefined, finishedAt: now });
  }
}

interface AttemptRow {
  readonly id: number;
  readonly deliveryId: number;
  readonly outcome: string;
  readonly ms: number;
  readonly description: string;
}

interface RecordRow {
  readonly id: number;
  readonly subId: number;
  readonly failedAt: EpochMs;
  readonly descricao: string;
  readonly conteudo: string;
}
