/** Reads pages of the audit with SQL. */
import type { EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';
import type { AuditFilter } from './model.ts';

export type StoredPage = readonly [firstSeq: number, at: EpochMs, entries: string];

/** Number of entries that are read before other tasks get their turn. */
const ENTRIES_AT_A_TIME = 20_000;

/**
 * Yields pages that may match the filter, in descending order from entry `after`. Yields `undefined` between
 * two stretches.
 */
export function* newestPages(db: Db, filter: AuditFilter, after: number): Generator<StoredPage | undefined> {
  const newest = db.prepare<[], number | null>('SELECT max(first_seq) FROM audit_page').pluck().get() ?? 0;
  const { sql, parameters } = prefilter(filter);
  const pages = db
    .prepare<(number | string)[], StoredPage>(
      `SELECT first_seq, at, entries FROM audit_page WHERE first_seq < ? AND first_seq >= ?${sql} ORDER BY first_seq DESC`,
    )
    .raw();
  for (let below = Math.min(after, newest + 1); below > 1; below -= ENTRIES_AT_A_TIME) {
    yield* pages.iterate(below, below - ENTRIES_AT_A_TIME, ...parameters);
    yield undefined;
  }
}

/** Iterates over all pages since a moment, oldest first. */
export function iteratePages(db: Db, since: EpochMs | undefined): Iterable<StoredPage> {
  return db
    .prepare<[EpochMs], StoredPage>(
      'SELECT first_seq, at, entries FROM audit_page WHERE at >= ? ORDER BY first_seq',
    )
    .raw()
    .iterate(since ?? Number.MIN_SAFE_INTEGER);
}

/** Selects pages in SQL without decoding them: each text of an entry occurs in its page at least once. */
function prefilter({ since, actor, subject, proposal, cpfCnpjRaiz }: AuditFilter) {
  const conditions: string[] = [];
  const parameters: (number | string)[] = [];
  if (since !== undefined) {
    conditions.push('at >= ?');
    parameters.push(since);
  }
  const searches = [
    actor === undefined ? [] : [`"${jsonText(actor)}"`],
    textsOf(subject),
    proposal === undefined ? [] : [`"${proposal}/`],
    cpfCnpjRaiz === undefined ? [] : [cpfCnpjRaiz],
  ];
  for (const texts of searches) {
    if (texts.length === 0) continue;
    conditions.push(`(${texts.map(() => 'instr(entries, ?) > 0').join(' OR ')})`);
    parameters.push(...texts);
  }
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), parameters };
}

/**
 * Returns texts of which each page with that subject contains one: the last part of its key ends the text,
 * continues, or is only a number.
 */
function textsOf(subject: string | undefined): readonly string[] {
  if (subject === undefined) return [];
  const end = jsonText(subject.slice(Math.max(subject.indexOf(' '), subject.lastIndexOf('/')) + 1));
  return subject.includes('/') ? [`/${end}"`, `/${end}/`, `,${end},`, `,${end}]`] : [end];
}

/** Returns the text as JSON prints it. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);
