/** A cell of a sheet: its value as text, and its type there. `1.234` in a text is another number than in a number. */

/** `time`: a number that is shown as an hour. `formula`: one without a stored result. */
export type CellSource = 'text' | 'number' | 'boolean' | 'day' | 'moment' | 'time' | 'error' | 'formula';

export interface Cell {
  /** A number as its digits, a day as `yyyy-MM-dd`, a formula as `=A1`. */
  readonly text: string;
  readonly from: CellSource;
  /** A number or moment in its format, in Portuguese, where that is not `text` with a decimal comma. */
  readonly shown?: string;
}

export interface SheetRow {
  /** From 1, as a spreadsheet shows it. */
  readonly row: number;
  readonly isHidden: boolean;
  /** Those with a text, by column, from 0: one in the last column costs no more than one in the first. */
  readonly cells: ReadonlyMap<number, Cell>;
}

/** A sheet of a file; each reading of it counts against the limits of the file. */
export interface Table {
  readonly name: string;
  readonly rows: () => AsyncIterable<SheetRow>;
}

export const isBlank = (cell: Cell | undefined): boolean => cell === undefined || cell.text.trim() === '';

export const isEmptyRow = ({ cells }: SheetRow): boolean => cells.values().every(isBlank);

const LETTERS = 26;

/** `A` of 0, `AA` of 26. */
export function columnLetters(index: number): string {
  const rest = index % LETTERS;
  const before = (index - rest) / LETTERS;
  return (before === 0 ? '' : columnLetters(before - 1)) + String.fromCharCode(65 + rest);
}

/** The errors of a spreadsheet, as one in Portuguese shows them. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['#N/A', '#N/D'],
  ['#VALUE!', '#VALOR!'],
  ['#NAME?', '#NOME?'],
  ['#NUM!', '#NÚM!'],
  ['#NULL!', '#NULO!'],
  ['#REF!', '#REF!'],
  ['#DIV/0!', '#DIV/0!'],
]);
const SHOWN_ERRORS = new Set(ERRORS.values());

export const errorCell = (code: string): Cell => ({ text: ERRORS.get(code) ?? code, from: 'error' });

/** The code that a file holds for an error as it is shown; `#N/A` for any other text. */
export const errorCode = (text: string): string =>
  [...ERRORS].find(([, inPortuguese]) => inPortuguese === text)?.[0] ?? '#N/A';

export const textCell = (text: string): Cell => ({ text, from: 'text' });

/** A cell of a CSV: a spreadsheet writes its errors as texts; our own file guards a text that reads so. */
export const csvCell = (text: string): Cell =>
  ERRORS.has(text) || SHOWN_ERRORS.has(text) ? errorCell(text) : textCell(text);

/** `31/12/2026` of `2026-12-31`, and the time behind it. */
const inPortuguese = (text: string): string => text.replace(/^(\d{4})-(\d\d)-(\d\d)T?/, '$3/$2/$1 ').trim();

/** The cell as a person sees it in the spreadsheet. */
export function seenText({ text, from, shown }: Cell): string {
  if (shown !== undefined) return shown;
  if (from === 'number') return text.replace('.', ',');
  if (from === 'boolean') return text === 'true' ? 'VERDADEIRO' : 'FALSO';
  return from === 'day' || from === 'moment' ? inPortuguese(text) : text;
}
