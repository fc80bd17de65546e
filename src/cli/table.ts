/** Prints records as a table of aligned columns, or one sentence when there are none. */
import { visible } from '../validation/text.ts';

export function printTable(records: readonly object[]): void {
  const [first] = records;
  if (first === undefined) {
    process.stdout.write('Nenhum registro.\n');
    return;
  }
  const names = Object.keys(first);
  const rows = records.map((record) =>
    names.map((name) => textOf((record as Record<string, unknown>)[name])),
  );
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [names, ...rows])
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}
