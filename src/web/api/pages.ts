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

/** As the lists of contract section 14 come. */
const USUAL: Paging<never> = { size: 500, pageOf: (answer) => answer as Page<never> }; // held to it by the contract tests

export const pagingOf = <Row>(paging: Partial<Paging<Row>>): Paging<Row> => ({ ...USUAL, ...paging });

export async function onePage<Row>(
  path: string,
  query: Query,
  { size, pageOf, signal }: Paging<Row> & { readonly signal?: AbortSignal },
): Promise<Result<Page<Row>>> {
  const answer = await api.get(path, { query: { ...query, limit: size }, ...(signal && { signal }) });
  return answer.ok ? { ...answer, value: pageOf(answer.value, size) } : answer;
}

export async function everyRow<Row>(
  path: string,
  query: Query,
  paging: Partial<Paging<Row>> = {},
): Promise<Result<readonly Row[]>> {
  const rows: Row[] = [];
  for (let after: Page<Row>['next'] = null; ;) {
    const answer: Result<Page<Row>> = await onePage(path, { ...query, after }, pagingOf(paging));
    if (!answer.ok) return answer;
    for (const row of answer.value.items) rows.push(row);
    if (answer.value.next === null) return { ...answer, value: rows };
    after = answer.value.next;
  }
}
