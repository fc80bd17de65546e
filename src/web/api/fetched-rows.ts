/** The rows of a paged list that are fetched so far, and the page to request next. */
import type { Query } from './client.ts';
import type { Page } from './pages.ts';

/** Highest position that is requested. Pages after it are fetched one after the other. */
const POSITION_MAX = 100_000;

export interface FetchedRows<Row> {
  readonly queryKey: string;
  /** Sparse if pages are requested by position. */
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly totalIsExact: boolean;
  /** Cursor of the next page, by fetched page. */
  readonly nextCursors: ReadonlyMap<number, Page<Row>['next']>;
}

export const emptyRows = <Row>(queryKey: string): FetchedRows<Row> => ({
  queryKey,
  rows: [],
  total: undefined,
  totalIsExact: false,
  nextCursors: new Map(),
});

/** A way to fetch a list. */
export interface Fetching {
  /** Returns the first missing page of the rows from `from` to before `to`. `undefined`: none is missing. */
  readonly missingPage: <Row>(fetched: FetchedRows<Row>, from: number, to: number) => number | undefined;
  readonly queryOf: <Row>(fetched: FetchedRows<Row>, page: number) => Query;
  /** Adds a page. The total is exact after the last page; an estimate is never below the number of rows. */
  readonly withPage: <Row>(fetched: FetchedRows<Row>, page: number, answer: Page<Row>) => FetchedRows<Row>;
}

/** Fetches all pages up to the needed rows. A page may have fewer rows than requested. */
export const IN_ORDER: Fetching = {
  missingPage({ rows, nextCursors }, _from, to) {
    const page = nextCursors.size;
    return rows.length < to && nextCursors.get(page - 1) !== null ? page : undefined;
  },
  queryOf: ({ nextCursors }, page) => ({ after: nextCursors.get(page - 1) }),
  withPage(
    { queryKey, rows: before, nextCursors: cursors },
    page,
    { items, next, total, totalIsExact = true },
  ) {
    const rows = [...before, ...items];
    const nextCursors = new Map(cursors).set(page, next);
    if (next === null) return { queryKey, rows, nextCursors, total: rows.length, totalIsExact: true };
    return { queryKey, rows, nextCursors, total: Math.max(total ?? 0, rows.length + 1), totalIsExact };
  },
};

/** Fetches only the pages of the needed rows, by their position (contract section 25). `size`: rows of a page. */
export const byPosition = (size: number): Fetching => ({
  /** Without a total, only page 0 is requested. */
  missingPage({ nextCursors, total = 1 }, from, to) {
    const last = Math.max(0, Math.ceil(Math.min(to, total) / size) - 1);
    for (let page = Math.min(last, Math.floor(from / size)); page <= last; page += 1) {
      if (nextCursors.has(page)) continue;
      while (page * size > POSITION_MAX && !nextCursors.has(page - 1)) page -= 1;
      return page;
    }
    return undefined;
  },
  queryOf: ({ nextCursors }, page) =>
    page * size > POSITION_MAX ? { after: nextCursors.get(page - 1) } : { from: page * size },
  withPage(before, page, { items, next, ...answer }) {
    const position = page * size;
    const end = position + items.length;
    const rows = [...before.rows];
    for (const [index, row] of items.entries()) rows[position + index] = row;
    const nextCursors = new Map(before.nextCursors).set(page, next);
    const isLast = next === null && (items.length > 0 || page === 0);
    const { queryKey } = before;
    if (isLast) return { queryKey, rows, nextCursors, total: end, totalIsExact: true };
    if (before.totalIsExact) return { ...before, rows, nextCursors };
    // The estimate was too high if a page is empty.
    const total = next === null ? Math.min(before.total ?? end, end) : Math.max(answer.total ?? 0, end + 1);
    const totalIsExact = next !== null && (answer.totalIsExact ?? true);
    return { queryKey, rows, nextCursors, total, totalIsExact };
  },
});
