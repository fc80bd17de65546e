/** Selects the visible rows of a list: those that contain every typed word, initially up to a limit. */
import { finder, unpointed } from '../words.ts';

export const SHOWN_FIRST = 25;

export interface Listed<Row> {
  readonly shown: readonly Row[];
  /** Number of hidden rows. */
  readonly hidden: number;
}

export function found<Row>(
  rows: readonly Row[],
  typed: string,
  textOf: (row: Row) => string,
  isOpen: boolean,
): Listed<Row> {
  const has = finder(unpointed(typed));
  const matching = rows.filter((row) => has(textOf(row)));
  const shown = isOpen ? matching : matching.slice(0, SHOWN_FIRST);
  return { shown, hidden: matching.length - shown.length };
}
