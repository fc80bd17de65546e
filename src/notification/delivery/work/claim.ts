/** What to start now: receivers take turns, one delivery each, first attempts before repeats (contract section 10). */
import type { EpochMs } from '../../../clock.ts';
import { type DeliveryStore, type Turn, TURNS, type WaitingSubscription } from './delivery-store.ts';
import type { FirstAttempts } from './first-attempts.ts';
import type { Slots } from './slots.ts';

export interface ClaimParts {
  readonly store: DeliveryStore;
  readonly first: FirstAttempts;
  readonly slots: Slots;
  readonly slotKey: (endpoint: string) => string;
  readonly isInFlight: (deliveryId: number) => boolean;
  /** Takes the slot and starts the attempt; `false` when there was nothing to start. */
  readonly start: (deliveryId: number, receiver: string) => boolean;
}

/** Starts every due delivery that the slots admit; returns how many. */
export function startDue(parts: ClaimParts, now: EpochMs): number {
  let started = 0;
  parts.slots.recount(parts.slotKey);
  for (const turn of TURNS) {
    if (!parts.slots.hasRoom) break;
    let queues = queuesOf(turn, parts, now);
    while (queues.length > 0) {
      queues = queues.filter((queue) => startNext(queue, parts));
      started += queues.length;
    }
  }
  return started;
}

interface Queue extends WaitingSubscription {
  /** The next delivery, if there is any more. */
  readonly next: () => number | undefined;
}

function queuesOf(turn: Turn, parts: ClaimParts, now: EpochMs): readonly Queue[] {
  const { store, first, slots } = parts;
  const waiting = turn === 'first' ? first.waiting(now) : store.waiting(turn, now);
  return waiting
    .toSorted((a, b) => slots.compare(a.id, b.id))
    .map(({ id, endpoint }) => ({ id, endpoint, next: nextOf(turn, id, parts, now) }));
}

function nextOf(turn: Turn, subscriptionId: number, parts: ClaimParts, now: EpochMs): Queue['next'] {
  const { first, slots } = parts;
  if (turn === 'first') return () => first.take(subscriptionId, slots.held(subscriptionId), now);
  const repeats = dueRepeats(subscriptionId, parts, now);
  return () => repeats.next().value ?? undefined;
}

/** Read from the store only when a slot is free for them. */
function* dueRepeats(
  subscriptionId: number,
  { store, slots, isInFlight }: ClaimParts,
  now: EpochMs,
): Generator<number> {
  // At most as many of the first ones are in flight as the subscription holds slots. While others wait too most get one.
  const held = slots.held(subscriptionId);
  for (const further of [1, slots.perReceiver]) {
    const heads = store.heads('repeat', subscriptionId, now, held + further);
    yield* heads.filter((id) => !isInFlight(id));
    if (heads.length < held + further) return;
  }
}

function startNext({ id, endpoint, next }: Queue, { slots, slotKey, start }: ClaimParts): boolean {
  if (!slots.hasRoomFor(id)) return false;
  const receiver = slotKey(endpoint);
  if (!slots.admits(id, receiver)) return false;
  const delivery = next();
  return delivery !== undefined && start(delivery, receiver);
}
