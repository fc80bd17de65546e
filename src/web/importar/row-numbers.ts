/** Reads row numbers as people type them: `3, 10-12`. */

/** Maximum rows of a sheet (contract section 24). */
const ROWS_MAX = 200_000;

/** Returns the row numbers. `undefined`: the text holds anything else. */
export function rowNumbersIn(text: string): readonly number[] | undefined {
  const rows = new Set<number>();
  for (const part of text.split(/[,;\s]+/).filter(Boolean)) {
    const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to < from || rows.size + to - from >= ROWS_MAX) return undefined;
    for (let row = from; row <= to; row += 1) rows.add(row);
  }
  return [...rows];
}
