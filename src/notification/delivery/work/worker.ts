/**
 * Makes the due attempts. These wake the worker: a commit that makes a delivery due, the clock, the end of an
 * attempt, and commits of other processes (db/feed.ts). Deliveries in flight are kept in memory only: an
 * attempt without a recorded outcome is made again (contract section 10).
 */
import { type Clock, type EpochMs, type RealTime, type Timer, waited } from '../../../clock.ts';
import type { Feed } from '../../../db/feed.ts';
import type { Logger } from '../../../log/log.ts';
import { Alarm } from './alarm.ts';
import { startDue } from './claim.ts';
import type { DeliveryStore, DueDelivery } from './delivery-store.ts';
import { FirstAttempts } from './first-attempts.ts';
import type { Outcome } from '../send/outcome.ts';
import type { Outcomes } from './outcomes.ts';
import type { DeliveryRequest, Sender } from '../send/sender.ts';
import { Withdrawal } from '../send/withdrawal.ts';
import { SearchPause } from './rest.ts';
import { type SlotLimits, Slots } from './slots.ts';

/**
 * The poll interval in ms of real time, which a test clock does not move. The worker also polls the feed: a
 * server without requests sees commits of other processes only then.
 */
const POLL_MS = 500;
/** The wait before a refused write of an outcome, or a failed read, is retried, in ms of real time. */
const RETRY_MS = 1000;
export interface DeliveryWorkerOptions {
  readonly store: DeliveryStore;
  readonly outcomes: Outcomes;
  readonly sender: Sender;
  /** Builds the request. Throws when it cannot be built, for instance because a secret does not decrypt. */
  readonly compose: (due: DueDelivery, now: EpochMs) => Omit<DeliveryRequest, 'withdrawal'>;
  readonly limits: SlotLimits;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly log: Logger;
  /**
   * Makes each repeat that is due later than the schedule allows due immediately. Called after the clock was
   * set back.
   */
  readonly pullForward: (now: EpochMs) => Promise<void>;
  readonly onAttempt?: (outcome: Outcome, due: DueDelivery) => void;
  readonly pollMs?: number;
  /**
   * Resolves to true once the replica holds the commits, to false when the process stops first. Returns
   * `undefined` when no wait is needed.
   */
  readonly replicated?: (() => Promise<boolean> | undefined) | undefined;
}

export interface RunResult {
  readonly delivered: number;
  readonly failed: number;
  readonly withdrawn: number;
}

interface InFlight {
  readonly subscriptionId: number;
  readonly withdraw: () => void;
  /** Resolves when the outcome is recorded, or when no outcome has to be recorded. */
  readonly ended: Promise<Outcome['kind']>;
}

export class DeliveryWorker {
  readonly #store: DeliveryStore;
  readonly #outcomes: Outcomes;
  readonly #sender: Sender;
  readonly #compose: (due: DueDelivery, now: EpochMs) => Omit<DeliveryRequest, 'withdrawal'>;
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #log: Logger;
  readonly #pullForward: (now: EpochMs) => Promise<void>;
  readonly #onAttempt: ((outcome: Outcome, due: DueDelivery) => void) | undefined;
  readonly #pollMs: number | undefined;
  readonly #replicated: (() => Promise<boolean> | undefined) | undefined;
  readonly #slots: Slots;
  readonly #first: FirstAttempts;
  readonly #pause: SearchPause;
  readonly #repeats: Alarm;
  readonly #inFlight = new Map<number, InFlight>();
  #stopped = Promise.withResolvers<void>();
  #isRunning = false;
  #isStopping = false;
  #isSearchPlanned = false;
  #pollTimer: Timer | undefined;
  #retryTimer: Timer | undefined;
  #endFeed: (() => void) | undefined;
  #lastPollAt: EpochMs = 0;

  constructor({
    store,
    outcomes,
    sender,
    compose,
    limits,
    feed,
    clock,
    realTime,
    log,
    pullForward,
    onAttempt,
    pollMs,
    replicated,
  }: DeliveryWorkerOptions) {
    this.#store = store;
    this.#outcomes = outcomes;
    this.#sender = sender;
    this.#compose = compose;
    this.#feed = feed;
    this.#clock = clock;
    this.#realTime = realTime;
    this.#log = log;
    this.#pullForward = pullForward;
    this.#onAttempt = onAttempt;
    this.#pollMs = pollMs;
    this.#replicated = replicated;
    this.#slots = new Slots(limits);
    this.#pause = new SearchPause(realTime);
    this.#repeats = new Alarm(clock, () => this.#searchSoon());
    this.#first = new FirstAttempts(store, (id) => this.#inFlight.has(id));
    feed.onReplaced(() => this.#first.forget());
  }

  /** Starts the loop. Attempts that an earlier process left without an outcome run first. */
  start(): void {
    this.#isRunning = true;
    this.#isStopping = false;
    this.#stopped = Promise.withResolvers();
    this.#endFeed ??= this.#feed.onOthers(this.#onForeignCommit);
    this.#first.forget();
    this.#pullDueForward(this.#clock.now());
    this.#pollLater();
    this.#searchSoon();
  }

  /** Signals that something may have become due. Returns immediately; it may be called after every commit. */
  readonly wake = (): void => {
    this.#first.added();
    this.#searchSoon();
  };

  /**
   * Signals that waiting deliveries may have changed, for instance by a replay or a new endpoint. Call it
   * after the commit.
   */
  readonly changed = (): void => {
    this.#first.forget();
    this.#searchSoon();
  };

  readonly #searchSoon = (): void => {
    if (!this.#isRunning || this.#isSearchPlanned) return;
    this.#isSearchPlanned = true;
    this.#pause.runAfter(() => {
      this.#isSearchPlanned = false;
      if (this.#isRunning) this.#startDue();
    });
  };

  /**
   * Withdraws the requests in flight to a subscription whose deletion has committed. A request that is not
   * sent yet is never sent.
   */
  readonly withdraw = (subscriptionId: number): void => {
    this.#slots.forget(subscriptionId);
    this.#first.remove(subscriptionId);
    for (const attempt of this.#inFlight.values())
      if (attempt.subscriptionId === subscriptionId) attempt.withdraw();
  };

  /** Makes the due attempts that have a slot now. Resolves when their outcomes are recorded. */
  async runOnce(): Promise<RunResult> {
    const before = new Set(this.#inFlight.values());
    this.#first.forget();
    this.#startDue();
    const started = [...this.#inFlight.values()].filter((attempt) => !before.has(attempt));
    const ends = await Promise.all(started.map(({ ended }) => ended));
    const count = (kind: Outcome['kind']): number => ends.filter((end) => end === kind).length;
    return { delivered: count('delivered'), failed: count('failed'), withdrawn: count('withdrawn') };
  }

  /** Makes every attempt that is due now. Resolves when all outcomes are recorded and no attempt is due. */
  async runDue(): Promise<void> {
    this.#first.forget();
    do {
      await this.#allEnded();
      if (this.#isStopping) return;
      this.#first.added();
      this.#startDue();
    } while (this.#inFlight.size > 0 || this.#first.hasUnreadRest);
  }

  /** Returns the time at which the earliest pending attempt is due, overdue ones included. */
  nextDueAt(): EpochMs | undefined {
    return this.#store.nextDueAt();
  }

  /**
   * Stops starting attempts, waits `graceMs` for those in flight, and withdraws the rest. Withdrawn attempts
   * are made again later.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isRunning = false;
    this.#isStopping = true;
    this.#repeats.set(undefined);
    this.#pollTimer?.cancel();
    this.#endFeed?.();
    this.#endFeed = undefined;
    this.#retryTimer?.cancel();
    const ended = this.#allEnded();
    await waited(this.#realTime, graceMs, ended);
    this.#stopped.resolve();
    for (const attempt of this.#inFlight.values()) attempt.withdraw();
    await ended;
  }

  #startDue(): void {
    const startedAt = this.#realTime.now();
    let started = 0;
    try {
      const now = this.#clock.now();
      const claim = {
        store: this.#store,
        first: this.#first,
        slots: this.#slots,
        slotKey: (endpoint: string) => this.#sender.slotKey(endpoint),
        isInFlight: (id: number) => this.#inFlight.has(id),
        start: (id: number, receiver: string) => this.#start(id, receiver),
      };
      started = this.#store.inReadTransaction(() => startDue(claim, now));
      if (this.#isRunning) this.#repeats.set(this.#store.nextRepeatAfter(now));
      if (this.#first.hasUnreadRest) this.#searchSoon();
    } catch (error) {
      this.#log.error('As entregas pendentes não puderam ser lidas; nova tentativa em instantes: {error}', {
        error,
      });
      this.#first.forget();
      this.#retryLater();
    }
    this.#pause.setAfterSearch(started, startedAt);
  }

  /** Reads the subscription and sends in one synchronous step, so that no deletion commits in between. */
  #start(id: number, receiver: string): boolean {
    const due = this.#store.find(id);
    if (due === undefined) {
      this.changed();
      return false;
    }
    const withdrawal = new Withdrawal();
    const slot = this.#slots.take(due.subscriptionId, due.endpoint, receiver);
    const ended = (due.isEntitled ? this.#attempt(due, withdrawal) : this.#cancel(due)).finally(() => {
      this.#inFlight.delete(id);
      slot.release();
      this.#first.ended(due);
      this.#searchSoon();
    });
    this.#inFlight.set(id, { subscriptionId: due.subscriptionId, withdraw: withdrawal.withdraw, ended });
    return true;
  }

  /** Cancels a delivery whose subscriber lost the right to its event. */
  async #cancel(due: DueDelivery): Promise<Outcome['kind']> {
    await this.#writeUntilStored(due, () => this.#outcomes.cancel(due));
    return 'withdrawn';
  }

  async #attempt(due: DueDelivery, withdrawal: Withdrawal): Promise<Outcome['kind']> {
    const replicating = this.#replicated?.();
    if (replicating !== undefined && !(await replicating)) return 'withdrawn';
    const startedAt = this.#clock.now();
    const outcome = await this.#send(due, startedAt, withdrawal);
    if (outcome.kind === 'withdrawn') return outcome.kind;
    this.#slots.recordAttempt(due.subscriptionId, {
      delivered: outcome.kind === 'delivered',
      ms: outcome.ms,
    });
    this.#onAttempt?.(outcome, due);
    await this.#writeUntilStored(due, () => this.#outcomes.record({ due, startedAt, outcome }));
    return outcome.kind;
  }

  /** Also turns an internal error into an outcome, so that the delivery can end. */
  async #send(due: DueDelivery, now: EpochMs, withdrawal: Withdrawal): Promise<Outcome> {
    try {
      return await this.#sender.send({ ...this.#compose(due, now), withdrawal });
    } catch (error) {
      this.#log.error('A entrega {id} não pôde ser enviada: {error}', { id: due.id, error });
      const description = 'A requisição não pôde ser montada por uma falha interna; nada foi enviado.';
      return { kind: 'failed', reason: 'request', phase: 'request', ms: 0, description };
    }
  }

  /**
   * Retries until the storage accepts the outcome, and holds the slot meanwhile: a free slot would let the
   * worker send the same delivery again and again.
   */
  async #writeUntilStored({ id }: DueDelivery, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.#log.error('O resultado da entrega {id} não pôde ser gravado: {error}', { id, error });
      }
      await waited(this.#realTime, RETRY_MS, this.#stopped.promise);
      if (this.#isStopping) return;
    }
  }

  #pollLater(): void {
    const pollMs = this.#pollMs ?? POLL_MS;
    this.#pollTimer = this.#realTime.after(pollMs, () => {
      this.#poll();
      if (this.#isRunning) this.#pollLater();
    });
  }

  #poll(): void {
    this.#feed.checkNow();
    const now = this.#clock.now();
    const isSetBack = now < this.#lastPollAt;
    if (isSetBack) this.#pullDueForward(now);
    this.#lastPollAt = now;
    if (this.#repeats.isOverdue(now)) this.#searchSoon();
  }

  /**
   * Handles commits of other processes: withdraws requests to subscriptions that other processes have
   * deleted.
   * It is called during a read of the feed, so it acts after that read.
   */
  readonly #onForeignCommit = (): void =>
    void setImmediate(() => {
      if (!this.#isRunning) return;
      for (const { subscriptionId } of this.#inFlight.values())
        if (this.#store.findActive(subscriptionId) === undefined) this.withdraw(subscriptionId);
      this.wake();
    });

  #pullDueForward(now: EpochMs): void {
    this.#lastPollAt = now;
    this.#pullForward(now).then(this.#searchSoon, (error: unknown) => {
      this.#log.error('As repetições não puderam ser adiantadas; nova tentativa em instantes: {error}', {
        error,
      });
      this.#retryLater();
    });
  }

  /** Retries the reads and writes that the storage refused. */
  #retryLater(): void {
    if (!this.#isRunning) return;
    this.#retryTimer?.cancel();
    this.#retryTimer = this.#realTime.after(RETRY_MS, () => {
      if (this.#isRunning) this.#pullDueForward(this.#clock.now());
    });
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].map(({ ended }) => ended));
  }
}
