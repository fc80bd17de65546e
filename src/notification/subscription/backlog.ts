/**
 * Cancels what a deleted subscription has not got yet, in small transactions: it may be a million deliveries. Nothing of it
 * is sent from the commit of the deletion on (contract section 10), since the worker asks for active subscriptions only.
 */
import type { Transaction, Writer } from '../../db/writer.ts';
import type { SubscriptionStore } from './store.ts';

/** One transaction cancels at most so many, so that requests get their turn in between. */
export const CANCEL_SLICE = 500;

export class Backlog {
  readonly #store: SubscriptionStore;
  readonly #writer: Writer;
  #isWanted = false;
  #isAtWork = false;

  constructor(store: SubscriptionStore, writer: Writer) {
    this.#store = store;
    this.#writer = writer;
  }

  /** Cancels the first of a subscription, in the transaction of its deletion; the rest follows. */
  begin(tx: Transaction, id: number): void {
    if (!this.#cancelSome(tx, id)) tx.afterCommit(() => this.#wake());
  }

  /** Cancels everything that is left of any deleted subscription. */
  async runOnce(): Promise<{ readonly subscriptions: number }> {
    let subscriptions = 0;
    // Most often there is nothing, which is a look-up.
    while (this.#store.findCancelling() !== undefined) {
      const isDone = await this.#writer.write((tx) => {
        const id = this.#store.findCancelling();
        return id === undefined ? undefined : this.#cancelSome(tx, id);
      });
      if (isDone === true) subscriptions += 1;
    }
    return { subscriptions };
  }

  /** `true` when nothing is left of it. */
  #cancelSome(tx: Transaction, id: number): boolean {
    if (this.#store.cancelSome(id, tx.now, CANCEL_SLICE) === CANCEL_SLICE) return false;
    this.#store.markCancelled(id);
    return true;
  }

  #wake(): void {
    this.#isWanted = true;
    if (!this.#isAtWork) void this.#workOff();
  }

  async #workOff(): Promise<void> {
    this.#isAtWork = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.runOnce();
      }
    } catch {
      // The storage refused, or the process ends: the writer has said so, and the hourly job and each start go on with it.
    } finally {
      this.#isAtWork = false;
    }
  }
}
