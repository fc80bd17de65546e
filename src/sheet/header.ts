/** Which row has the headings: titles stand above it (contract section 24). */
import { type SheetRow, isBlank } from './cell.ts';
import type { SheetKind } from './column.ts';
import { namesColumn } from './guess.ts';

/** Below these nobody has put them. */
const LOOKED_AT_ROWS = 30;

/** Cells of a row that are compared with names: headings show themselves among the first ones. */
const COMPARED_CELLS = 1000;
/** A longer text is no heading that somebody knows. */
const NAME_CHARACTERS = 500;

/** The one that names most columns; of those that name none, the first that is as wide as any. */
export function headerRowOf(rows: readonly SheetRow[], kind: SheetKind): number | undefined {
  const names = new Map<string, boolean>();
  const isName = (text: string): boolean => {
    const before = names.get(text);
    if (before !== undefined) return before;
    const is = text.length <= NAME_CHARACTERS && namesColumn(text, kind);
    names.set(text, is);
    return is;
  };
  const first = rows.slice(0, LOOKED_AT_ROWS).map((row) => ({ ...measure(row, isName), row: row.row }));
  const most = Math.max(0, ...first.map(({ named }) => named));
  // One word may be a title.
  const found = most > 1 || first.length === 1 ? first.find(({ named }) => named === most) : undefined;
  const widest = Math.max(0, ...first.map(({ filled }) => filled));
  return (found ?? first.find(({ filled }) => filled === widest))?.row;
}

function measure(
  { cells }: SheetRow,
  isName: (text: string) => boolean,
): { readonly filled: number; readonly named: number } {
  const texts = [...cells.values()].filter((cell) => !isBlank(cell));
  const named = texts.slice(0, COMPARED_CELLS).filter((cell) => cell.from === 'text' && isName(cell.text));
  return { filled: texts.length, named: new Set(named.map((cell) => cell.text)).size };
}
