/** Deletes subscriptions that have had only errors for 30 days (contract section 10). */
import type { Clock } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { SYSTEM } from '../../session/model.ts';
import type { SubscriptionService } from '../subscription/service.ts';
import { DELINQUENCY_REASON, DELINQUENT_AFTER_MS, isDelinquent } from './model.ts';
import type { DelinquencyStore } from './store.ts';

export interface DelinquencyResult {
  readonly checked: number;
  readonly deleted: number;
}

export class Delinquency {
  readonly #store: DelinquencyStore;
  readonly #subscriptions: Pick<SubscriptionService, 'end'>;
  readonly #writer: Writer;
  readonly #clock: Clock;

  constructor(
    store: DelinquencyStore,
    subscriptions: Pick<SubscriptionService, 'end'>,
    writer: Writer,
    clock: Clock,
  ) {
    this.#store = store;
    this.#subscriptions = subscriptions;
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Deletes the subscription when it is delinquent. Runs with every failure, in its transaction.
   * Returns `true` when it deleted the subscription.
   */
  deleteIfDelinquent(transaction: Transaction, subscriptionId: number): boolean {
    const failing = this.#store.findFailing(subscriptionId, transaction.now);
    if (failing === undefined || !isDelinquent(failing, transaction.now)) return false;
    this.#subscriptions.end(transaction, subscriptionId, DELINQUENCY_REASON, SYSTEM);
    return true;
  }

  /** Checks every subscription whose 30 days are over. The 30 days may end hours after the latest failure. */
  async runOnce(): Promise<DelinquencyResult> {
    const candidates = this.#store.listFailingSince(this.#clock.now() - DELINQUENT_AFTER_MS);
    let deleted = 0;
    for (const id of candidates) {
      const isDeleted = await this.#writer.write((transaction) => this.deleteIfDelinquent(transaction, id));
      if (isDeleted) deleted += 1;
    }
    return { checked: candidates.length, deleted };
  }
}
