/** Reads the rows of a sheet of an XLSX, as a stream from the zip. */
import { formatValue } from '../../validation/format-value.ts';
import { type Cell, type ColumnRange, type SheetRow, errorCell, isEmptyRow, textCell } from '../cell.ts';
import type { SheetMeter } from '../meter.ts';
import { UnreadableSheet } from '../unreadable-sheet.ts';
import { type NumberFormat, PLAIN, numberCell } from './number-format.ts';
import type { StringTable } from './string-table.ts';
import { LimitedText } from './limited-text.ts';
import { parseXml } from './xml.ts';

/** Maximum ranges of hidden columns that are kept. Each is compared with each column of the heading. */
const MAX_COLUMN_RANGES = 1000;

/** Maximum characters of a formula in a message. */
const FORMULA_CHARACTERS = 100;

/** The time of an ISO date that is only a day. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;

/** The last row of a spreadsheet. */
const LAST_ROW = 1_048_576;

/** The parts of a workbook to which its cells refer. */
export interface Workbook {
  readonly strings: StringTable;
  /** Formats by the number of the cell style. */
  readonly formats: readonly NumberFormat[];
  /** Days between day 0 of the file and 1970-01-01. */
  readonly daysBefore: number;
}

/** Yields the rows that are not empty. Throws `UnreadableSheet` at the first limit of the meter. */
export async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  book: Workbook,
  meter: SheetMeter,
): AsyncGenerator<SheetRow, void, undefined> {
  const reading = new RowReading(book, meter);
  for await (const _ of parseXml(pieces, reading)) yield* reading.takeRows();
  yield* reading.takeRows();
}

class RowReading {
  readonly #book: Workbook;
  readonly #meter: SheetMeter;
  #rows: SheetRow[] = [];
  #cells = new Map<number, Cell>();
  #row = 0;
  #isHidden = false;
  /** Shared by all rows. The sheet names them before its first row. */
  readonly #hiddenColumns: ColumnRange[] = [];
  #column = -1;
  #type = '';
  #style = 0;
  readonly #text: LimitedText;
  #isText = false;
  #isPhonetic = false;
  /** The formula without its result. `undefined` in a cell without a formula. */
  #formula: string | undefined;
  #isFormula = false;

  constructor(book: Workbook, meter: SheetMeter) {
    this.#book = book;
    this.#meter = meter;
    this.#text = new LimitedText(meter.cellCharacters);
  }

  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'c') this.#beginCell(attributes);
    else if (name === 'col' && isTrue(attributes['hidden'])) this.#hideColumns(attributes);
    else if (name === 'v' || name === 't') this.#isText = !this.#isPhonetic;
    else if (name === 'f') {
      this.#formula = '=';
      this.#isFormula = true;
    } else if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 'row') {
      // Some writers omit the numbers of rows and cells.
      this.#row = attributes['r'] === undefined ? this.#row + 1 : rowOf(attributes['r']);
      this.#isHidden = isTrue(attributes['hidden']);
      this.#cells = new Map();
      this.#column = -1;
    }
  };

  readonly close = (name: string): void => {
    if (name === 'c') this.#endCell();
    else if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'f') this.#isFormula = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'row') this.#endRow();
  };

  readonly text = (text: string): void => {
    if (this.#isText) this.#text.add(text);
    else if (this.#isFormula && this.#formula !== undefined && this.#formula.length < FORMULA_CHARACTERS)
      this.#formula += text.slice(0, FORMULA_CHARACTERS);
  };

  #hideColumns({ min = '0', max = min }: Readonly<Record<string, string>>): void {
    if (this.#hiddenColumns.length < MAX_COLUMN_RANGES)
      this.#hiddenColumns.push({ first: Number(min) - 1, last: Number(max) - 1 });
  }

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#type = t;
    this.#style = Number(s);
    this.#text.clear();
    this.#formula = undefined;
    this.#isFormula = false;
  }

  #endCell(): void {
    const text = this.#text.value;
    const cell = text === '' ? this.#formulaCell() : this.#cellOf(text);
    if (cell === undefined) return;
    this.#meter.addCell(this.#row, this.#column, cell.text.length + (cell.displayText?.length ?? 0));
    this.#cells.set(this.#column, cell);
  }

  #endRow(): void {
    const hiddenColumns = this.#hiddenColumns;
    const row = { row: this.#row, isHidden: this.#isHidden, hiddenColumns, cells: this.#cells };
    if (isEmptyRow(row)) return this.#meter.addEmptyLine();
    this.#meter.addRow();
    this.#rows.push(row);
  }

  /** Returns the cell of a formula that its program has not calculated. An empty text is a result. */
  #formulaCell(): Cell | undefined {
    return this.#formula === undefined || this.#type === 'str'
      ? undefined
      : { text: this.#formula, from: 'formula' };
  }

  #cellOf(text: string): Cell | undefined {
    const { strings, formats, daysBefore } = this.#book;
    switch (this.#type) {
      case 's': {
        const shared = strings.get(Number(text));
        if (shared === undefined) throw damagedSheet('texto', text);
        return textCell(shared);
      }
      case 'str':
      case 'inlineStr':
        return textCell(this.#text.unescaped);
      case 'b':
        return { text: String(text === '1' || text === 'true'), from: 'boolean' };
      case 'e':
        return errorCell(text);
      case 'd':
        return text.length > 10 && !MIDNIGHT.test(text)
          ? { text: text.slice(0, 19), from: 'moment' }
          : { text: text.slice(0, 10), from: 'day' };
      default:
        return numberCell(text, formats[this.#style] ?? PLAIN, daysBefore);
    }
  }
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

/** Returns the number of a row. Throws `UnreadableSheet` for an invalid row. */
function rowOf(reference: string): number {
  const row = Number(reference);
  if (!Number.isInteger(row) || row < 1 || row > LAST_ROW) throw damagedSheet('linha', reference);
  return row;
}

const damagedSheet = (what: string, reference: string): UnreadableSheet =>
  new UnreadableSheet(
    'broken',
    `A planilha está danificada (${what} ${formatValue(reference)}); abra-a e salve-a de novo como XLSX.`,
  );

/** Returns 0 for `A1`. Throws `UnreadableSheet` for an invalid column. */
function columnOf(reference: string): number {
  let column = 0;
  for (let offset = 0; offset < reference.length; offset += 1) {
    const letter = reference.charCodeAt(offset) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  if (column === 0) throw damagedSheet('célula', reference);
  return column - 1;
}
