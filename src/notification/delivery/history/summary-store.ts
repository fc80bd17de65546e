/** How the deliveries of some days ended, and which receivers fail (contract section 17). */
import type { Day, EpochMs } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';

/** As it crosses to the Worker that reads it. */
export interface DeliverySummaryRead {
  readonly kind: 'deliverySummary';
  /** Only those of this user's subscriptions. */
  readonly documento: string | null;
  /** Oldest first. */
  readonly days: readonly { readonly day: Day; readonly from: EpochMs; readonly before: EpochMs }[];
}

export interface StoredSummary {
  readonly days: readonly { readonly day: Day; readonly delivered: number; readonly failed: number }[];
  readonly pending: number;
  readonly failing: readonly {
    readonly subscriptionId: number;
    readonly evento: string;
    readonly endpoint: string;
    readonly since: EpochMs;
  }[];
}

const OWN = 'subscription_id IN (SELECT id FROM subscription WHERE documento = @documento)';

export const DELIVERY_SUMMARY = (isOwn: boolean) =>
  ({
    ended: `SELECT state, count(*) AS count FROM delivery INDEXED BY delivery_finished
      WHERE finished_at IS NOT NULL AND finished_at >= @from AND finished_at < @before ${isOwn ? `AND ${OWN}` : ''}
      GROUP BY state`,
    pending: `SELECT count(*) FROM delivery INDEXED BY delivery_by_state WHERE state = 'pending' ${isOwn ? `AND ${OWN}` : ''}`,
    failing: `SELECT id AS subscriptionId, evento, endpoint, failing_since AS since
      FROM subscription INDEXED BY subscription_failing
      WHERE deleted_at IS NULL AND failing_since IS NOT NULL ${isOwn ? 'AND documento = @documento' : ''}
      ORDER BY failing_since, id`,
  }) as const;

/** Yields where others may have their turn: after each day. */
export function* deliverySummary(
  db: Db,
  { documento, days }: DeliverySummaryRead,
): Generator<undefined, StoredSummary> {
  const sql = DELIVERY_SUMMARY(documento !== null);
  const own = documento === null ? {} : { documento };
  const ended = db.prepare<[object], { readonly state: string; readonly count: number }>(sql.ended);
  const told = [];
  for (const { day, from, before } of days) {
    const counts = new Map(ended.all({ from, before, ...own }).map(({ state, count }) => [state, count]));
    told.push({ day, delivered: counts.get('delivered') ?? 0, failed: counts.get('failed') ?? 0 });
    yield undefined;
  }
  const pending = db.prepare<unknown[], number>(sql.pending).pluck();
  const failing = db.prepare<unknown[], StoredSummary['failing'][number]>(sql.failing);
  const values = documento === null ? [] : [own];
  return { days: told, pending: pending.get(...values) ?? 0, failing: failing.all(...values) };
}
