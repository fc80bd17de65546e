/**
 * Makes the attempts that are due. Woken by the commit that made something due, by the clock, by the end of an attempt,
 * and by what other processes commit (db/feed.ts). What is in flight is known to memory only: an attempt without a
 * recorded outcome is made again (contract section 10).
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
import { Rest } from './rest.ts';
import { type SlotLimits, Slots } from './slots.ts';

/** How often to look, at the feed too: a server that nobody asks anything sees others' commits no sooner. Real time, not the clock's. */
const LOOK_EVERY_MS = 500;
/** How long to wait before what the storage refused (an outcome, a look-up) is tried again. Real time. */
const RECORD_AGAIN_MS = 1000;
export interface WorkerParts {
  readonly store: DeliveryStore;
  readonly outcomes: Outcomes;
  readonly sender: Sender;
  /** Builds the request; throws when it cannot be built, for instance because a secret does not decrypt. */
  readonly compose: (due: DueDelivery, now: EpochMs) => Omit<DeliveryRequest, 'withdrawal'>;
  readonly limits: SlotLimits;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly log: Logger;
  /** After the clock was set back: repeats that are due later than could be are due at once. */
  readonly pullForward: (now: EpochMs) => Promise<void>;
  readonly onAttempt?: (outcome: Outcome, due: DueDelivery) => void;
  readonly lookEveryMs?: number;
  /** Whether what is committed is wherever else it has to be, before all stops; `undefined`: nothing is waited for. */
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
  /** Resolves when the outcome is recorded, or need not be. */
  readonly ended: Promise<Outcome['kind']>;
}

export class DeliveryWorker {
  readonly #parts: WorkerParts;
  readonly #slots: Slots;
  readonly #first: FirstAttempts;
  readonly #rest: Rest;
  readonly #repeats: Alarm;
  readonly #inFlight = new Map<number, InFlight>();
  #stopped = Promise.withResolvers<void>();
  #isRunning = false;
  #isStopping = false;
  #isWoken = false;
  #lookTimer: Timer | undefined;
  #againTimer: Timer | undefined;
  #endFeed: (() => void) | undefined;
  #seenAt: EpochMs = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.limits);
    this.#rest = new Rest(parts.realTime);
    this.#repeats = new Alarm(parts.clock, () => this.#lookSoon());
    this.#first = new FirstAttempts({ store: parts.store, isInFlight: (id) => this.#inFlight.has(id) });
    parts.feed.onReplaced(() => this.#first.forget());
  }

  /** Starts the loop. What a former process left without an outcome is tried first. */
  start(): void {
    this.#isRunning = true;
    this.#isStopping = false;
    this.#stopped = Promise.withResolvers();
    this.#endFeed ??= this.#parts.feed.onOthers(this.#writtenElsewhere);
    this.#first.forget();
    this.#pullForward(this.#parts.clock.now());
    this.#lookLater();
    this.#lookSoon();
  }

  /** Something may have become due. Returns at once, and may be called after every commit. */
  readonly wake = (): void => {
    this.#first.added();
    this.#lookSoon();
  };

  /** What waits may be another now: it was replayed, say, or goes elsewhere. To be called after the commit. */
  readonly changed = (): void => {
    this.#first.forget();
    this.#lookSoon();
  };

  readonly #lookSoon = (): void => {
    if (!this.#isRunning || this.#isWoken) return;
    this.#isWoken = true;
    this.#rest.before(() => {
      this.#isWoken = false;
      if (this.#isRunning) this.#startDue();
    });
  };

  /** Takes back what is in flight to a subscription whose deletion has committed: what is not sent yet never is. */
  readonly withdraw = (subscriptionId: number): void => {
    this.#slots.forget(subscriptionId);
    this.#first.remove(subscriptionId);
    for (const attempt of this.#inFlight.values())
      if (attempt.subscriptionId === subscriptionId) attempt.withdraw();
  };

  /** Makes the attempts that are due and have a slot now; resolves when their outcomes are recorded. */
  async runOnce(): Promise<RunResult> {
    const before = new Set(this.#inFlight.values());
    this.#first.forget();
    this.#startDue();
    const started = [...this.#inFlight.values()].filter((attempt) => !before.has(attempt));
    const ends = await Promise.all(started.map(({ ended }) => ended));
    const count = (kind: Outcome['kind']): number => ends.filter((end) => end === kind).length;
    return { delivered: count('delivered'), failed: count('failed'), withdrawn: count('withdrawn') };
  }

  /** Makes every attempt that is due by now; resolves when all outcomes are recorded and nothing more is due. */
  async runDue(): Promise<void> {
    this.#first.forget();
    do {
      await this.#allEnded();
      if (this.#isStopping) return;
      this.#first.added();
      this.#startDue();
    } while (this.#inFlight.size > 0 || this.#first.isBehind);
  }

  /** When the earliest pending attempt is due, overdue ones included. */
  nextDueAt(): EpochMs | undefined {
    return this.#parts.store.nextDueAt();
  }

  /** Starts nothing more, gives what is in flight `graceMs` to end, and takes the rest back: it is made again later. */
  async stop(graceMs: number): Promise<void> {
    this.#isRunning = false;
    this.#isStopping = true;
    this.#repeats.set(undefined);
    this.#lookTimer?.cancel();
    this.#endFeed?.();
    this.#endFeed = undefined;
    this.#againTimer?.cancel();
    const ended = this.#allEnded();
    await waited(this.#parts.realTime, graceMs, ended);
    this.#stopped.resolve();
    for (const attempt of this.#inFlight.values()) attempt.withdraw();
    await ended;
  }

  #startDue(): void {
    const { store, sender, clock, realTime, log } = this.#parts;
    const startedAt = realTime.now();
    let started = 0;
    try {
      const now = clock.now();
      const claim = {
        store,
        first: this.#first,
        slots: this.#slots,
        slotKey: (endpoint: string) => sender.slotKey(endpoint),
        isInFlight: (id: number) => this.#inFlight.has(id),
        start: (id: number, receiver: string) => this.#start(id, receiver),
      };
      started = store.inOneReading(() => startDue(claim, now));
      if (this.#isRunning) this.#repeats.set(store.nextRepeatAfter(now));
      if (this.#first.isBehind) this.#lookSoon();
    } catch (error) {
      log.error('As entregas pendentes não puderam ser lidas; nova tentativa em instantes: {error}', {
        error,
      });
      this.#first.forget();
      this.#lookAgainSoon();
    }
    this.#rest.earn(started, startedAt);
  }

  /** Reads the subscription and sends in one go, so that no deletion commits in between. */
  #start(id: number, receiver: string): boolean {
    const due = this.#parts.store.find(id);
    if (due === undefined) {
      this.changed();
      return false;
    }
    const withdrawal = new Withdrawal();
    const slot = this.#slots.take(due.subscriptionId, due.endpoint, receiver);
    const ended = this.#attempt(due, withdrawal).finally(() => {
      this.#inFlight.delete(id);
      slot.release();
      this.#first.ended(due);
      this.#lookSoon();
    });
    this.#inFlight.set(id, { subscriptionId: due.subscriptionId, withdraw: withdrawal.withdraw, ended });
    return true;
  }

  async #attempt(due: DueDelivery, withdrawal: Withdrawal): Promise<Outcome['kind']> {
    const replicating = this.#parts.replicated?.();
    if (replicating !== undefined && !(await replicating)) return 'withdrawn';
    const startedAt = this.#parts.clock.now();
    const outcome = await this.#send(due, startedAt, withdrawal);
    if (outcome.kind === 'withdrawn') return outcome.kind;
    this.#slots.note(due.subscriptionId, { delivered: outcome.kind === 'delivered', ms: outcome.ms });
    this.#parts.onAttempt?.(outcome, due);
    await this.#record({ due, startedAt, outcome });
    return outcome.kind;
  }

  /** Our own fault is an outcome too: it must not keep the delivery from ending. */
  async #send(due: DueDelivery, now: EpochMs, withdrawal: Withdrawal): Promise<Outcome> {
    try {
      return await this.#parts.sender.send({ ...this.#parts.compose(due, now), withdrawal });
    } catch (error) {
      this.#parts.log.error('A entrega {id} não pôde ser enviada: {error}', { id: due.id, error });
      const description = 'A requisição não pôde ser montada por uma falha interna; nada foi enviado.';
      return { kind: 'failed', reason: 'request', phase: 'request', ms: 0, description };
    }
  }

  /** Keeps the outcome, and the slot, until the storage takes it: sending again instead would flood the receiver. */
  async #record(attempt: Parameters<Outcomes['record']>[0]): Promise<void> {
    for (;;) {
      try {
        return await this.#parts.outcomes.record(attempt);
      } catch (error) {
        const { id } = attempt.due;
        this.#parts.log.error('O resultado da entrega {id} não pôde ser gravado: {error}', { id, error });
      }
      await waited(this.#parts.realTime, RECORD_AGAIN_MS, this.#stopped.promise);
      if (this.#isStopping) return;
    }
  }

  #lookLater(): void {
    const { realTime, lookEveryMs = LOOK_EVERY_MS } = this.#parts;
    this.#lookTimer = realTime.after(lookEveryMs, () => {
      this.#look();
      if (this.#isRunning) this.#lookLater();
    });
  }

  #look(): void {
    this.#parts.feed.lookNow();
    const now = this.#parts.clock.now();
    const isSetBack = now < this.#seenAt;
    if (isSetBack) this.#pullForward(now);
    this.#seenAt = now;
    if (this.#repeats.isOverdue(now)) this.#lookSoon();
  }

  /** Told in the middle of whatever looked at the feed: acts afterwards, and takes back what others have deleted. */
  readonly #writtenElsewhere = (): void =>
    void setImmediate(() => {
      if (!this.#isRunning) return;
      for (const { subscriptionId } of this.#inFlight.values())
        if (this.#parts.store.findActive(subscriptionId) === undefined) this.withdraw(subscriptionId);
      this.wake();
    });

  #pullForward(now: EpochMs): void {
    this.#seenAt = now;
    this.#parts.pullForward(now).then(this.#lookSoon, (error: unknown) => {
      this.#parts.log.error(
        'As repetições não puderam ser adiantadas; nova tentativa em instantes: {error}',
        { error },
      );
      this.#lookAgainSoon();
    });
  }

  /** What the storage refused to be read or changed is tried again. */
  #lookAgainSoon(): void {
    if (!this.#isRunning) return;
    this.#againTimer?.cancel();
    this.#againTimer = this.#parts.realTime.after(RECORD_AGAIN_MS, () => {
      if (this.#isRunning) this.#pullForward(this.#parts.clock.now());
    });
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].map(({ ended }) => ended));
  }
}
