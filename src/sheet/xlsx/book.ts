/** What the cells of a workbook refer to. */
import type { NumberFormat } from './number-format.ts';
import type { StringTable } from './string-table.ts';

export interface Workbook {
  readonly strings: StringTable;
  /** By the number of a cell's style. */
  readonly formats: readonly NumberFormat[];
  /** Days between day 0 of the file and 1970-01-01. */
  readonly daysBefore: number;
}
