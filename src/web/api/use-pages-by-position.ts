/** List whose pages are requested by position (contract section 25): only the visible ones are fetched. */
import { useState } from 'preact/hooks';
import { type Query, queryOf } from './client.ts';
import { type Page, PAGE_ROWS, onePage, pagingOf } from './pages.ts';
import type { ApiError } from './result.ts';
import { useRequest } from './use-request.ts';
import type { Pages } from './use-pages.ts';

/** Highest position that is requested. Pages after it are fetched one after the other. */
const POSITION_MAX = 100_000;

interface State<Row> extends Pick<Pages<Row>, 'rows' | 'total' | 'totalIsExact'> {
  readonly queryKey: string;
  /** Cursor of the next page, by fetched page. */
  readonly nextCursors: ReadonlyMap<number, Page<Row>['next']>;
}

const emptyState = <Row>(queryKey: string): State<Row> => ({
  queryKey,
  rows: [],
  total: undefined,
  totalIsExact: false,
  nextCursors: new Map(),
});

export function usePagesByPosition<Row>(path: string, query: Query): Pages<Row> {
  const [reloadCount, setReloadCount] = useState(0);
  const queryKey = `${reloadCount} ${path}${queryOf(query)}`;
  const [state, setState] = useState(() => emptyState<Row>(''));
  const [failure, setFailure] = useState<{ readonly queryKey: string; readonly error: ApiError }>();
  const [needed, setNeeded] = useState({ queryKey, from: 0, to: 1 });

  // Rows of the previous query stay until the new ones arrive. An error of the previous query is dropped.
  const error = failure?.queryKey === queryKey ? failure.error : undefined;
  const currentState = state.queryKey === queryKey ? state : emptyState<Row>(queryKey);
  const { from, to } = needed.queryKey === queryKey ? needed : { from: 0, to: 1 };
  const missingPage = error === undefined ? firstMissingPage(currentState, from, to) : undefined;
  useRequest(missingPage === undefined ? undefined : `${queryKey} ${missingPage}`, async (signal) => {
    if (missingPage === undefined) return;
    const positionQuery = queryOfPage(missingPage, currentState);
    const answer = await onePage<Row>(path, { ...query, ...positionQuery }, { ...pagingOf<Row>({}), signal });
    if (signal.aborted) return;
    if (answer.ok) setState(withPage(currentState, missingPage, answer.value));
    else setFailure({ queryKey, error: answer.error });
  });

  return {
    rows: state.rows,
    total: state.total,
    totalIsExact: state.totalIsExact,
    error,
    busy: missingPage !== undefined,
    isComplete: firstMissingPage(state, 0, Infinity) === undefined,
    loading: currentState !== state && error === undefined,
    need: (until, start = until - 1) => {
      if (firstMissingPage(currentState, start, until) === undefined) return;
      setFailure(undefined);
      setNeeded({ queryKey, from: start, to: until });
    },
    reload: () => setReloadCount((before) => before + 1),
  };
}

/** Returns the first missing page of these rows. Without a total, only page 0 is requested. */
function firstMissingPage<Row>(
  { nextCursors, total = 1 }: State<Row>,
  from: number,
  to: number,
): number | undefined {
  const last = Math.max(0, Math.ceil(Math.min(to, total) / PAGE_ROWS) - 1);
  for (let page = Math.min(last, Math.floor(from / PAGE_ROWS)); page <= last; page += 1) {
    if (nextCursors.has(page)) continue;
    let first = page;
    while (first * PAGE_ROWS > POSITION_MAX && !nextCursors.has(first - 1)) first -= 1;
    return first;
  }
  return undefined;
}

const queryOfPage = <Row>(page: number, { nextCursors }: State<Row>): Query =>
  page * PAGE_ROWS > POSITION_MAX ? { after: nextCursors.get(page - 1) } : { from: page * PAGE_ROWS };

/** Adds a page. The total is exact after the last page; an estimate is never below the number of rows. */
function withPage<Row>(before: State<Row>, page: number, { items, next, ...answer }: Page<Row>): State<Row> {
  const position = page * PAGE_ROWS;
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
  return { queryKey, rows, nextCursors, total, totalIsExact: next !== null && (answer.totalIsExact ?? true) };
}
