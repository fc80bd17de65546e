/**
 * A cell of a sheet: its value as text, and its type in the file. `1.234` is another number in a text than in
 * a number.
 */

/**
 * The type of a cell.
 * `time`: a number displayed as an hour.
 * `formula`: a formula without a stored result.
 */
export type CellSource = 'text' | 'number' | 'boolean' | 'day' | 'moment' | 'time' | 'error' | 'formula';

export interface Cell {
  /** A number as its digits, a day as `yyyy-MM-dd`, a formula as `=A1`. */
  readonly text: string;
  readonly from: CellSource;
  /** A number or moment in its format, in Portuguese, if that is not `text` with a decimal comma. */
  readonly displayText?: string;
}

/** Columns from 0, both included. */
export interface ColumnRange {
  readonly first: number;
  readonly last: number;
}

export interface SheetRow {
  /** The number from 1, as a spreadsheet shows it. */
  readonly row: number;
  readonly isHidden: boolean;
  /** The hidden columns of the sheet. */
  readonly hiddenColumns?: readonly ColumnRange[];
  /**
   * The cells with a text, by column from 0. A map, because a cell in the last column must cost no more than
   * one in the first.
   */
  readonly cells: ReadonlyMap<number, Cell>;
}

/** A sheet of a file. Each read of it counts against the limits of the file. */
export interface Table {
  readonly name: string;
  /** True for a CSV: a separator in a text without quotation marks shifts the cells after it. */
  readonly isDelimited?: true;
  readonly rows: () => AsyncIterable<SheetRow>;
}

export const isBlank = (cell: Cell | undefined): boolean => cell === undefined || cell.text.trim() === '';

export const isEmptyRow = ({ cells }: SheetRow): boolean => cells.values().every(isBlank);

const LETTERS = 26;

/** Returns `A` for 0, `AA` for 26. */
export function columnLetters(index: number): string {
  const rest = index % LETTERS;
  const before = (index - rest) / LETTERS;
  return (before === 0 ? '' : columnLetters(before - 1)) + String.fromCharCode(65 + rest);
}

/** The errors of a spreadsheet, as a Portuguese spreadsheet shows them. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['#N/A', '#N/D'],
  ['#VALUE!', '#VALOR!'],
  ['#NAME?', '#NOME?'],
  ['#NUM!', '#NÚM!'],
  ['#NULL!', '#NULO!'],
  ['#REF!', '#REF!'],
  ['#DIV/0!', '#DIV/0!'],
]);
const ERROR_TEXTS = new Set(ERRORS.values());

export const errorCell = (code: string): Cell => ({ text: ERRORS.get(code) ?? code, from: 'error' });

/** Returns the code of an error in the file format. `#N/A` for any other text. */
export const errorCode = (text: string): string =>
  ERRORS.has(text) ? text : ([...ERRORS].find(([, inPortuguese]) => inPortuguese === text)?.[0] ?? '#N/A');

export const textCell = (text: string): Cell => ({ text, from: 'text' });

/** A number or day in a column that is too narrow for it: a spreadsheet writes these signs to a CSV too. */
const OVERFLOW = /^##+$/;

/**
 * Returns a cell of a CSV. A spreadsheet writes its errors as texts. The catp CSV guards a text
 * that looks like one.
 */
export const csvCell = (text: string): Cell =>
  ERRORS.has(text) || ERROR_TEXTS.has(text) || OVERFLOW.test(text) ? { text, from: 'error' } : textCell(text);

/** Returns `31/12/2026` for `2026-12-31`, with its time. */
const inPortuguese = (text: string): string => text.replace(/^(\d{4})-(\d\d)-(\d\d)T?/, '$3/$2/$1 ').trim();

/** Returns the cell as a person sees it in the spreadsheet. */
export function displayedText({ text, from, displayText: shown }: Cell): string {
  if (shown !== undefined) return shown;
  if (from === 'number') return text.replace('.', ',');
  if (from === 'boolean') return text === 'true' ? 'VERDADEIRO' : 'FALSO';
  return from === 'day' || from === 'moment' ? inPortuguese(text) : text;
}
