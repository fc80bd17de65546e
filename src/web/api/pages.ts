/** Lists that the server hands out in pages: how a page is asked for, and all rows, one page after the other. */
import { api } from './api.ts';
import type { Query } from './client.ts';
import type { Result } from './result.ts';

export interface Page<Row> {
  readonly items: readonly Row[];
  /** What comes `after`; `null`: that was the last page. */
  readonly next: string | number | null;
  readonly total?: number;
  readonly totalIsExact?: boolean;
}

export interface Paging<Row> {
  readonly size: number;
  /** Of an answer that is no page by itself. */
  readonly pageOf: (answer: unknown, size: number) => Page<Row>;
}

/** The most that one request may ask for. */
export const PAGE_ROWS = 500;

/** As the lists of contract section 14 come. */
const USUAL: Paging<never> = { size: PAGE_ROWS, pageOf: (answer) => answer as Page<never> }; // held to it by the contract tests

export const pagingOf = <Row>(paging: Partial<Paging<Row>>): Paging<Row> => ({ ...USUAL, ...paging });

export async function onePage<Row>(
  path: string,
  query: Query,
  { size, pageOf, signal }: Paging<Row> & { readonly signal?: AbortSignal },
): Promise<Result<Page<Row>>> {
  const answer = await api.get(path, { query: { ...query, limit: size }, ...(signal && { signal }) });
  return answer.ok ? { ...answer, value: pageOf(answer.value, size) } : answer;
}

/** `from` and `to`: of a list that is asked for by place, only those from one to before the other. */
export async function everyRow<Row>(
  path: string,
  query: Query,
  paging: Partial<Paging<Row>> = {},
  { from, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
): Promise<Result<readonly Row[]>> {
  const rows: Row[] = [];
  for (let place: Query = { from }; ;) {
    const answer: Result<Page<Row>> = await onePage(path, { ...query, ...place }, pagingOf(paging));
    if (!answer.ok) return answer;
    for (const row of answer.value.items) rows.push(row);
    const { next } = answer.value;
    const isEnough = rows.length >= to - (from ?? 0);
    if (next === null || isEnough) return { ...answer, value: rows.slice(0, to - (from ?? 0)) };
    // Behind a page the next one costs the server less than by its place.
    place = { after: next };
  }
}
