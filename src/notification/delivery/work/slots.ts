/** Limits concurrent sends, so that one slow or dead receiver never delays another (contract section 10). */

export interface SlotLimits {
  /** Concurrent sends to all receivers together (`entrega.simultaneas`). */
  readonly total: number;
  /** Concurrent sends per dialled address and port (`entrega.porReceptor`). */
  readonly perReceiver: number;
}

export interface DeliverySlot {
  /** Releases the slot. */
  release(): void;
}

/** The maximum duration of a subscription's last successful attempt that makes the subscription prompt. */
export const PROMPT_MS = 1000;

/**
 * Slots under the two limits. Prompt subscriptions may use every slot. The other subscriptions, which may
 * hold a slot until the deadline, share half of the slots. One of these that already holds a slot gets
 * another only while they together hold less than a quarter of all slots. So dead receivers never take a slot
 * from a prompt subscription, and seldom one from a new subscription.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #held = new Set<HeldSlot>();
  readonly #ofReceiver = new Map<string, Load>();
  readonly #ofSubscription = new Map<number, number>();
  readonly #prompt = new Set<number>();
  /** The sequence number of the last slot that each subscription took. It is a count, not a time. */
  readonly #turnOf = new Map<number, number>();
  #heldByOthers = 0;
  #lastTurn = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get hasRoom(): boolean {
    return this.#held.size < this.#limits.total;
  }

  get perReceiver(): number {
    return this.#limits.perReceiver;
  }

  countHeldBy(subscriptionId: number): number {
    return this.#ofSubscription.get(subscriptionId) ?? 0;
  }

  /** Returns true when the total limit leaves a slot for this subscription. */
  hasRoomFor(subscriptionId: number): boolean {
    const { total } = this.#limits;
    if (!this.hasRoom || this.#prompt.has(subscriptionId)) return this.hasRoom;
    const share = this.countHeldBy(subscriptionId) === 0 ? half(total) : half(half(total));
    return this.#heldByOthers < share;
  }

  admits(subscriptionId: number, receiver: string): boolean {
    const { perReceiver } = this.#limits;
    const load = this.#ofReceiver.get(receiver) ?? NO_LOAD;
    const isReceiverOpen =
      load.held < perReceiver && (this.#prompt.has(subscriptionId) || load.heldByOthers < half(perReceiver));
    return isReceiverOpen && this.hasRoomFor(subscriptionId);
  }

  take(subscriptionId: number, endpoint: string, receiver: string): DeliverySlot {
    const held: HeldSlot = { subscriptionId, endpoint, isPrompt: this.#prompt.has(subscriptionId), receiver };
    this.#held.add(held);
    this.#count(held, 1);
    this.#turnOf.set(subscriptionId, ++this.#lastTurn);
    return {
      release: () => {
        this.#held.delete(held);
        this.#count(held, -1);
      },
    };
  }

  /**
   * Counts the held slots by their current keys. A key changes from the name to an address, or to another
   * address, when the name has been dialled.
   */
  recount(slotKey: (endpoint: string) => string): void {
    this.#ofReceiver.clear();
    for (const held of this.#held) {
      held.receiver = slotKey(held.endpoint);
      this.#countReceiver(held, 1);
    }
  }

  /** Records the result of a subscription's latest attempt. */
  recordAttempt(subscriptionId: number, attempt: { readonly delivered: boolean; readonly ms: number }): void {
    if (attempt.delivered && attempt.ms <= PROMPT_MS) this.#prompt.add(subscriptionId);
    else this.#prompt.delete(subscriptionId);
  }

  /** Forgets a deleted subscription. */
  forget(subscriptionId: number): void {
    this.#prompt.delete(subscriptionId);
    this.#turnOf.delete(subscriptionId);
  }

  /**
   * Compares subscriptions for their turn: fewer held slots first, then the longest time since the last slot.
   */
  compare(a: number, b: number): number {
    const byHeld = this.countHeldBy(a) - this.countHeldBy(b);
    return byHeld === 0 ? (this.#turnOf.get(a) ?? 0) - (this.#turnOf.get(b) ?? 0) : byHeld;
  }

  #count(held: HeldSlot, by: 1 | -1): void {
    const { subscriptionId, isPrompt } = held;
    const ofSubscription = this.countHeldBy(subscriptionId) + by;
    if (ofSubscription === 0) this.#ofSubscription.delete(subscriptionId);
    else this.#ofSubscription.set(subscriptionId, ofSubscription);
    if (!isPrompt) this.#heldByOthers += by;
    this.#countReceiver(held, by);
  }

  #countReceiver({ receiver, isPrompt }: HeldSlot, by: 1 | -1): void {
    const before = this.#ofReceiver.get(receiver) ?? NO_LOAD;
    const load = { held: before.held + by, heldByOthers: before.heldByOthers + (isPrompt ? 0 : by) };
    if (load.held === 0) this.#ofReceiver.delete(receiver);
    else this.#ofReceiver.set(receiver, load);
  }
}

interface HeldSlot {
  readonly subscriptionId: number;
  readonly endpoint: string;
  /** True when its subscription was prompt at the time of taking the slot. */
  readonly isPrompt: boolean;
  receiver: string;
}

interface Load {
  readonly held: number;
  /** Number of slots in `held` whose subscriptions are not prompt. */
  readonly heldByOthers: number;
}

const NO_LOAD: Load = { held: 0, heldByOthers: 0 };

/** Returns half, at least 1: a single slot must serve all subscriptions. */
const half = (slots: number): number => Math.max(1, Math.floor(slots / 2));
