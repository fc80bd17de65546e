/** What a row of a sheet has for a member. */
import type { SheetOrder } from './order.ts';
import type { SheetItem } from './rows.ts';

/** Of several columns the first; `''`: nothing stands there. */
export function receivedText({ columns }: SheetOrder, { cells }: SheetItem, member: string): string {
  const column = columns.find(({ target }) => target === member);
  return (column && cells[column.index]?.[1]) ?? '';
}
