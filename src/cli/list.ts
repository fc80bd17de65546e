/** What every command that lists has in common: a table with Portuguese headings, or JSON with the API's names. */
import type { Command } from 'commander';
import { say } from './folder-command.ts';
import { printTable } from './table.ts';

export interface ListFlags {
  readonly json?: true;
}

/** What stands below each heading. */
export type Columns<T> = Readonly<Record<string, (record: T) => unknown>>;

export const withJson = (made: Command): Command => made.option('--json', 'como JSON');

export function printList<T extends object>(
  records: readonly T[],
  columns: Columns<T>,
  { json }: ListFlags,
): void {
  if (json === true) return say(JSON.stringify(records, undefined, 2));
  printTable(
    records.map((record) =>
      Object.fromEntries(Object.entries(columns).map(([heading, valueOf]) => [heading, valueOf(record)])),
    ),
  );
}
