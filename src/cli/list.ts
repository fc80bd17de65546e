/**
 * The shared form of all commands that list: a table with Portuguese headings, or JSON with the API's names.
 */
import type { Command } from 'commander';
import { readingCommand, printLine } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { printTable } from './table.ts';

export interface ListFlags {
  readonly json?: true;
}

/** The value below each heading. */
type Columns<T> = Readonly<Record<string, (record: T) => unknown>>;

export const withJson = (made: Command): Command => made.option('--json', 'imprime em JSON');

/** Makes a `list` command of records in the data folder. */
export const listCommand = <T extends object>(
  about: string,
  recordsOf: (open: OpenFolder) => readonly T[],
  columns: Columns<T>,
): Command =>
  withJson(
    readingCommand<ListFlags>('list', about, (open, flags) => printList(recordsOf(open), columns, flags)),
  );

export function printList<T extends object>(
  records: readonly T[],
  columns: Columns<T>,
  { json }: ListFlags,
): void {
  if (json === true) return printLine(JSON.stringify(records, undefined, 2));
  printTable(
    records.map((record) =>
      Object.fromEntries(Object.entries(columns).map(([heading, valueOf]) => [heading, valueOf(record)])),
    ),
  );
}
