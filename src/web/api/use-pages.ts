/**
 * Paged list of the server, fetched as far as the user scrolls. If the list has positions (contract section
 * 25), only the visible pages are fetched; otherwise all pages up to the visible ones.
 */
import { useState } from 'preact/hooks';
import { type Query, queryOf } from './client.ts';
import { type Page, type Paging, onePage, pagingOf } from './pages.ts';
import type { ApiError } from './result.ts';
import { useRequest } from './use-request.ts';

/** Highest position that is requested. Pages after it are fetched one after the other. */
const POSITION_MAX = 100_000;

export interface Pages<Row> {
  /** Sparse if pages are requested by position. */
  readonly rows: readonly Row[];
  /** Total number of rows, fetched or not; `undefined` before the first response. */
  readonly total: number | undefined;
  /** False if `total` is an estimate. */
  readonly totalIsExact: boolean;
  /** True once every row is fetched. */
  readonly isComplete: boolean;
  readonly error: ApiError | undefined;
  /** True until the first page of this query arrives. */
  readonly isLoading: boolean;
  /** True while more rows are loading. */
  readonly isBusy: boolean;
  /** Fetches the rows from `from` to before `to` (`onVisibleRange` of `VirtualTable`). */
  readonly need: (to: number, from?: number) => void;
  readonly reload: () => void;
}

export interface PagesOptions<Row> extends Partial<Paging<Row>> {
  readonly hasPositions?: boolean;
}

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

export function usePages<Row>(path: string, query: Query, options: PagesOptions<Row> = {}): Pages<Row> {
  const paging = pagingOf(options);
  const { size } = paging;
  const { hasPositions = false } = options;
  const positionMax = hasPositions ? POSITION_MAX : 0;
  const [reloadCount, setReloadCount] = useState(0);
  const queryKey = `${reloadCount} ${path}${queryOf(query)}`;
  const [state, setState] = useState(() => emptyState<Row>(''));
  const [failure, setFailure] = useState<{ readonly queryKey: string; readonly error: ApiError }>();
  const [needed, setNeeded] = useState({ queryKey, from: 0, to: 1 });

  // Rows of the previous query stay until the new ones arrive. An error of the previous query is dropped.
  const error = failure?.queryKey === queryKey ? failure.error : undefined;
  const currentState = state.queryKey === queryKey ? state : emptyState<Row>(queryKey);
  const { from, to } = needed.queryKey === queryKey ? needed : { from: 0, to: 1 };

  /** Returns the first missing page of these rows. Without a total, only page 0 is requested. */
  const firstMissingPage = ({ nextCursors, total = 1 }: State<Row>, from: number, to: number) => {
    const last = Math.max(0, Math.ceil(Math.min(to, total) / size) - 1);
    for (let page = Math.min(last, Math.floor(from / size)); page <= last; page += 1) {
      if (nextCursors.has(page)) continue;
      while (page * size > positionMax && !nextCursors.has(page - 1)) page -= 1;
      return page;
    }
    return undefined;
  };
  const missingPage = error === undefined ? firstMissingPage(currentState, from, to) : undefined;
  useRequest(missingPage === undefined ? undefined : `${queryKey} ${missingPage}`, async (signal) => {
    if (missingPage === undefined) return;
    const position = missingPage * size;
    const positionQuery =
      position > positionMax
        ? { after: currentState.nextCursors.get(missingPage - 1) }
        : { from: hasPositions ? position : undefined };
    const answer = await onePage<Row>(path, { ...query, ...positionQuery }, { ...paging, signal });
    if (signal.aborted) return;
    if (answer.ok) setState(withPage(currentState, missingPage, position, answer.value));
    else setFailure({ queryKey, error: answer.error });
  });

  return {
    rows: state.rows,
    total: state.total,
    totalIsExact: state.totalIsExact,
    error,
    isBusy: missingPage !== undefined,
    isComplete: firstMissingPage(state, 0, Infinity) === undefined,
    isLoading: currentState !== state && error === undefined,
    need: (until, start = until - 1) => {
      if (firstMissingPage(currentState, start, until) === undefined) return;
      setFailure(undefined);
      setNeeded({ queryKey, from: start, to: until });
    },
    reload: () => setReloadCount((before) => before + 1),
  };
}

/** Adds a page. The total is exact after the last page; an estimate is never below the number of rows. */
function withPage<Row>(
  before: State<Row>,
  page: number,
  position: number,
  { items, next, ...answer }: Page<Row>,
): State<Row> {
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
  const totalIsExact = next !== null && answer.total !== undefined && (answer.totalIsExact ?? true);
  return { queryKey, rows, nextCursors, total, totalIsExact };
}
