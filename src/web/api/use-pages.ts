/**
 * Paged list of the server, fetched as far as the user scrolls. If the list has positions (contract section
 * 25), only the visible pages are fetched; otherwise all pages up to the visible ones.
 */
import { useState } from 'preact/hooks';
import { type Query, queryOf } from './client.ts';
import { IN_ORDER, byPosition, emptyRows } from './fetched-rows.ts';
import { type Paging, onePage, pagingOf } from './pages.ts';
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

export function usePages<Row>(path: string, query: Query, options: PagesOptions<Row> = {}): Pages<Row> {
  const paging = pagingOf(options);
  const fetching = options.hasPositions === true ? byPosition(paging.size) : IN_ORDER;
  const [reloadCount, setReloadCount] = useState(0);
  const queryKey = `${reloadCount} ${path}${queryOf(query)}`;
  const [shown, setShown] = useState(() => emptyRows<Row>(''));
  const [failure, setFailure] = useState<{ readonly queryKey: string; readonly error: ApiError }>();
  const [needed, setNeeded] = useState({ queryKey, from: 0, to: 1 });

  // Rows of the previous query stay until the new ones arrive. An error of the previous query is dropped.
  const error = failure?.queryKey === queryKey ? failure.error : undefined;
  const fetched = shown.queryKey === queryKey ? shown : emptyRows<Row>(queryKey);
  const { from, to } = needed.queryKey === queryKey ? needed : { from: 0, to: 1 };
  const page = error === undefined ? fetching.missingPage(fetched, from, to) : undefined;
  useRequest(page === undefined ? undefined : `${queryKey} ${page}`, async (signal) => {
    if (page === undefined) return;
    const pageQuery = { ...query, ...fetching.queryOf(fetched, page) };
    const answer = await onePage<Row>(path, pageQuery, { ...paging, signal });
    if (signal.aborted) return;
    if (answer.ok) setShown(fetching.withPage(fetched, page, answer.value));
    else setFailure({ queryKey, error: answer.error });
  });

  return {
    rows: shown.rows,
    total: shown.total,
    totalIsExact: shown.totalIsExact,
    error,
    isBusy: page !== undefined,
    isComplete: fetching.missingPage(shown, 0, Infinity) === undefined,
    isLoading: fetched !== shown && error === undefined,
    need: (until, start = until - 1) => {
      if (fetching.missingPage(fetched, start, until) === undefined) return;
      setFailure(undefined);
      setNeeded({ queryKey, from: start, to: until });
    },
    reload: () => setReloadCount((before) => before + 1),
  };
}
