/**
 * Selects what to start now: receivers take turns, one delivery each, first attempts before repeats (contract
 * section 10).
 */
import type { EpochMs } from '../../../clock.ts';
import type { DeliveryStore, WaitingSubscription } from './delivery-store.ts';
import type { FirstAttempts } from './first-attempts.ts';
import type { Slots } from './slots.ts';

export interface ClaimParts {
  readonly store: DeliveryStore;
  readonly first: FirstAttempts;
  readonly slots: Slots;
  readonly slotKey: (endpoint: string) => string;
  readonly isInFlight: (deliveryId: number) => boolean;
  /** Takes the slot and starts the attempt. Returns `false` when the delivery needs no attempt. */
  readonly start: (deliveryId: number, receiver: string) => boolean;
}

/** Starts every due delivery that the slots admit. Returns their number. */
export function startDue(parts: ClaimParts, now: EpochMs): number {
  let started = 0;
  parts.slots.recount(parts.slotKey);
  for (const queuesOf of [firstQueues, repeatQueues]) {
    if (!parts.slots.hasRoom) break;
    let queues = queuesOf(parts, now).toSorted((a, b) => parts.slots.compare(a.id, b.id));
    while (queues.length > 0) {
      queues = queues.filter((queue) => startNext(queue, parts));
      started += queues.length;
    }
  }
  return started;
}

interface Queue extends WaitingSubscription {
  /** Takes the next delivery; `undefined`: no delivery is due. */
  readonly next: () => number | undefined;
}

const firstQueues = ({ first }: ClaimParts): Queue[] =>
  first.waiting().map(({ id, endpoint }) => ({ id, endpoint, next: () => first.take(id) }));

const repeatQueues = (parts: ClaimParts, now: EpochMs): Queue[] =>
  parts.store.withRepeats(now).map(({ id, endpoint }) => {
    const repeats = dueRepeats(id, parts, now);
    return { id, endpoint, next: () => repeats.next().value ?? undefined };
  });

/** Yields due repeats. Reads them only when a slot is free. */
function* dueRepeats(
  subscriptionId: number,
  { store, slots, isInFlight }: ClaimParts,
  now: EpochMs,
): Generator<number> {
  // A subscription with n slots has at most n repeats in flight, so the first n + 1 repeats contain one to
  // start. One start is mostly enough while other subscriptions wait for their turn.
  const heldSlots = slots.countHeldBy(subscriptionId);
  for (const extra of [1, slots.perReceiver]) {
    const repeats = store.repeatsOf(subscriptionId, now, heldSlots + extra);
    yield* repeats.filter((id) => !isInFlight(id));
    if (repeats.length < heldSlots + extra) return;
  }
}

function startNext({ id, endpoint, next }: Queue, { slots, slotKey, start }: ClaimParts): boolean {
  if (!slots.hasRoomFor(id)) return false;
  const receiver = slotKey(endpoint);
  if (!slots.admits(id, receiver)) return false;
  const delivery = next();
  return delivery !== undefined && start(delivery, receiver);
}
