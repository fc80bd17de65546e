/** The rows of a list that somebody has marked: one by one, or all that are found, fetched or not. */
import { useMemo, useState } from 'preact/hooks';

export interface Choice<Row> {
  readonly has: (row: Row) => boolean;
  readonly isAll: boolean;
  /** The marked ones, or, where all are, those that are not. */
  readonly told: ReadonlyMap<string, Row>;
  /** As is said, or each the other way round. */
  readonly mark: (rows: readonly Row[], as?: boolean) => void;
  readonly markAll: () => void;
  readonly clear: () => void;
}

/** `question`: when it becomes another one, nothing is marked any more. `keyOf` is the same in every render. */
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
