/** Exports a list as a table: its columns, the requested ones, and the text (contract section 24). */
import type { TProperties } from '@sinclair/typebox';
import type { EpochMs } from '../clock.ts';
import { type Cell, csvOf } from '../files/csv.ts';
import { sheetXml } from './xlsx/write.ts';
import { localDateTime } from '../validation/calendar.ts';
import { t } from '../validation/type.ts';

export interface TableColumn<Row> {
  /** The name of the column in a request, and in the mapping of a received sheet. */
  readonly target: string;
  readonly heading: string;
  readonly cell: (row: Row) => Cell;
}

/** A table to read in a Worker. It holds plain values, because they are sent to the Worker. */
export interface TableRead<Kind extends string, Filter> {
  readonly kind: Kind;
  readonly filter: Filter;
  /** Absent: all columns. */
  readonly columns: readonly string[] | undefined;
  readonly format: TableFormat;
}

/** The formats of a table. The text of an XLSX is the part with its rows. */
export const TABLE_FORMATS = ['csv', 'xlsx'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

const COLUMNS_MAX = 100_000;

/**
 * Defines the query of a table: the filters of its list, and its columns.
 * `extraTargets`: matches targets of further columns that are not in the list of columns.
 */
export const tableQuery = <F extends TProperties>(
  filters: F,
  targets: readonly string[],
  extraTargets?: RegExp,
) =>
  t.Object({
    ...filters,
    columns: t.Optional(
      t.String({
        maxLength: COLUMNS_MAX,
        'x-check': (text: string) =>
          columnsIn(text).every((one) => targets.includes(one) || extraTargets?.test(one) === true),
        'x-domain': `colunas separadas por vírgula: ${targets.join(', ')}${extraTargets === undefined ? '' : ', atributo:CÓDIGO, atributo:CÓDIGO/SUBCÓDIGO'}`,
        description: 'Que colunas, nesta ordem, separadas por vírgula; sem isto, todas.',
        examples: [targets.slice(0, 2).join(',')],
      }),
    ),
  });

const columnsIn = (text: string): readonly string[] => text.split(',').map((one) => one.trim());

/** Splits a decoded query into columns and filters. */
export const tableOf = <Q extends { readonly columns?: string }>({ columns, ...filters }: Q) => ({
  filters,
  columns: columns === undefined ? undefined : columnsIn(columns),
});

/** Returns the requested columns, in the requested order. */
export const requestedColumns = <Row>(
  all: readonly TableColumn<Row>[],
  targets: readonly string[] | undefined,
): readonly TableColumn<Row>[] =>
  targets === undefined ? all : targets.flatMap((one) => all.find(({ target }) => target === one) ?? []);

/** Yields the text of the table in chunks. An empty text lets other work run. */
export function tableTexts<Row>(
  format: TableFormat,
  columns: readonly TableColumn<Row>[],
  rows: Iterable<Row | undefined>,
): AsyncGenerator<string> {
  const headings = columns.map(({ heading }) => heading);
  const cells = rowsOf(columns, rows);
  return format === 'csv' ? csvOf(headings, cells) : sheetXml(headings, cells);
}

function* rowsOf<Row>(columns: readonly TableColumn<Row>[], rows: Iterable<Row | undefined>) {
  for (const row of rows) yield row === undefined ? undefined : columns.map(({ cell }) => cell(row));
}

/** Returns `20/11/2026` for `2026-11-20`. */
export const dayCell = (day: string): string => day.split('-').reverse().join('/');

/** Returns `20/11/2026 10:31`, in Brasília time. */
export function momentCell(instant: EpochMs): string {
  const text = localDateTime(instant);
  return `${dayCell(text.slice(0, 10))} ${text.slice(11, 16)}`;
}

export const yesOrNo = (is: boolean): string => (is ? 'Sim' : 'Não');
