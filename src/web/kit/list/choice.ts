/** Marked rows of a list: single ones, or all matches, fetched or not. */
import { useMemo, useState } from 'preact/hooks';

export interface Choice<Row> {
  readonly has: (row: Row) => boolean;
  readonly isAll: boolean;
  /** Marked rows; if `isAll`, the unmarked ones. */
  readonly exceptions: ReadonlyMap<string, Row>;
  /** Marks or unmarks rows as `isMarked` says; without it, toggles each. */
  readonly mark: (rows: readonly Row[], isMarked?: boolean) => void;
  readonly markAll: () => void;
  readonly clear: () => void;
}

/** `question`: a new query clears the selection. `keyOf` must be the same in every render. */
export function useChoice<Row>(question: string, keyOf: (row: Row) => string): Choice<Row> {
  const [marked, setMarked] = useState(() => emptyChoice<Row>(question));
  const current = useMemo(
    () => (marked.question === question ? marked : emptyChoice<Row>(question)),
    [marked, question],
  );
  return useMemo(
    () => ({
      isAll: current.isAll,
      exceptions: current.exceptions,
      has: (row) => current.exceptions.has(keyOf(row)) !== current.isAll,
      mark: (rows, isMarked) =>
        setMarked((before) => {
          const { isAll, exceptions } = before.question === question ? before : emptyChoice<Row>(question);
          const after = new Map(exceptions);
          for (const row of rows) {
            const key = keyOf(row);
            const isException = isMarked === undefined ? !exceptions.has(key) : isMarked !== isAll;
            if (isException) after.set(key, row);
            else after.delete(key);
          }
          return { question, isAll, exceptions: after };
        }),
      markAll: () => setMarked({ ...emptyChoice<Row>(question), isAll: true }),
      clear: () => setMarked(emptyChoice<Row>(question)),
    }),
    [current, question, keyOf],
  );
}

const emptyChoice = <Row>(question: string) => ({
  question,
  isAll: false,
  exceptions: new Map<string, Row>(),
});
