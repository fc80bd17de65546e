/** Compares the database with the ledger. */
import type { EpochMs } from '../../src/clock.ts';
import type { Db } from '../../src/db/open.ts';
import { JITTER_MAX, type Ledger, type Owed, Violation } from './ledger.ts';
import { prepared } from './prepared.ts';

export function compare(db: Db, ledger: Ledger, now: EpochMs): void {
  compareSubscriptions(db, ledger);
  comparePending(db, ledger, now);
  compareCounts(db, ledger);
}

interface SubscriptionRow {
  readonly id: number;
  readonly deletedAt: EpochMs | null;
  readonly motivo: string | null;
  readonly lastSuccessAt: EpochMs | null;
}

function compareSubscriptions(db: Db, { subs }: Ledger): void {
  const rows = prepared<[], SubscriptionRow>(
    db,
    `SELECT id, deleted_at AS deletedAt, motivo_exclusao AS motivo, last_success_at AS lastSuccessAt FROM subscription`,
  ).all();
  if (rows.length !== subs.size)
    throw new Violation(`there are ${rows.length} subscriptions, made were ${subs.size}`);
  for (const row of rows) {
    const sub = subs.get(row.id);
    if (row.deletedAt !== sub?.deletedAt || row.motivo !== sub.motivo)
      throw new Violation(
        `subscription ${row.id} is deleted ${row.deletedAt} (${row.motivo}), must be ${sub?.deletedAt} (${sub?.motivo})`,
      );
    if (row.lastSuccessAt !== sub.lastSuccessAt)
      throw new Violation(
        `subscription ${row.id} had success at ${row.lastSuccessAt}, really at ${sub.lastSuccessAt}`,
      );
  }
}

function comparePending(db: Db, { owed, longestRepeat }: Ledger, now: EpochMs): void {
  const rows = prepared<[], { id: number; state: string; nextAttemptAt: EpochMs }>(
    db,
    `SELECT id, state, next_attempt_at AS nextAttemptAt FROM delivery ORDER BY id`,
  ).all();
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  for (const { id, state } of owed.values())
    if (state === 'pending' && states.get(id) !== 'pending')
      throw new Violation(`delivery ${id} must be pending, is ${states.get(id) ?? 'gone'}`);
  for (const { id, state, nextAttemptAt } of rows) {
    if (state !== 'pending') continue;
    const owing = owed.get(id);
    if (owing?.state !== 'pending')
      throw new Violation(`delivery ${id} is pending, must be ${owing?.state ?? 'gone'}`);
    if (!isPlanned(owing, nextAttemptAt, longestRepeat, now))
      throw new Violation(
        `delivery ${id} is due ${nextAttemptAt < owing.dueAt ? 'too early' : 'too late'}: ` +
          `at ${nextAttemptAt}, must be at ${owing.dueAt}`,
      );
    owing.dueAt = nextAttemptAt;
  }
}

/**
 * Returns whether a due time is allowed. A wait may be longer by the jitter; after the clock was set back a
 * repeat may be due at once.
 */
function isPlanned(
  { dueAt, isClockSetBack }: Owed,
  stored: EpochMs,
  longestRepeat: number,
  now: EpochMs,
): boolean {
  const isJittered = stored >= dueAt && stored <= dueAt + Math.ceil(longestRepeat * JITTER_MAX);
  return isJittered || (isClockSetBack && stored <= now);
}

function compareCounts(db: Db, ledger: Ledger): void {
  const stored = prepared<[], { state: string; count: number }>(
    db,
    'SELECT state, count(*) AS count FROM delivery GROUP BY state',
  ).all();
  for (const state of ['delivered', 'failed', 'cancelled'] as const) {
    const really = [...ledger.owed.values()].filter((owed) => owed.state === state).length;
    const count = stored.find((row) => row.state === state)?.count ?? 0;
    if (count !== really)
      throw new Violation(
        `too ${count < really ? 'few' : 'many'} deliveries are ${state}: ${count}, must be ${really}`,
      );
  }
  const records = prepared<[], { count: number; oldest: EpochMs | null }>(
    db,
    'SELECT count(*) AS count, min(failed_at) AS oldest FROM delivery_failure',
  );
  const { count, oldest } = records.get() ?? { count: 0, oldest: null };
  const mustBe = ledger.records.size;
  const oldestMustBe = mustBe === 0 ? null : Math.min(...ledger.records.values());
  if (count !== mustBe || oldest !== oldestMustBe)
    throw new Violation(
      `${count < mustBe ? 'too few' : 'too many'} failure records: ${count} since ${oldest}, must be ${mustBe} since ${oldestMustBe}`,
    );
}
