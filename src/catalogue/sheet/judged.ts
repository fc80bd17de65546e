/** Pairs the rows of an import of a sheet with their results. */
import type { FileItem } from '../../files/json-members.ts';
import type { ItemResult } from '../import/model.ts';
import type { SheetItem } from './rows.ts';

/** A row and its result. `undefined`: the row failed, and its result is beyond the stored ones. */
export interface JudgedRow {
  readonly item: SheetItem;
  readonly result: ItemResult | undefined;
}

export const hasFailed = ({ result }: JudgedRow): boolean =>
  result === undefined || result.outcome === 'failed';

/**
 * Yields both in the order of the file. Leaves out rows that were not judged because the import was stopped.
 */
export async function* judgedRows(
  items: AsyncIterable<FileItem>,
  results: Iterable<ItemResult>,
  processed: number,
): AsyncGenerator<JudgedRow> {
  const resultIterator = results[Symbol.iterator]();
  let next = resultIterator.next();
  for await (const { index, value } of items) {
    if (index >= processed) return;
    while (next.done !== true && next.value.index < index) next = resultIterator.next();
    const result = next.done !== true && next.value.index === index ? next.value : undefined;
    yield { item: value as SheetItem, result }; // written by this program
  }
}
