/** Finds the row of the headings, which may have titles above it (contract section 24). */
import { type SheetRow, isBlank } from './cell.ts';
import type { SheetKind } from './column.ts';
import { namesColumn } from './guess.ts';

/** Maximum rows that are searched for headings. */
const SEARCHED_ROWS = 30;

/** Maximum cells of a row that are compared with names. The first ones suffice to recognise headings. */
const COMPARED_CELLS = 1000;
/** Maximum characters of a heading that is compared. A longer text is no known heading. */
const NAME_CHARACTERS = 500;

/** Returns the row that names most columns. If none names any, the first row with the greatest width. */
export function headerRowOf(rows: readonly SheetRow[], kind: SheetKind): number | undefined {
  const names = new Map<string, boolean>();
  const isName = (text: string): boolean => {
    const cached = names.get(text);
    if (cached !== undefined) return cached;
    const result = text.length <= NAME_CHARACTERS && namesColumn(text, kind);
    names.set(text, result);
    return result;
  };
  const first = rows.slice(0, SEARCHED_ROWS).map((row) => ({ ...measure(row, isName), row: row.row }));
  const maxNamed = Math.max(0, ...first.map(({ named }) => named));
  // A title above the headings may match one word.
  const namedRow =
    maxNamed > 1 || first.length === 1 ? first.find(({ named }) => named === maxNamed) : undefined;
  const widest = Math.max(0, ...first.map(({ filled }) => filled));
  return (namedRow ?? first.find(({ filled }) => filled === widest))?.row;
}

function measure(
  { cells }: SheetRow,
  isName: (text: string) => boolean,
): { readonly filled: number; readonly named: number } {
  const texts = [...cells.values()].filter((cell) => !isBlank(cell));
  const named = texts.slice(0, COMPARED_CELLS).filter((cell) => cell.from === 'text' && isName(cell.text));
  return { filled: texts.length, named: new Set(named.map((cell) => cell.text)).size };
}
