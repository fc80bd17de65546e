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
  /** Every value that is there, each once, as far as there are not too many. */
  readonly distinct: ReadonlySet<string>;
}

/** Of distinct values of a column so many are looked at: NCMs, above all. */
const DISTINCT_KEPT = 20_000;

/** `undefined`: it has no row below a heading. Throws `UnreadableSheet`. */
export async function lookAt(table: Table, parts: LookParts): Promise<LookedSheet | undefined> {
  const { kind, known, better = (_, guesses) => guesses } = parts;
  const first: SheetRow[] = [];
  let columns: OpenColumn[] | undefined;
  let [headerRow, rows] = [parts.headerRow, 0];
  const begin = (): void => {
    headerRow ??= headerRowOf(first, kind);
    const header = first.find(({ row }) => row === headerRow);
    columns = (header?.cells ?? []).map((cell) => openColumn(cell));
    // Holes are columns without a heading.
    columns = Array.from(columns, (column) => column ?? openColumn(undefined));
    for (const row of first) if (row.row > (headerRow ?? 0)) add(row);
  };
  const add = ({ cells }: SheetRow): void => {
    rows += 1;
    cells.forEach((cell, index) => {
      if (isBlank(cell)) return;
      while ((columns?.length ?? 0) <= index) columns?.push(openColumn(undefined));
      addValue(columns?.[index] as OpenColumn, cell as Cell); // it is there by now
    });
  };
  for await (const row of table.rows()) {
    if (columns !== undefined) add(row);
    else if (first.push(row) >= LOOKED_AT_FIRST && row.row >= (headerRow ?? 0)) begin();
  }
  if (columns === undefined) begin();
  if (rows === 0 || headerRow === undefined || columns === undefined) return undefined;
  const headed = columns;
  const guesses = guessWithin(headed, kind, better(headed, guessColumns(headed, kind, known)));
  return {
    name: table.name,
    rows,
    headerRow,
    columns: headed
      .map(({ heading, samples }, index) => ({
        ...{ index, heading, samples },
        ...(guesses[index] as Guess), // one for each
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
  heading: (cell?.text ?? '').replaceAll(/\s+/g, ' ').trim(),
  values: [],
  samples: [],
  distinct: new Set(),
});

function addValue(column: OpenColumn, { text }: Cell): void {
  const { values, samples, distinct } = column;
  const value = text.trim();
  if (values.length < JUDGED_VALUES) values.push(value);
  if (distinct.size < DISTINCT_KEPT) distinct.add(value);
  const sample = value.length > SAMPLE_CHARACTERS ? `${value.slice(0, SAMPLE_CHARACTERS)}…` : value;
  if (samples.length < SAMPLES && !samples.includes(sample)) samples.push(sample);
}

export const nothingBelow = (): UnreadableSheet =>
  new UnreadableSheet(
    'empty',
    'A planilha não tem linhas abaixo de um cabeçalho; ponha em uma linha os nomes das colunas, e os registros abaixo dela.',
  );
