/** Deletes subscriptions that have had only errors for 30 days (contract section 10). */
import type { Clock } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { SYSTEM } from '../../session/model.ts';
import type { SubscriptionService } from '../subscription/service.ts';
import { DELINQUENCY_REASON, DELINQUENT_AFTER_MS, isDelinquent } from './model.ts';
import type { DelinquencyStore } from './store.ts';

export interface DelinquencyParts {
  readonly store: DelinquencyStore;
  readonly subscriptions: Pick<SubscriptionService, 'end'>;
  readonly writer: Writer;
  readonly clock: Clock;
}

export interface DelinquencyResult {
  readonly checked: number;
  readonly deleted: number;
}

export class Delinquency {
  readonly #parts: DelinquencyParts;

  constructor(parts: DelinquencyParts) {
    this.#parts = parts;
  }

  /**
   * Deletes the subscription when it is delinquent. Runs with every failure, in its transaction.
   * Returns `true` when it deleted the subscription.
   */
  deleteIfDelinquent(transaction: Transaction, subscriptionId: number): boolean {
    const { store, subscriptions } = this.#parts;
    const failing = store.findFailing(subscriptionId, transaction.now);
    if (failing === undefined || !isDelinquent(failing, transaction.now)) return false;
    subscriptions.end(transaction, subscriptionId, DELINQUENCY_REASON, SYSTEM);
    return true;
  }

  /** Checks every subscription whose 30 days are over. The 30 days may end hours after the latest failure. */
  async runOnce(): Promise<DelinquencyResult> {
    const { store, writer, clock } = this.#parts;
    const candidates = store.listFailingSince(clock.now() - DELINQUENT_AFTER_MS);
    let deleted = 0;
    for (const id of candidates) {
      const isDeleted = await writer.write((transaction) => this.deleteIfDelinquent(transaction, id));
      if (isDeleted) deleted += 1;
    }
    return { checked: candidates.length, deleted };
  }
}
