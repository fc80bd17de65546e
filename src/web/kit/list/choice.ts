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

/** `queryKey`: another query clears the selection. `keyOf` must be the same in every render. */
export function useChoice<Row>(queryKey: string, keyOf: (row: Row) => string): Choice<Row> {
  const [marked, setMarked] = useState(() => emptyChoice<Row>(queryKey));
  const current = useMemo(
    () => (marked.queryKey === queryKey ? marked : emptyChoice<Row>(queryKey)),
    [marked, queryKey],
  );
  return useMemo(
    () => ({
      isAll: current.isAll,
      exceptions: current.exceptions,
      has: (row) => current.exceptions.has(keyOf(row)) !== current.isAll,
      mark: (rows, isMarked) =>
        setMarked((before) => {
          const { isAll, exceptions } = before.queryKey === queryKey ? before : emptyChoice<Row>(queryKey);
          const after = new Map(exceptions);
          for (const row of rows) {
            const key = keyOf(row);
            const isException = isMarked === undefined ? !exceptions.has(key) : isMarked !== isAll;
            if (isException) after.set(key, row);
            else after.delete(key);
          }
          return { queryKey, isAll, exceptions: after };
        }),
      markAll: () => setMarked({ ...emptyChoice<Row>(queryKey), isAll: true }),
      clear: () => setMarked(emptyChoice<Row>(queryKey)),
    }),
    [current, queryKey, keyOf],
  );
}

const emptyChoice = <Row>(queryKey: string) => ({
  queryKey,
  isAll: false,
  exceptions: new Map<string, Row>(),
});
