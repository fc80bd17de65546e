/** A file looked through: its sheets, their headings, three samples and a guess for each column (contract section 24). */
import { type Cell, type SheetRow, type Table, isBlank } from './cell.ts';
import type { Guess, SheetKind } from './column.ts';
import { type HeadedColumn, guessColumns, guessWithin } from './guess.ts';
import { headerRowOf } from './header.ts';
import { UnreadableSheet } from './unreadable-sheet.ts';

export interface LookedSheet {
  readonly name: string;
  /** Not empty ones, below the headings. */
  readonly rows: number;
  readonly headerRow: number;
  readonly columns: readonly LookedColumn[];
}

export interface LookedColumn extends Guess {
  readonly index: number;
  readonly heading: string;
  readonly samples: readonly string[];
}

const SAMPLES = 3;
/** Longer ones are cut: a sample shows what a column is. */
const SAMPLE_CHARACTERS = 150;
const LOOKED_AT_FIRST = 30;
/** Values by which a guess is judged. */
const JUDGED_VALUES = 200;
/** What is judged of each: it fits, or does not, by its begin. */
const JUDGED_CHARACTERS = 1000;
/** A heading is kept with each import of the sheet: longer ones are cut. */
const HEADING_CHARACTERS = 500;

export interface LookParts {
  readonly kind: SheetKind;
  readonly known: ReadonlyMap<string, string | null>;
  /** Guesses anew, of one sheet, with a row that a person has named. */
  readonly headerRow?: number | undefined;
  /** Is told of every value of a column; what it learns, it may guess by. */
  readonly better?: (headed: readonly ReadColumn[], guesses: readonly Guess[]) => readonly Guess[];
}

/** A column as far as guesses look at it. */
export interface ReadColumn extends HeadedColumn {
  /** Short values, each once, as far as there are not too many. */
  readonly distinct: ReadonlySet<string>;
}

/** Distinct values of a column that are looked at: NCMs, above all. */
const DISTINCT_KEPT = 20_000;
/** The same of all columns together. */
const DISTINCT_IN_ALL = 1_000_000;
/** A longer value is no code. */
const DISTINCT_CHARACTERS = 100;

/** `undefined`: it has no row below a heading. Throws `UnreadableSheet`. */
export async function lookAt(table: Table, parts: LookParts): Promise<LookedSheet | undefined> {
  const { kind, known, better = (_, guesses) => guesses } = parts;
  const first: SheetRow[] = [];
  /** By their place, from 0; `undefined` until the headings are found. */
  let columns: Map<number, OpenColumn> | undefined;
  let [headerRow, rows, distinctLeft] = [parts.headerRow, 0, DISTINCT_IN_ALL];
  const begin = (): void => {
    headerRow ??= headerRowOf(first, kind);
    const header = first.find(({ row }) => row === headerRow);
    columns = new Map();
    for (const [index, cell] of header?.cells ?? []) columns.set(index, openColumn(cell));
    for (const row of first) if (row.row > (headerRow ?? 0)) add(row);
  };
  const add = ({ cells }: SheetRow): void => {
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
    else if (row.row >= (headerRow ?? 0) && first.push(row) === LOOKED_AT_FIRST) begin();
  }
  if (columns === undefined) begin();
  if (rows === 0 || headerRow === undefined || columns === undefined) return undefined;
  const placed = [...columns].toSorted(([a], [b]) => a - b);
  const headed = placed.map(([, column]) => column);
  const guesses = guessWithin(headed, kind, better(headed, guessColumns(headed, kind, known)));
  return {
    name: table.name,
    rows,
    headerRow,
    columns: placed
      .map(([index, { heading, samples }], at) => ({
        ...{ index, heading, samples },
        ...(guesses[at] as Guess), // one for each
      }))
      .filter(({ heading, samples }) => heading !== '' || samples.length > 0),
  };
}

interface OpenColumn extends ReadColumn {
  readonly values: string[];
  readonly samples: string[];
  readonly distinct: Set<string>;
}

const openColumn = (cell: Cell | undefined): OpenColumn => ({
  heading: (cell?.text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, HEADING_CHARACTERS),
  values: [],
  samples: [],
  distinct: new Set(),
});

/** Returns how many distinct values more the column has. */
function addValue(column: OpenColumn, { text }: Cell, distinctLeft: number): number {
  const { values, samples, distinct } = column;
  const before = distinct.size;
  const value = text.trim();
  if (values.length < JUDGED_VALUES) values.push(value.slice(0, JUDGED_CHARACTERS));
  if (distinct.size < DISTINCT_KEPT && distinctLeft > 0 && value.length <= DISTINCT_CHARACTERS)
    distinct.add(value);
  const sample = value.length > SAMPLE_CHARACTERS ? `${value.slice(0, SAMPLE_CHARACTERS)}…` : value;
  if (samples.length < SAMPLES && !samples.includes(sample)) samples.push(sample);
  return distinct.size - before;
}

export const nothingBelow = (): UnreadableSheet =>
  new UnreadableSheet(
    'empty',
    'A planilha não tem linhas abaixo de um cabeçalho; ponha em uma linha os nomes das colunas, e os registros abaixo dela.',
  );
