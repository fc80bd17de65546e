/** Returns the rows of a dry run with the changes that it showed, so that they are applied as shown. */
import type { DoneRows } from '../import/service.ts';
import { type JudgedRow, hasFailed } from './judged.ts';
import type { SheetItem } from './rows.ts';

/**
 * Leaves out rows that another import has applied. `isApproved`: for a proposal, whose approver saw no failed
 * row change anything, so it must not change anything.
 */
export async function* rowsWithShownChanges(
  judgedRows: AsyncIterable<JudgedRow>,
  doneRows: DoneRows,
  { skip, isApproved }: { readonly skip: ReadonlySet<number>; readonly isApproved: boolean },
): AsyncGenerator<SheetItem> {
  for await (const row of judgedRows) {
    const { item, result } = row;
    if (!doneRows.isOpen(item.row) || skip.has(item.row)) continue;
    if (!hasFailed(row)) yield { ...item, seen: result?.changes ?? [] };
    else yield isApproved ? { ...item, seen: [] } : item;
  }
}
