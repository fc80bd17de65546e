/** The rows of an import of a sheet beside what became of them. */
import type { FileItem } from '../../files/json-members.ts';
import type { ItemResult } from '../import/model.ts';
import type { SheetItem } from './rows.ts';

/** A row, and what became of it; `undefined` of one that failed beyond those that are kept. */
export interface JudgedRow {
  readonly item: SheetItem;
  readonly result: ItemResult | undefined;
}

export const hasFailed = ({ result }: JudgedRow): boolean =>
  result === undefined || result.outcome === 'failed';

/** Both in the order of the file; rows that nobody judged, because it was stopped, are left out. */
export async function* judged(
  items: AsyncIterable<FileItem>,
  results: Iterable<ItemResult>,
  processed: number,
): AsyncGenerator<JudgedRow> {
  const rest = results[Symbol.iterator]();
  let next = rest.next();
  for await (const { index, value } of items) {
    if (index >= processed) return;
    while (next.done !== true && next.value.index < index) next = rest.next();
    const result = next.done !== true && next.value.index === index ? next.value : undefined;
    yield { item: value as SheetItem, result }; // we wrote it
  }
}
