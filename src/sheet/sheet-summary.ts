/**
 * Reads the sheets of a file: their headings, three samples and a guess for each column (contract section
 * 24).
 */
import { type Cell, type SheetRow, type Table, isBlank } from './cell.ts';
import type { Guess, HeadedColumn, SheetKind } from './column.ts';
import { headerRowOf } from './header.ts';
import { UnreadableSheet } from './unreadable-sheet.ts';

export interface SheetSummary {
  readonly name: string;
  /** Number of rows below the headings that are not empty. */
  readonly rows: number;
  readonly headerRow: number;
  readonly columns: readonly ColumnSummary[];
  /** The last row, if it may be a sum. */
  readonly sum?: SumRow;
  /** The indexes of the columns that the spreadsheet hides. */
  readonly hidden?: readonly number[];
}

/** A row whose first cell begins with `Total`. */
export interface SumRow {
  readonly row: number;
  readonly text: string;
  /** The columns of its other cells. */
  readonly filled: readonly number[];
}

export interface ColumnSummary extends Guess {
  readonly index: number;
  readonly heading: string;
  readonly samples: readonly string[];
}

const SAMPLES = 3;
/** Maximum characters of a sample. A sample shows the kind of a column, so longer ones are cut. */
const SAMPLE_CHARACTERS = 150;
const HEADER_SEARCH_ROWS = 30;
/** Maximum values that a guess checks. */
const JUDGED_VALUES = 200;
/** Maximum characters of each value that are checked. */
const JUDGED_CHARACTERS = 1000;
/** Maximum characters of a heading. It is stored with each import of the sheet, so longer ones are cut. */
const HEADING_CHARACTERS = 500;

export interface ReadSheetOptions {
  readonly kind: SheetKind;
  /** The heading row that a person chose, in one sheet. */
  readonly headerRow?: number | undefined;
  /** Returns the target of each column. */
  readonly guess: (headedColumns: readonly ReadColumn[]) => readonly Guess[];
}

/** A column as guesses use it. */
export interface ReadColumn extends HeadedColumn {
  /** Number of cells of each short value, until there are too many values. */
  readonly distinct: ReadonlyMap<string, number>;
}

/** Maximum distinct values of a column that are counted, mainly for NCMs. */
const DISTINCT_PER_COLUMN = 20_000;
/** Maximum distinct values of all columns together. */
const DISTINCT_TOTAL = 1_000_000;
/** Maximum characters of a counted value. A longer value is no code. */
const DISTINCT_CHARACTERS = 100;

/** Reads a sheet. Throws `UnreadableSheet`. `undefined`: it has no row below its headings. */
export async function readSheet(table: Table, options: ReadSheetOptions): Promise<SheetSummary | undefined> {
  const { kind, guess } = options;
  const first: SheetRow[] = [];
  /** Columns by index, from 0. `undefined` until the headings are found. */
  let columns: Map<number, OpenColumn> | undefined;
  let [headerRow, rows, distinctLeft] = [options.headerRow, 0, DISTINCT_TOTAL];
  const begin = (): void => {
    headerRow ??= headerRowOf(first, kind);
    const header = first.find(({ row }) => row === headerRow);
    columns = new Map();
    for (const [index, cell] of header?.cells ?? []) columns.set(index, openColumn(cell));
    for (const row of first) if (row.row > (headerRow ?? 0)) add(row);
  };
  let last: SheetRow | undefined;
  const add = (row: SheetRow): void => {
    const { cells } = row;
    last = row;
    rows += 1;
    for (const [index, cell] of cells) {
      if (isBlank(cell)) continue;
      const column = columns?.get(index) ?? openColumn(undefined);
      columns?.set(index, column);
      distinctLeft -= addValue(column, cell, distinctLeft);
    }
  };
  for await (const row of table.rows()) {
    if (columns !== undefined) add(row);
    else if (row.row >= (headerRow ?? 0) && first.push(row) === HEADER_SEARCH_ROWS) begin();
  }
  if (columns === undefined) begin();
  if (rows === 0 || headerRow === undefined || columns === undefined) return undefined;
  const sortedColumns = [...columns].toSorted(([a], [b]) => a - b);
  const headedColumns = sortedColumns.map(([, column]) => column);
  const guesses = guess(headedColumns);
  const hidden = sortedColumns.map(([index]) => index).filter((index) => isHiddenIn(last, index));
  return {
    name: table.name,
    rows,
    headerRow,
    ...(last && sumIn(last)),
    ...(hidden.length > 0 && { hidden }),
    columns: sortedColumns
      .map(([index, { heading, samples }], position) => ({
        index,
        heading,
        samples,
        ...(guesses[position] as Guess), // one guess for each column
      }))
      .filter(({ heading, samples }) => heading !== '' || samples.length > 0),
  };
}

const isHiddenIn = (row: SheetRow | undefined, index: number): boolean =>
  row?.hiddenColumns?.some(({ first, last }) => index >= first && index <= last) === true;

/** `Total`, `Totais:`, `TOTAL GERAL`. `Totalflex` is a name. */
const SUM = /^tota(?:l|is)(?:[\s:]|$)/i;

function sumIn({ row, cells }: SheetRow): { readonly sum: SumRow } | undefined {
  const [first, ...others] = [...cells].filter(([, cell]) => !isBlank(cell)).toSorted(([a], [b]) => a - b);
  const text = first?.[1].text.trim() ?? '';
  return SUM.test(text) ? { sum: { row, text, filled: others.map(([index]) => index) } } : undefined;
}

interface OpenColumn extends ReadColumn {
  readonly values: string[];
  readonly samples: string[];
  readonly distinct: Map<string, number>;
}

const openColumn = (cell: Cell | undefined): OpenColumn => ({
  heading: (cell?.text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, HEADING_CHARACTERS),
  values: [],
  samples: [],
  distinct: new Map(),
});

/** Returns the number of distinct values that the column may still add. */
function addValue(column: OpenColumn, { text }: Cell, distinctLeft: number): number {
  const { values, samples, distinct } = column;
  const before = distinct.size;
  const value = text.trim();
  if (values.length < JUDGED_VALUES) values.push(value.slice(0, JUDGED_CHARACTERS));
  const count = distinct.get(value) ?? 0;
  const isKept =
    distinct.size < DISTINCT_PER_COLUMN && distinctLeft > 0 && value.length <= DISTINCT_CHARACTERS;
  if (count > 0 || isKept) distinct.set(value, count + 1);
  const sample = value.length > SAMPLE_CHARACTERS ? `${value.slice(0, SAMPLE_CHARACTERS)}…` : value;
  if (samples.length < SAMPLES && !samples.includes(sample)) samples.push(sample);
  return distinct.size - before;
}

export const noRowsBelow = (): UnreadableSheet =>
  new UnreadableSheet(
    'empty',
    'A planilha não tem linhas abaixo de um cabeçalho; ponha em uma linha os nomes das colunas, e os registros abaixo dela.',
  );
