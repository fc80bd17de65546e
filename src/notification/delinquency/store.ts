/** Subscriptions that only fail, on disk. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { FailingSubscription } from './model.ts';

/**
 * The latest failure comes from the failure log, where it lives far longer than it counts: after the clock was set back
 * the last one written need not be the latest.
 */
const LAST_FAILURE = `(SELECT max(f.failed_at) FROM delivery_failure f
  WHERE f.subscription_id = s.id AND f.failed_at <= @now)`;

export class DelinquencyStore extends Store {
  readonly #find = this.db.prepare<[{ id: number; now: EpochMs }], FailingSubscription>(
    `SELECT s.failing_since AS failingSince, ${LAST_FAILURE} AS lastFailureAt FROM subscription s
     WHERE s.id = @id AND s.deleted_at IS NULL AND s.failing_since IS NOT NULL`,
  );
  readonly #candidates = this.db
    .prepare<[EpochMs], number>(
      'SELECT id FROM subscription WHERE deleted_at IS NULL AND failing_since <= ? ORDER BY failing_since, id',
    )
    .pluck();

  /** `undefined` when the subscription is deleted or does not fail. */
  findFailing(id: number, now: EpochMs): FailingSubscription | undefined {
    return this.#find.get({ id, now });
  }

  /** Active subscriptions that have been failing since `instant` or longer. */
  listFailingSince(instant: EpochMs): readonly number[] {
    return this.#candidates.all(instant);
  }
}
