/**
 * Queues of waiting first attempts, one per subscription. Attempts are made in the order of their ids, so
 * each read of the store continues after the last id that was read. The end of an attempt, which frees a slot
 * for the next one, needs no query. A queue holds only ids: the row of a delivery is read again before each
 * attempt.
 */
import type { DeliveryStore, DueDelivery, WaitingSubscription } from './delivery-store.ts';

/** Limit of ids in a queue. The following ones are read when these are taken. */
const QUEUE_MAX = 64;

/** Limit of ids read at once. This takes some ms, and then other work may run. */
const READ_MAX = 2000;

interface SubscriptionQueue extends WaitingSubscription {
  readonly ids: number[];
  /** The highest id that was ever in the queue. */
  last: number;
  /** True when more ids may wait after `last`. */
  isCut: boolean;
}

export class FirstAttempts {
  readonly #store: Pick<DeliveryStore, 'firstAfter' | 'firstOf' | 'findActive' | 'isFirst'>;
  readonly #isInFlight: (deliveryId: number) => boolean;
  readonly #queues = new Map<number, SubscriptionQueue>();
  /** Queues that are not exhausted. */
  readonly #waiting = new Set<SubscriptionQueue>();
  /** Ids that were in flight when they were read. */
  readonly #skippedInFlight = new Set<number>();
  /** Ids whose attempt ended and that may still be waiting for their first attempt. */
  #toRecheck: number[] = [];
  #readTo = 0;
  /** True when the store may hold unread ids. */
  #hasUnread = true;
  #hasUnreadRest = false;

  constructor(
    store: Pick<DeliveryStore, 'firstAfter' | 'firstOf' | 'findActive' | 'isFirst'>,
    isInFlight: (deliveryId: number) => boolean,
  ) {
    this.#store = store;
    this.#isInFlight = isInFlight;
  }

  /** Returns true when the last read was cut short. The next search continues it. */
  get hasUnreadRest(): boolean {
    return this.#hasUnreadRest;
  }

  /** Records that deliveries may have been added. */
  added(): void {
    this.#hasUnread = true;
  }

  /** Discards the cached queues: all ids are read again. */
  forget(): void {
    this.#queues.clear();
    this.#waiting.clear();
    this.#skippedInFlight.clear();
    this.#toRecheck = [];
    this.#readTo = 0;
    this.#hasUnread = true;
    this.#hasUnreadRest = false;
  }

  /** Handles the end of an attempt. A failed replay before the first attempt leaves the first attempt due. */
  ended({ id, replay }: Pick<DueDelivery, 'id' | 'replay'>): void {
    if (this.#skippedInFlight.delete(id) || replay) this.#toRecheck.push(id);
  }

  /** Returns the subscriptions with untried deliveries. */
  waiting(): readonly WaitingSubscription[] {
    if (this.#toRecheck.splice(0).some((id) => this.#store.isFirst(id))) this.forget();
    if (this.#hasUnread) this.#readOn();
    return [...this.#waiting];
  }

  /** Takes the next delivery of a subscription; `undefined`: the queue is empty. */
  take(subscriptionId: number): number | undefined {
    const queue = this.#queues.get(subscriptionId);
    if (queue === undefined) return undefined;
    while (queue.ids.length === 0 && queue.isCut) this.#refill(queue);
    const id = queue.ids.shift();
    if (queue.ids.length === 0 && !queue.isCut) this.#waiting.delete(queue);
    return id;
  }

  /** Removes a subscription to which no deliveries are sent any more. */
  remove(subscriptionId: number): void {
    const queue = this.#queues.get(subscriptionId);
    if (queue !== undefined) this.#waiting.delete(queue);
    this.#queues.delete(subscriptionId);
  }

  #readOn(): void {
    const deliveries = this.#store.firstAfter(this.#readTo, READ_MAX);
    for (const { id, subscriptionId } of deliveries) {
      this.#readTo = id;
      const queue = this.#queues.get(subscriptionId) ?? this.#begin(subscriptionId);
      if (queue !== undefined) this.#append(queue, id);
    }
    this.#hasUnread = this.#hasUnreadRest = deliveries.length === READ_MAX;
  }

  /** Creates the queue of a subscription; `undefined`: the subscription is deleted. */
  #begin(subscriptionId: number): SubscriptionQueue | undefined {
    const active = this.#store.findActive(subscriptionId);
    if (active === undefined) return undefined;
    const queue: SubscriptionQueue = { ...active, ids: [], last: 0, isCut: false };
    this.#queues.set(subscriptionId, queue);
    return queue;
  }

  #append(queue: SubscriptionQueue, id: number): void {
    if (id <= queue.last || queue.isCut) return;
    if (queue.ids.length === QUEUE_MAX) queue.isCut = true;
    else this.#put(queue, id);
  }

  #refill(queue: SubscriptionQueue): void {
    const ids = this.#store.firstOf(queue.id, queue.last, QUEUE_MAX);
    for (const id of ids) this.#put(queue, id);
    queue.isCut = ids.length === QUEUE_MAX;
  }

  #put(queue: SubscriptionQueue, id: number): void {
    queue.last = id;
    if (this.#isInFlight(id)) this.#skippedInFlight.add(id);
    else {
      queue.ids.push(id);
      this.#waiting.add(queue);
    }
  }
}
