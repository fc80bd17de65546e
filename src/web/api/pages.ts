/** Paged lists of the server: requests one page, or all rows page by page. */
import { api } from './api.ts';
import type { Query } from './client.ts';
import type { Result } from './result.ts';

export interface Page<Row> {
  readonly items: readonly Row[];
  /** Value of `after` for the next page; `null` after the last page. */
  readonly next: string | number | null;
  readonly total?: number;
  readonly totalIsExact?: boolean;
}

export interface Paging<Row> {
  readonly size: number;
  /** Converts a response that is not a page. */
  readonly pageOf: (answer: unknown, size: number) => Page<Row>;
}

/** Maximum rows per request. */
const PAGE_ROWS = 500;

/** Paging of the lists of contract section 14. */
const DEFAULT_PAGING: Paging<never> = { size: PAGE_ROWS, pageOf: (answer) => answer as Page<never> }; // checked by the contract tests

export const pagingOf = <Row>(paging: Partial<Paging<Row>>): Paging<Row> => ({
  ...DEFAULT_PAGING,
  ...paging,
});

export async function onePage<Row>(
  path: string,
  query: Query,
  { size, pageOf, signal }: Paging<Row> & { readonly signal?: AbortSignal },
): Promise<Result<Page<Row>>> {
  const answer = await api.get(path, { query: { ...query, limit: size }, ...(signal && { signal }) });
  return answer.ok ? { ...answer, value: pageOf(answer.value, size) } : answer;
}

/** `from` and `to`: for a list with positions, only the rows from `from` to before `to`. */
export async function everyRow<Row>(
  path: string,
  query: Query,
  paging: Partial<Paging<Row>> = {},
  { from, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
): Promise<Result<readonly Row[]>> {
  const rows: Row[] = [];
  for (let position: Query = { from }; ;) {
    const answer: Result<Page<Row>> = await onePage(path, { ...query, ...position }, pagingOf(paging));
    if (!answer.ok) return answer;
    for (const row of answer.value.items) rows.push(row);
    const { next } = answer.value;
    const isEnough = rows.length >= to - (from ?? 0);
    if (next === null || isEnough) return { ...answer, value: rows.slice(0, to - (from ?? 0)) };
    // A cursor is cheaper for the server than a position.
    position = { after: next };
  }
}
