/** Rows with one value each: typed or pasted text and the accepted value that it matches. */
import type { ImportReason } from '../../api/answers.ts';
import { folded } from '../../words.ts';

/** Value to fill in for each row. */
export interface Fill {
  /** Name in the form of a column target. */
  readonly target: string;
  readonly heading: string;
  readonly accepted: readonly string[] | null;
}

/** Returns the fills of an attribute. A compound has one per part. */
export function fillsOf({
  member,
  heading,
  accepted,
  parts,
}: Pick<ImportReason, 'member' | 'heading' | 'accepted' | 'parts'>): readonly Fill[] {
  if (member === null) return [];
  if (parts.length === 0) return [{ target: member, heading: heading ?? member, accepted }];
  return parts.map((part) => ({ ...part, target: part.member, heading: `${heading}: ${part.heading}` }));
}

/** Maximum number of rows in the page. For more, a spreadsheet is better. */
export const EACH_MAX = 200;

/** Values by row and column; '' means unchanged. */
export type Cells = readonly (readonly string[])[];

export const isFilled = (cells: Cells): boolean =>
  cells.some((row) => row.some((cell) => cell.trim() !== ''));

/** Inserts pasted text from a position on: one or several spreadsheet columns. */
export function withPasted(cells: Cells, text: string, row: number, column: number): Cells {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return cells.map((before, index) => {
    const values = lines[index - row]?.split('\t');
    return index < row || values === undefined
      ? before
      : before.map((cell, place) => values[place - column]?.trim() ?? cell);
  });
}

/**
 * Returns the only accepted value whose code or text equals, or else begins like, the typed text. Returns the
 * typed text if there is no such value.
 */
export function completeValue(typedText: string, accepted: Fill['accepted']): string {
  const text = folded(typedText.trim());
  if (text === '' || accepted === null || accepted.includes(typedText.trim())) return typedText.trim();
  const partsOf = (value: string): readonly string[] => [value, ...value.split(' - ')].map(folded);
  const equalValues = accepted.filter((value) => partsOf(value).includes(text));
  const candidates =
    equalValues.length > 0
      ? equalValues
      : accepted.filter((value) => partsOf(value).some((part) => part.startsWith(text)));
  return candidates.length === 1 ? (candidates[0] ?? typedText) : typedText.trim();
}

/** Returns true if the server would refuse the cell. It does not check several values in one cell. */
export const isRefused = (cell: string, accepted: Fill['accepted']): boolean =>
  cell !== '' && accepted !== null && !cell.includes('|') && !accepted.includes(cell);
