/** Builds a page from the rows of its query, which returns one extra row if others follow. */
import type { Db } from '../../db/open.ts';
import { type Query, countOf } from '../list-query.ts';
import type { Page, PageEnd, PageRequest } from './model.ts';

/** Maximum count of matches: some ten ms. */
const COUNTED_MAX = 20_000;

/** `endAt`: the end of a page with that last row; `found`: the text after FROM for all pages together. */
export function pageOfRows<Row>(
  db: Db,
  { limit, after, from = 0 }: PageRequest,
  rows: readonly Row[],
  endAt: (last: Row) => PageEnd,
  { sql, parameters }: Query,
): Page<Row> {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const next = last !== undefined && rows.length > pageRows.length ? endAt(last) : undefined;
  const countedRows =
    next !== undefined || after !== undefined || from > 0
      ? countOf(db, `(SELECT 1 FROM ${sql} LIMIT ${COUNTED_MAX + 1})`, parameters)
      : pageRows.length;
  return {
    rows: pageRows,
    next,
    total: Math.max(last === undefined ? 0 : from + pageRows.length, Math.min(countedRows, COUNTED_MAX)),
    totalIsExact: countedRows <= COUNTED_MAX,
  };
}
