/** Rows that are filled in each with its own value: what is typed or pasted, and what is meant by it. */
import type { ImportReason } from '../../api/answers.ts';
import { folded } from '../../words.ts';

/** What a row is to be filled in with. */
export interface Fill {
  /** As a column's target names it. */
  readonly target: string;
  readonly heading: string;
  readonly accepted: readonly string[] | null;
}

/** A compound is filled in part by part. */
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

/** So many are filled in on a page; of more a spreadsheet is the better grid. */
export const EACH_MAX = 200;

/** By row and column; '' is left as it is. */
export type Cells = readonly (readonly string[])[];

export const isFilled = (cells: Cells): boolean =>
  cells.some((row) => row.some((cell) => cell.trim() !== ''));

/** What was pasted, from a place on: a column of a spreadsheet, or several. */
export function pasted(cells: Cells, text: string, row: number, column: number): Cells {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return cells.map((before, at) => {
    const values = lines[at - row]?.split('\t');
    return at < row || values === undefined
      ? before
      : before.map((cell, place) => values[place - column]?.trim() ?? cell);
  });
}

/** The one accepted text that begins like what was typed, its code or its words; else what was typed. */
export function meant(typed: string, accepted: Fill['accepted']): string {
  const text = folded(typed.trim());
  if (text === '' || accepted === null || accepted.includes(typed.trim())) return typed.trim();
  const partsOf = (one: string): readonly string[] => [one, ...one.split(' - ')].map(folded);
  const same = accepted.filter((one) => partsOf(one).includes(text));
  const near =
    same.length > 0 ? same : accepted.filter((one) => partsOf(one).some((part) => part.startsWith(text)));
  return near.length === 1 ? (near[0] ?? typed) : typed.trim();
}

/** What the server would say of it too; several values in one cell are left to it. */
export const isRefused = (cell: string, accepted: Fill['accepted']): boolean =>
  cell !== '' && accepted !== null && !cell.includes('|') && !accepted.includes(cell);
