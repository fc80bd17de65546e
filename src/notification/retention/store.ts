/** Removes expired rows in slices. */
import { type EpochMs, HOUR_MS } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';

export class RetentionStore extends Store {
  /** Removes at most `limit` failures from before `before`. Returns their number. */
  readonly deleteFailures = this.changes<[before: EpochMs, limit: number]>(
    `DELETE FROM delivery_failure WHERE id IN (SELECT id FROM delivery_failure WHERE failed_at < ? LIMIT ?)`,
  );
  /** Removes finished deliveries with their attempts, in the same way. */
  readonly deleteDeliveries = this.changes<[before: EpochMs, limit: number]>(
    `DELETE FROM delivery WHERE id IN (
     SELECT id FROM delivery WHERE finished_at < ? AND state <> 'pending' LIMIT ?)`,
  );
  /** Removes events without deliveries, in the same way. */
  readonly deleteEvents = this.changes<[before: EpochMs, limit: number]>(
    `DELETE FROM event WHERE id IN (
     SELECT e.id FROM event e WHERE e.published_at < ?
       AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id) LIMIT ?)`,
  );
  /** Removes the hourly counts of attempts, in the same way. */
  readonly deleteHours = this.changes(
    `DELETE FROM delivery_hour WHERE (hour, subscription_id, company) IN (
     SELECT hour, subscription_id, company FROM delivery_hour WHERE hour < ? LIMIT ?)`,
    (before: EpochMs, limit: number) => [Math.floor(before / HOUR_MS), limit],
  );
}
