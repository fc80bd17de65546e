/** Which row has the headings: titles stand above it (contract section 24). */
import { type SheetRow, isBlank } from './cell.ts';
import type { SheetKind } from './column.ts';
import { namesColumn } from './guess.ts';

/** Below these nobody has put them. */
const LOOKED_AT_ROWS = 30;

/** The one that names most columns; of those that name none, the first that is as wide as any. */
export function headerRowOf(rows: readonly SheetRow[], kind: SheetKind): number | undefined {
  const first = rows.slice(0, LOOKED_AT_ROWS).map((row) => ({ ...measure(row, kind), row: row.row }));
  const most = Math.max(0, ...first.map(({ named }) => named));
  // One word may be a title.
  const found = most > 1 || first.length === 1 ? first.find(({ named }) => named === most) : undefined;
  const widest = Math.max(0, ...first.map(({ filled }) => filled));
  return (found ?? first.find(({ filled }) => filled === widest))?.row;
}

function measure({ cells }: SheetRow, kind: SheetKind): { readonly filled: number; readonly named: number } {
  const texts = cells.filter((cell) => !isBlank(cell));
  const named = texts.filter((cell) => cell?.from === 'text' && namesColumn(cell.text, kind));
  return { filled: texts.length, named: new Set(named.map((cell) => cell?.text)).size };
}
