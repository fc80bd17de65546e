/** Counts successful and failed attempts per hour, and lists failing receivers (contract section 17). */
import type { EpochMs } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';

export interface SummaryChoice {
  /** Only deliveries of this user's subscriptions. */
  readonly documento: string | null;
  /** Excludes deliveries of another company's events. */
  readonly cpfCnpjRaiz: string | null;
}

export interface StoredSummary {
  /** Oldest first. Hours without an attempt are omitted. */
  readonly hours: readonly { readonly hour: number; readonly delivered: number; readonly failed: number }[];
  readonly pending: number;
  readonly failing: readonly {
    readonly subscriptionId: number;
    readonly evento: string;
    readonly endpoint: string;
    readonly since: EpochMs;
  }[];
}

const OWN = 'AND subscription_id IN (SELECT id FROM subscription WHERE documento = @documento)';
const OF_COMPANY = `AND coalesce((SELECT e.company FROM event e WHERE e.id = event_id), @cpfCnpjRaiz) = @cpfCnpjRaiz`;

export const DELIVERY_SUMMARY = ({ documento, cpfCnpjRaiz }: SummaryChoice) => {
  const own = documento === null ? '' : OWN;
  return {
    hours: `SELECT hour, sum(delivered) AS delivered, sum(failed) AS failed FROM delivery_hour
      WHERE hour >= @from AND hour < @before ${own} ${cpfCnpjRaiz === null ? '' : `AND company IN ('', @cpfCnpjRaiz)`}
      GROUP BY hour ORDER BY hour`,
    pending: `SELECT count(*) FROM delivery INDEXED BY delivery_by_state
      WHERE state = 'pending' ${own} ${cpfCnpjRaiz === null ? '' : OF_COMPANY}`,
    failing: `SELECT id AS subscriptionId, evento, endpoint, failing_since AS since
      FROM subscription INDEXED BY subscription_failing
      WHERE deleted_at IS NULL AND failing_since IS NOT NULL ${documento === null ? '' : 'AND documento = @documento'}
      ORDER BY failing_since, id`,
  } as const;
};

/** Reads the hours from `from` to the one before `before`. Yields an empty text where other work may run. */
export function* deliverySummary(
  db: Db,
  choice: SummaryChoice,
  from: number,
  before: number,
): Generator<string, StoredSummary> {
  const sql = DELIVERY_SUMMARY(choice);
  const values = { ...choice, from, before };
  const hours = db.prepare<[object], StoredSummary['hours'][number]>(sql.hours).all(values);
  yield '';
  const pending = db.prepare<[object], number>(sql.pending).pluck().get(values) ?? 0;
  yield '';
  const failing = db.prepare<[object], StoredSummary['failing'][number]>(sql.failing).all(values);
  return { hours, pending, failing };
}
