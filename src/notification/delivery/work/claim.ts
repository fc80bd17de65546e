/** What to start now: receivers take turns, one delivery each, first attempts before repeats (contract section 10). */
import type { EpochMs } from '../../../clock.ts';
import { type DeliveryStore, type Turn, TURNS } from './delivery-store.ts';
import type { Slots } from './slots.ts';

export interface ClaimParts {
  readonly store: DeliveryStore;
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

interface Queue {
  readonly subscriptionId: number;
  readonly endpoint: string;
  readonly deliveries: Iterator<number>;
}

function queuesOf(turn: Turn, { store, slots, isInFlight }: ClaimParts, now: EpochMs): readonly Queue[] {
  return store
    .waiting(turn, now)
    .toSorted((a, b) => slots.compare(a.id, b.id))
    .map(({ id, endpoint }) => ({
      subscriptionId: id,
      endpoint,
      deliveries: notInFlight(turn, id, { store, slots, isInFlight }, now),
    }));
}

/** Read from the store only when a slot is free for them. */
function* notInFlight(
  turn: Turn,
  subscriptionId: number,
  { store, slots, isInFlight }: Pick<ClaimParts, 'store' | 'slots' | 'isInFlight'>,
  now: EpochMs,
): Generator<number> {
  // At most as many of the first ones are in flight as the subscription holds slots. While others wait too most get one.
  const held = slots.held(subscriptionId);
  for (const further of [1, slots.perReceiver]) {
    const heads = store.heads(turn, subscriptionId, now, held + further);
    yield* heads.filter((id) => !isInFlight(id));
    if (heads.length < held + further) return;
  }
}

function startNext(queue: Queue, { slots, slotKey, start }: ClaimParts): boolean {
  if (!slots.hasRoomFor(queue.subscriptionId)) return false;
  const receiver = slotKey(queue.endpoint);
  if (!slots.admits(queue.subscriptionId, receiver)) return false;
  const next = queue.deliveries.next();
  return next.done !== true && start(next.value, receiver);
}
