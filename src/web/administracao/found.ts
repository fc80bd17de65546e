/** Which rows of a list are shown: those with every word that was typed, and at first only so many. */
import { finder, unpointed } from '../words.ts';

export const SHOWN_FIRST = 25;

export interface Listed<Row> {
  readonly shown: readonly Row[];
  /** How many more there are. */
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
