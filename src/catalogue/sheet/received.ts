/** What a row of a sheet has for a member: by it reasons are counted, and corrections find their rows. */
import type { SheetOrder } from './order.ts';
import { receivedOf } from './row.ts';
import type { SheetItem } from './rows.ts';

/** As it came, or as a person has set it. Of several columns the first; `''`: nothing stands there. */
export function receivedText({ columns }: SheetOrder, item: SheetItem, member: string): string {
  const column = columns.find(({ target }) => target === member);
  return (column ? receivedOf(item, column.index, member)?.text : item.set?.[member]) ?? '';
}
