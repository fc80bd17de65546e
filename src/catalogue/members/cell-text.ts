/** Writes several values into one cell of a sheet (contract section 24). */

/** Returns several values as one cell; escapes the separator within values. */
export const cellOf = (values: readonly string[]): string | null =>
  values.length === 0 ? null : values.map(escaped).join(' | ');

/** Returns several codes as one cell; also escapes `;`, which separates codes. */
export const codesCell = (codes: readonly string[]): string | null =>
  codes.length === 0 ? null : codes.map((code) => escaped(code).replaceAll(';', '\\;')).join(' | ');

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', '\\n');
