/**
 * Returns the value that a row of a sheet has for a member. Reasons are counted by it, and corrections find
 * their rows by it.
 */
import type { SheetInstructions } from './instructions.ts';
import { receivedOf } from './row.ts';
import type { SheetItem } from './rows.ts';

/**
 * Returns the value as received, or as a person set it. Of several columns, the first. `''`: the cell is
 * empty.
 */
export function receivedText({ columns }: SheetInstructions, item: SheetItem, member: string): string {
  const column = columns.find(({ target }) => target === member);
  return (column ? receivedOf(item, column.index, member)?.text : item.set?.[member]) ?? '';
}
