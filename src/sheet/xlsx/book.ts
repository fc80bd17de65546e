/** Holds what the cells of a workbook refer to. */
import type { NumberFormat } from './number-format.ts';
import type { StringTable } from './string-table.ts';

export interface Workbook {
  readonly strings: StringTable;
  /** Formats by the number of the cell style. */
  readonly formats: readonly NumberFormat[];
  /** Days between day 0 of the file and 1970-01-01. */
  readonly daysBefore: number;
}
