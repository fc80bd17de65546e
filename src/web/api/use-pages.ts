/** A list that the server hands out in pages (contract section 14), fetched as far as it is looked at. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from './api.ts';
import { type Query, queryOf } from './client.ts';
import type { ApiError } from './result.ts';

const PAGE_ROWS = 500;

interface Answer<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
  readonly total?: number;
  readonly totalIsExact?: boolean;
}

export interface Pages<Row> {
  readonly rows: readonly Row[];
  /** How many there are in all, fetched or not; `undefined` before the first answer. */
  readonly total: number | undefined;
  /** Otherwise it is an estimate. */
  readonly totalIsExact: boolean;
  /** Every row has been fetched. */
  readonly whole: boolean;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** Somebody looks at the rows before this one (`onShown` of `VirtualTable`). */
  readonly need: (to: number) => void;
  readonly reload: () => void;
}

interface State<Row> {
  readonly question: string;
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly totalIsExact: boolean;
  /** `null`: that was the last page. */
  readonly next: string | null | undefined;
}

const NOTHING = { question: '', rows: [], total: undefined, totalIsExact: false, next: undefined } as const;

/** Where all have been fetched, their number is known; an estimate is never below what is there. */
function withPage<Row>(
  before: State<Row>,
  { items, next, total, totalIsExact = true }: Answer<Row>,
): State<Row> {
  const rows = [...before.rows, ...items];
  const { question } = before;
  if (next === null) return { question, rows, next, total: rows.length, totalIsExact: true };
  return { question, rows, next, total: Math.max(total ?? 0, rows.length + 1), totalIsExact };
}

export function usePages<Row>(path: string, query: Query): Pages<Row> {
  const [turn, setTurn] = useState(0);
  const question = `${turn} ${path}${queryOf({ ...query, limit: PAGE_ROWS })}`;
  const [state, setState] = useState<State<Row>>(NOTHING);
  const [failure, setFailure] = useState<{ readonly of: string; readonly error: ApiError }>();
  const needed = useRef(PAGE_ROWS);
  const fetchTo = useRef<(to: number) => void>(() => {});

  useEffect(() => {
    const left = new AbortController();
    let current: State<Row> = { ...NOTHING, question };
    let busy = false;
    const fetchOn = async (): Promise<void> => {
      if (busy) return;
      busy = true;
      while (current.next !== null && current.rows.length < needed.current) {
        const after = current.next;
        const answer = await api.get<Answer<Row>>(path, {
          query: { ...query, limit: PAGE_ROWS, after },
          signal: left.signal,
        });
        if (left.signal.aborted) return;
        setFailure(answer.ok ? undefined : { of: question, error: answer.error });
        if (!answer.ok) break;
        current = withPage(current, answer.value);
        setState(current);
      }
      busy = false;
    };
    needed.current = 1;
    fetchTo.current = (to) => {
      needed.current = to;
      void fetchOn();
    };
    void fetchOn();
    return () => left.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `question` is all of path and query
  }, [question]);

  // The rows of the filters before stay until those of the new ones are there; what was wrong with those does not.
  const error = failure?.of === question ? failure.error : undefined;
  return {
    ...{ rows: state.rows, total: state.total, totalIsExact: state.totalIsExact, error },
    whole: state.next === null,
    loading: state.question !== question && error === undefined,
    need: (to) => fetchTo.current(Math.min(to, state.total ?? to)),
    reload: () => setTurn((before) => before + 1),
  };
}
