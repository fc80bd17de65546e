/** Paged list of the server, fetched as far as the user scrolls. */
import { useState } from 'preact/hooks';
import { type Query, queryOf } from './client.ts';
import { type Page, type Paging, onePage, pagingOf } from './pages.ts';
import type { ApiError } from './result.ts';
import { useRequest } from './use-request.ts';

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
  readonly loading: boolean;
  /** True while more rows are loading. */
  readonly busy: boolean;
  /** Fetches the rows from `from` to before `to` (`onVisibleRange` of `VirtualTable`). */
  readonly need: (to: number, from?: number) => void;
  readonly reload: () => void;
}

interface State<Row> {
  readonly queryKey: string;
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly totalIsExact: boolean;
  readonly next: Page<Row>['next'] | undefined;
}

const NO_PAGES = { queryKey: '', rows: [], total: undefined, totalIsExact: false, next: undefined } as const;

/** Adds a page. The total is exact after the last page; an estimate is never below the number of rows. */
function withPage<Row>(
  before: State<Row>,
  { items, next, total, totalIsExact = true }: Page<Row>,
): State<Row> {
  const rows = [...before.rows, ...items];
  const { queryKey } = before;
  if (next === null) return { queryKey, rows, next, total: rows.length, totalIsExact: true };
  return { queryKey, rows, next, total: Math.max(total ?? 0, rows.length + 1), totalIsExact };
}

export function usePages<Row>(path: string, query: Query, paging: Partial<Paging<Row>> = {}): Pages<Row> {
  const [reloadCount, setReloadCount] = useState(0);
  const queryKey = `${reloadCount} ${path}${queryOf(query)}`;
  const [state, setState] = useState<State<Row>>(NO_PAGES);
  const [failure, setFailure] = useState<{ readonly queryKey: string; readonly error: ApiError }>();
  const [needed, setNeeded] = useState({ queryKey, to: 1 });

  // Rows of the previous query stay until the new ones arrive. An error of the previous query is dropped.
  const error = failure?.queryKey === queryKey ? failure.error : undefined;
  const currentState: State<Row> = state.queryKey === queryKey ? state : { ...NO_PAGES, queryKey };
  const to = needed.queryKey === queryKey ? needed.to : 1;
  const busy = error === undefined && currentState.next !== null && currentState.rows.length < to;
  useRequest(busy ? `${queryKey} ${currentState.rows.length}` : undefined, async (signal) => {
    const answer = await onePage(
      path,
      { ...query, after: currentState.next },
      { ...pagingOf(paging), signal },
    );
    if (signal.aborted) return;
    if (answer.ok) setState(withPage(currentState, answer.value));
    else setFailure({ queryKey, error: answer.error });
  });

  return {
    rows: state.rows,
    total: state.total,
    totalIsExact: state.totalIsExact,
    error,
    busy,
    isComplete: state.next === null,
    loading: currentState !== state && error === undefined,
    need: (until) => {
      const target = Math.min(until, state.total ?? until);
      // A request in progress is not aborted: the user may scroll back.
      if (!busy && target <= currentState.rows.length) return;
      setFailure(undefined);
      setNeeded({ queryKey, to: Math.max(target, currentState.rows.length + 1) });
    },
    reload: () => setReloadCount((before) => before + 1),
  };
}
