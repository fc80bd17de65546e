/**
 * First attempts that wait, read ahead: the end of an attempt frees a slot for the next one, and a search among fifty
 * receivers at each of them took a fifth of the CPU of a delivery. The table stays the truth: what is remembered is an
 * order of ids, each is read again before it is tried, and a list that has come to its end is read anew.
 */
import type { EpochMs } from '../../../clock.ts';
import type { DeliveryStore, WaitingSubscription } from './delivery-store.ts';

/** So many are read at once of each subscription, beside those that are in flight. */
const READ_AHEAD = 64;

interface Ahead {
  /** The next one is the last of them. */
  readonly ids: number[];
  /** Whether nothing more waits behind them, as far as is known. */
  isAll: boolean;
}

export interface FirstAttemptsParts {
  readonly store: Pick<DeliveryStore, 'waiting' | 'heads'>;
  readonly isInFlight: (deliveryId: number) => boolean;
}

export class FirstAttempts {
  readonly #parts: FirstAttemptsParts;
  readonly #ahead = new Map<number, Ahead>();
  /** Those with something left to try; `undefined`: to be read. */
  #waiting: Map<number, WaitingSubscription> | undefined;

  constructor(parts: FirstAttemptsParts) {
    this.#parts = parts;
  }

  /** Something may have been added behind what is known, or a subscription has changed or is gone. */
  added(): void {
    this.#waiting = undefined;
  }

  /** Anything may be another now. */
  forget(): void {
    this.#waiting = undefined;
    this.#ahead.clear();
  }

  /** Active subscriptions with something left to try. */
  waiting(now: EpochMs): readonly WaitingSubscription[] {
    this.#waiting ??= this.#readWaiting(now);
    return [...this.#waiting.values()];
  }

  /** Takes the next delivery of a subscription of which so many are in flight; `undefined`: none is left. */
  take(subscriptionId: number, inFlight: number, now: EpochMs): number | undefined {
    let ahead = this.#ahead.get(subscriptionId);
    if (ahead === undefined || (ahead.ids.length === 0 && !ahead.isAll)) {
      ahead = this.#read(subscriptionId, inFlight, now);
      this.#ahead.set(subscriptionId, ahead);
    }
    const id = ahead.ids.pop();
    if (id === undefined) this.#remove(subscriptionId);
    return id;
  }

  #readWaiting(now: EpochMs): Map<number, WaitingSubscription> {
    const waiting = new Map(this.#parts.store.waiting('first', now).map((found) => [found.id, found]));
    for (const [id, ahead] of this.#ahead) {
      if (waiting.has(id)) ahead.isAll = false;
      else this.#ahead.delete(id);
    }
    return waiting;
  }

  #read(subscriptionId: number, inFlight: number, now: EpochMs): Ahead {
    const { store, isInFlight } = this.#parts;
    const limit = inFlight + READ_AHEAD;
    const heads = store.heads('first', subscriptionId, now, limit);
    return { ids: heads.filter((id) => !isInFlight(id)).toReversed(), isAll: heads.length < limit };
  }

  #remove(subscriptionId: number): void {
    this.#waiting?.delete(subscriptionId);
    this.#ahead.delete(subscriptionId);
  }
}
