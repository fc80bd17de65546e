/**
 * Queues of waiting first attempts, one per subscription. Attempts are made in the order of their ids, so the
 * store is read on from the last known id: the end of an attempt, which frees a slot for the next one, needs
 * no query. The table is the truth: a queue holds only ids, and each is read again before its attempt.
 */
import type { DeliveryStore, DueDelivery, WaitingSubscription } from './delivery-store.ts';

/** The most ids kept per subscription. The following ones are read when these are taken. */
const KEPT_MAX = 64;

/** The most ids read at once. This takes some ms, and then other work may run. */
const READ_MAX = 2000;

interface Line extends WaitingSubscription {
  readonly ids: number[];
  /** The highest id that was ever in it. */
  last: number;
  /** Is true when more ids may wait after `last`. */
  isCut: boolean;
}

export interface FirstAttemptsParts {
  readonly store: Pick<DeliveryStore, 'firstBehind' | 'firstOf' | 'findActive' | 'isFirst'>;
  readonly isInFlight: (deliveryId: number) => boolean;
}

export class FirstAttempts {
  readonly #parts: FirstAttemptsParts;
  readonly #lines = new Map<number, Line>();
  /** Queues that are not exhausted. */
  readonly #waiting = new Set<Line>();
  /** Ids that were in flight when they were read. */
  readonly #leftOut = new Set<number>();
  /** Ids whose attempt ended, and that may still need a first attempt. */
  #doubtful: number[] = [];
  #readTo = 0;
  /** Is true when the store may hold unread ids. */
  #isMore = true;
  #isBehind = false;

  constructor(parts: FirstAttemptsParts) {
    this.#parts = parts;
  }

  /** Returns true when the last read was cut short. The next search continues it. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Records that deliveries may have been added. */
  added(): void {
    this.#isMore = true;
  }

  /** Discards the cached queues: all is read again. */
  forget(): void {
    this.#lines.clear();
    this.#waiting.clear();
    this.#leftOut.clear();
    this.#doubtful = [];
    this.#readTo = 0;
    this.#isMore = true;
    this.#isBehind = false;
  }

  /** Handles the end of an attempt. A failed replay before the first attempt leaves the first attempt due. */
  ended({ id, replay }: Pick<DueDelivery, 'id' | 'replay'>): void {
    if (this.#leftOut.delete(id) || replay) this.#doubtful.push(id);
  }

  /** Returns the subscriptions with untried deliveries. */
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

  /** Removes a subscription that receives nothing any more. */
  remove(subscriptionId: number): void {
    const line = this.#lines.get(subscriptionId);
    if (line !== undefined) this.#waiting.delete(line);
    this.#lines.delete(subscriptionId);
  }

  #readOn(): void {
    const { store } = this.#parts;
    const deliveries = store.firstBehind(this.#readTo, READ_MAX);
    for (const { id, subscriptionId } of deliveries) {
      this.#readTo = id;
      const line = this.#lines.get(subscriptionId) ?? this.#begin(subscriptionId);
      if (line !== undefined) this.#append(line, id);
    }
    this.#isMore = this.#isBehind = deliveries.length === READ_MAX;
  }

  /** Creates the queue of a subscription; `undefined`: the subscription is deleted. */
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
