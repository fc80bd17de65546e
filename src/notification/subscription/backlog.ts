/**
 * Cancels the pending deliveries of a deleted subscription in small transactions: they may be a million.
 * After the commit of the deletion none of them is sent (contract section 10), since the worker selects
 * active subscriptions only.
 */
import type { Transaction, Writer } from '../../db/writer.ts';
import type { SubscriptionStore } from './store.ts';

/** Limit of deliveries that one transaction cancels, so that requests run in between. */
export const CANCEL_SLICE = 500;

export class PendingCancellation {
  readonly #store: SubscriptionStore;
  readonly #writer: Writer;
  #isRequested = false;
  #isAtWork = false;

  constructor(store: SubscriptionStore, writer: Writer) {
    this.#store = store;
    this.#writer = writer;
  }

  /** Cancels the first slice of a subscription, in the transaction of its deletion. The rest follows. */
  begin(tx: Transaction, id: number): void {
    if (!this.#cancelSome(tx, id)) tx.afterCommit(() => this.#wake());
  }

  /** Cancels all pending deliveries of deleted subscriptions. */
  async runOnce(): Promise<{ readonly subscriptions: number }> {
    let subscriptions = 0;
    // This look-up avoids a transaction: mostly no delivery is pending.
    while (this.#store.findCancelling() !== undefined) {
      const isDone = await this.#writer.write((tx) => {
        const id = this.#store.findCancelling();
        return id === undefined ? undefined : this.#cancelSome(tx, id);
      });
      if (isDone === true) subscriptions += 1;
    }
    return { subscriptions };
  }

  /** Cancels one slice. Returns `true` when no pending delivery is left. */
  #cancelSome(tx: Transaction, id: number): boolean {
    if (this.#store.cancelSome(id, tx.now, CANCEL_SLICE) === CANCEL_SLICE) return false;
    this.#store.markCancelled(id);
    return true;
  }

  #wake(): void {
    this.#isRequested = true;
    if (!this.#isAtWork) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isAtWork = true;
    try {
      while (this.#isRequested) {
        this.#isRequested = false;
        await this.runOnce();
      }
    } catch {
      // The storage refused the write, or the process ends. The writer has logged it. The hourly job and each
      // start continue the cancellation.
    } finally {
      this.#isAtWork = false;
    }
  }
}
