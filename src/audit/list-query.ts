/** The pages of the audit as SQL. */
import type { EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';
import type { AuditFilter } from './model.ts';

export type StoredPage = readonly [firstSeq: number, at: EpochMs, entries: string];

/** Entries are looked through so many at a time; then others have their turn. */
const STRETCH = 20_000;

/** Pages that may have something of it, from those before entry `after` down; `undefined` between two stretches. */
export function* newestPages(db: Db, filter: AuditFilter, after: number): Generator<StoredPage | undefined> {
  const newest = db.prepare<[], number | null>('SELECT max(first_seq) FROM audit_page').pluck().get() ?? 0;
  const { sql, parameters } = prefilter(filter);
  const pages = db
    .prepare<(number | string)[], StoredPage>(
      `SELECT first_seq, at, entries FROM audit_page WHERE first_seq < ? AND first_seq >= ?${sql} ORDER BY first_seq DESC`,
    )
    .raw();
  for (let below = Math.min(after, newest + 1); below > 1; below -= STRETCH) {
    yield* pages.iterate(below, below - STRETCH, ...parameters);
    yield undefined;
  }
}

/** All pages since a moment, oldest first. */
export function iteratePages(db: Db, since: EpochMs | undefined): Iterable<StoredPage> {
  return db
    .prepare<[EpochMs], StoredPage>(
      'SELECT first_seq, at, entries FROM audit_page WHERE at >= ? ORDER BY first_seq',
    )
    .raw()
    .iterate(since ?? Number.MIN_SAFE_INTEGER);
}

/** What keeps pages with nothing of it from being taken apart: each text of an entry stands in its page once at least. */
function prefilter({ since, actor, subject }: AuditFilter) {
  const conditions: string[] = [];
  const parameters: (number | string)[] = [];
  if (since !== undefined) {
    conditions.push('at >= ?');
    parameters.push(since);
  }
  for (const text of [actor, subject?.slice(subject.indexOf(' ') + 1)])
    if (text !== undefined) {
      conditions.push('instr(entries, ?) > 0');
      parameters.push(JSON.stringify(text).slice(1, -1));
    }
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), parameters };
}
