/** Removes expired rows in slices. */
import { type EpochMs, HOUR_MS } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';

export class RetentionStore extends Store {
  readonly #failures = this.db.prepare<[EpochMs, number]>(
    `DELETE FROM delivery_failure WHERE id IN (SELECT id FROM delivery_failure WHERE failed_at < ? LIMIT ?)`,
  );
  readonly #deliveries = this.db.prepare<[EpochMs, number]>(
    `DELETE FROM delivery WHERE id IN (
     SELECT id FROM delivery WHERE finished_at < ? AND state <> 'pending' LIMIT ?)`,
  );
  readonly #events = this.db.prepare<[EpochMs, number]>(
    `DELETE FROM event WHERE id IN (
     SELECT e.id FROM event e WHERE e.published_at < ?
       AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id) LIMIT ?)`,
  );
  readonly #hours = this.db.prepare<[number, number]>(
    `DELETE FROM delivery_hour WHERE (hour, subscription_id, company) IN (
     SELECT hour, subscription_id, company FROM delivery_hour WHERE hour < ? LIMIT ?)`,
  );

  /** Removes at most `limit` failures from before `before`. Returns their number. */
  deleteFailures(before: EpochMs, limit: number): number {
    return this.#failures.run(before, limit).changes;
  }

  /** Removes finished deliveries with their attempts, in the same way. */
  deleteDeliveries(before: EpochMs, limit: number): number {
    return this.#deliveries.run(before, limit).changes;
  }

  /** Removes events without deliveries, in the same way. */
  deleteEvents(before: EpochMs, limit: number): number {
    return this.#events.run(before, limit).changes;
  }

  /** Removes the hourly counts of attempts, in the same way. */
  deleteHours(before: EpochMs, limit: number): number {
    return this.#hours.run(Math.floor(before / HOUR_MS), limit).changes;
  }
}
