/** Reads the subscriptions that only fail. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { FailingSubscription } from './model.ts';

/**
 * Selects the latest failure from the failure log. The log keeps it far longer than the rule needs. The query
 * takes the maximum, because after the clock was set back the last inserted row may be an earlier failure.
 */
const LAST_FAILURE = `(SELECT max(f.failed_at) FROM delivery_failure f
  WHERE f.subscription_id = s.id AND f.failed_at <= @now)`;

export class DelinquencyStore extends Store {
  readonly #find = this.one<[{ id: number; now: EpochMs }], FailingSubscription>(
    `SELECT s.failing_since AS failingSince, ${LAST_FAILURE} AS lastFailureAt FROM subscription s
     WHERE s.id = @id AND s.deleted_at IS NULL AND s.failing_since IS NOT NULL`,
  );
  /** Returns the active subscriptions that have been failing since `instant` or longer. */
  readonly listFailingSince = this.values<[instant: EpochMs], number>(
    'SELECT id FROM subscription WHERE deleted_at IS NULL AND failing_since <= ? ORDER BY failing_since, id',
  );

  /** Returns `undefined` when the subscription is deleted or does not fail. */
  findFailing(id: number, now: EpochMs): FailingSubscription | undefined {
    return this.#find({ id, now });
  }
}
