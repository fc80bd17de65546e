/** The rows of a list that somebody has marked. */
import { useCallback, useState } from 'preact/hooks';

export interface Choice<Row> {
  readonly chosen: ReadonlyMap<string, Row>;
  readonly toggle: (row: Row) => void;
  /** These and no others. */
  readonly choose: (rows: readonly Row[]) => void;
}

/** `question`: when it becomes another one, nothing is marked any more. `keyOf` is the same in every render. */
export function useChoice<Row>(question: string, keyOf: (row: Row) => string): Choice<Row> {
  const [marked, setMarked] = useState({ of: question, rows: new Map<string, Row>() });
  const choose = useCallback(
    (rows: readonly Row[]) =>
      setMarked({ of: question, rows: new Map(rows.map((row) => [keyOf(row), row])) }),
    [question, keyOf],
  );
  const toggle = useCallback(
    (row: Row) =>
      setMarked((before) => {
        const rows = new Map(before.of === question ? before.rows : []);
        if (!rows.delete(keyOf(row))) rows.set(keyOf(row), row);
        return { of: question, rows };
      }),
    [question, keyOf],
  );
  return { chosen: marked.of === question ? marked.rows : NONE, toggle, choose };
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();
