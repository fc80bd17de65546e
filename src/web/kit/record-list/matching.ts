/** Search in a short list. */
import { finder, unpointed } from '../../words.ts';

export interface SearchableColumn<Row> {
  /** Searchable text. */
  readonly text: (row: Row) => string;
}

/** Returns the rows that contain every typed word, with or without the points of numbers. */
export function matching<Row>(
  rows: readonly Row[],
  columns: readonly SearchableColumn<Row>[],
  typedText: string,
): readonly Row[] {
  const has = finder(unpointed(typedText));
  return rows.filter((row) =>
    has(columns.map(({ text }) => `${text(row)} ${unpointed(text(row))}`).join(' ')),
  );
}
