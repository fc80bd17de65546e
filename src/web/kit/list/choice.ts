/** Marked rows of a list: single ones, or all matches, fetched or not. */
import { useMemo, useState } from 'preact/hooks';

export interface Choice<Row> {
  readonly has: (row: Row) => boolean;
  readonly isAll: boolean;
  /** Marked rows; if `isAll`, the unmarked ones. */
  readonly told: ReadonlyMap<string, Row>;
  /** Marks (`as` is true) or unmarks rows; without `as` it toggles each. */
  readonly mark: (rows: readonly Row[], as?: boolean) => void;
  readonly markAll: () => void;
  readonly clear: () => void;
}

/** `question`: a new query clears the selection. `keyOf` must be the same in every render. */
export function useChoice<Row>(question: string, keyOf: (row: Row) => string): Choice<Row> {
  const [marked, setMarked] = useState(() => nothingOf<Row>(question));
  const current = useMemo(
    () => (marked.of === question ? marked : nothingOf<Row>(question)),
    [marked, question],
  );
  return useMemo(
    () => ({
      isAll: current.isAll,
      told: current.told,
      has: (row) => current.told.has(keyOf(row)) !== current.isAll,
      mark: (rows, as) =>
        setMarked((before) => {
          const { isAll, told } = before.of === question ? before : nothingOf<Row>(question);
          const after = new Map(told);
          for (const row of rows) {
            const key = keyOf(row);
            const isTold = as === undefined ? !told.has(key) : as !== isAll;
            if (isTold) after.set(key, row);
            else after.delete(key);
          }
          return { of: question, isAll, told: after };
        }),
      markAll: () => setMarked({ ...nothingOf<Row>(question), isAll: true }),
      clear: () => setMarked(nothingOf<Row>(question)),
    }),
    [current, question, keyOf],
  );
}

const nothingOf = <Row>(of: string) => ({ of, isAll: false, told: new Map<string, Row>() });
