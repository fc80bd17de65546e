/** Tables on a terminal. */

/** Prints columns as wide as their widest cell; numbers are right-aligned. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isNumber = (column: number) => rows.every((row) => typeof row[column] === 'number');
  for (const [index, line] of lines.entries()) {
    const cells = line.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`.trimEnd());
    if (index === 0) console.log(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
