/** What a cell of a sheet held, as text, and what it was there: `1.234` is another number in a text than in a number. */
export interface Cell {
  readonly text: string;
  readonly from: 'text' | 'number' | 'boolean' | 'day';
}

export interface SheetRow {
  /** As the program that wrote it counts: the heading is in line 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

export interface Sheet {
  readonly name: string;
  readonly headings: readonly string[];
  readonly rows: readonly SheetRow[];
}

export const EMPTY: Cell = { text: '', from: 'text' };

export const isEmptyRow = ({ cells }: SheetRow): boolean => cells.every(({ text }) => text === '');
