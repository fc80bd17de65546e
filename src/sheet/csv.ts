/** A CSV as rows: `;`, `,` or tab, UTF-8 or Windows-1252 (contract section 24). */
import Papa from 'papaparse';
import { unguarded } from '../files/csv.ts';
import { type SheetRow, textCell } from './cell.ts';

/** Read in one go; more come with the next. */
const ROWS_AT_ONCE = 1000;

export async function* csvRows(text: string): AsyncGenerator<SheetRow, void, undefined> {
  const delimiter = delimiterOf(text);
  let row = 0;
  for (let at = 0; at < text.length;) {
    const { data, meta } = Papa.parse<readonly string[]>(text.slice(at), {
      delimiter,
      preview: ROWS_AT_ONCE,
      // In its fast mode, for texts without a quote, the cursor stands one row too far: that row would be lost.
      fastMode: false,
    });
    for (const texts of data)
      yield { row: (row += 1), isHidden: false, cells: texts.map((one) => textCell(plain(one))) };
    if (!meta.truncated || meta.cursor === 0) return;
    at += meta.cursor;
  }
}

const DELIMITERS = [';', '\t', ','];
const LOOKED_AT_LINES = 30;
const LOOKED_AT_CHARACTERS = 64 * 1024;

/** The one that parts most lines alike: titles above the headings have none, and texts have commas. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, LOOKED_AT_CHARACTERS)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/, LOOKED_AT_LINES)
    .filter((line) => line !== '');
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: evenness(lines, delimiter) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/** How many cells the lines have that have equally many. */
function evenness(lines: readonly string[], delimiter: string): number {
  const scores = new Map<number, number>();
  for (const line of lines) {
    const parts = line.split(delimiter).length - 1;
    scores.set(parts, (scores.get(parts) ?? 0) + parts);
  }
  return Math.max(0, ...scores.values());
}

/** An ERP that does not write UTF-8 writes what Windows does here; SAP's "Unicode" says so by its mark. */
export function csvText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** `="0123"` is how a CSV keeps a spreadsheet from cutting zeros; `'=…` is how ours keeps it from calculating. */
const plain = (text: string): string => /^="(.*)"$/s.exec(text)?.[1] ?? unguarded(text);
