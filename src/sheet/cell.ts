/** What a cell of a sheet held, as text, and what it was there: `1.234` is another number in a text than in a number. */

export type CellSource = 'text' | 'number' | 'boolean' | 'day' | 'moment' | 'error';

export interface Cell {
  /** As it is shown; a number as its digits, a day as `yyyy-MM-dd`. */
  readonly text: string;
  readonly from: CellSource;
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

/** A text of a CSV may be an error that a spreadsheet wrote. */
export const textCell = (text: string): Cell =>
  ERRORS.has(text) || SHOWN_ERRORS.has(text) ? errorCell(text) : { text, from: 'text' };
