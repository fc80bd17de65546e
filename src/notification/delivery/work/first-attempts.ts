/**
 * First attempts that wait, each subscription's in a line of its own. They are made in the order of their ids, and so read
 * on behind the last id that is known: the end of an attempt, which frees a slot for the next one, asks the database for
 * nothing. The table stays the truth: a line is an order of ids, each of which is read again before it is tried.
 */
import type { DeliveryStore, DueDelivery, WaitingSubscription } from './delivery-store.ts';

/** Kept of each subscription; what comes behind them is read when they have been taken. */
const KEPT_MAX = 64;

/** Read on at once: some ms, after which others have their turn. */
const READ_MAX = 2000;

interface Line extends WaitingSubscription {
  readonly ids: number[];
  /** The last one that was ever in it. */
  last: number;
  /** Whether more of them may wait behind it. */
  isCut: boolean;
}

export interface FirstAttemptsParts {
  readonly store: Pick<DeliveryStore, 'firstBehind' | 'firstOf' | 'findActive' | 'isFirst'>;
  readonly isInFlight: (deliveryId: number) => boolean;
}

export class FirstAttempts {
  readonly #parts: FirstAttemptsParts;
  readonly #lines = new Map<number, Line>();
  /** Those with something left to try. */
  readonly #waiting = new Set<Line>();
  /** In flight as they were read. */
  readonly #leftOut = new Set<number>();
  /** Tried, and perhaps still to be tried for the first time. */
  #doubtful: number[] = [];
  #readTo = 0;
  /** Whether some may be behind what was read. */
  #isMore = true;
  #isBehind = false;

  constructor(parts: FirstAttemptsParts) {
    this.#parts = parts;
  }

  /** Whether the last reading ended before all was read: the next search goes on with it. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Some may have been added. */
  added(): void {
    this.#isMore = true;
  }

  /** What is known may be another now: all is read anew. */
  forget(): void {
    this.#lines.clear();
    this.#waiting.clear();
    this.#leftOut.clear();
    this.#doubtful = [];
    this.#readTo = 0;
    this.#isMore = true;
    this.#isBehind = false;
  }

  /** An attempt has ended. A replay that came before the first attempt, and failed, leaves that to be made. */
  ended({ id, replay }: Pick<DueDelivery, 'id' | 'replay'>): void {
    if (this.#leftOut.delete(id) || replay) this.#doubtful.push(id);
  }

  /** Subscriptions with something left to try. */
  waiting(): readonly WaitingSubscription[] {
    if (this.#doubtful.splice(0).some((id) => this.#parts.store.isFirst(id))) this.forget();
    if (this.#isMore) this.#readOn();
    return [...this.#waiting];
  }

  /** Takes the next delivery of a subscription; `undefined`: none is left. */
  take(subscriptionId: number): number | undefined {
    const line = this.#lines.get(subscriptionId);
    if (line === undefined) return undefined;
    while (line.ids.length === 0 && line.isCut) this.#refill(line);
    const id = line.ids.shift();
    if (line.ids.length === 0 && !line.isCut) this.#waiting.delete(line);
    return id;
  }

  /** A subscription gets nothing any more. */
  remove(subscriptionId: number): void {
    const line = this.#lines.get(subscriptionId);
    if (line !== undefined) this.#waiting.delete(line);
    this.#lines.delete(subscriptionId);
  }

  #readOn(): void {
    const { store } = this.#parts;
    const found = store.firstBehind(this.#readTo, READ_MAX);
    for (const { id, subscriptionId } of found) {
      this.#readTo = id;
      const line = this.#lines.get(subscriptionId) ?? this.#begin(subscriptionId);
      if (line !== undefined) this.#append(line, id);
    }
    this.#isMore = this.#isBehind = found.length === READ_MAX;
  }

  /** `undefined` where the subscription is deleted. */
  #begin(subscriptionId: number): Line | undefined {
    const active = this.#parts.store.findActive(subscriptionId);
    if (active === undefined) return undefined;
    const line: Line = { ...active, ids: [], last: 0, isCut: false };
    this.#lines.set(subscriptionId, line);
    return line;
  }

  #append(line: Line, id: number): void {
    if (id <= line.last || line.isCut) return;
    if (line.ids.length === KEPT_MAX) line.isCut = true;
    else this.#put(line, id);
  }

  #refill(line: Line): void {
    const ids = this.#parts.store.firstOf(line.id, line.last, KEPT_MAX);
    for (const id of ids) this.#put(line, id);
    line.isCut = ids.length === KEPT_MAX;
  }

  #put(line: Line, id: number): void {
    line.last = id;
    if (this.#parts.isInFlight(id)) this.#leftOut.add(id);
    else {
      line.ids.push(id);
      this.#waiting.add(line);
    }
  }
}
