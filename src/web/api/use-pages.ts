/** A list that the server hands out in pages, fetched as far as it is looked at. */
import { useState } from 'preact/hooks';
import { type Query, queryOf } from './client.ts';
import { type Page, type Paging, onePage, pagingOf } from './pages.ts';
import type { ApiError } from './result.ts';
import { useAsking } from './use-asking.ts';

export interface Pages<Row> {
  /** With gaps, where pages are asked for by place. */
  readonly rows: readonly Row[];
  /** How many there are in all, fetched or not; `undefined` before the first answer. */
  readonly total: number | undefined;
  /** Otherwise it is an estimate. */
  readonly totalIsExact: boolean;
  /** Every row has been fetched. */
  readonly whole: boolean;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** More rows are under way. */
  readonly busy: boolean;
  /** Somebody looks at the rows before this one, from another one on (`onShown` of `VirtualTable`). */
  readonly need: (to: number, from?: number) => void;
  readonly reload: () => void;
}

interface State<Row> {
  readonly question: string;
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly totalIsExact: boolean;
  readonly next: Page<Row>['next'] | undefined;
}

const NOTHING = { question: '', rows: [], total: undefined, totalIsExact: false, next: undefined } as const;

/** Where all have been fetched, their number is known; an estimate is never below what is there. */
function withPage<Row>(
  before: State<Row>,
  { items, next, total, totalIsExact = true }: Page<Row>,
): State<Row> {
  const rows = [...before.rows, ...items];
  const { question } = before;
  if (next === null) return { question, rows, next, total: rows.length, totalIsExact: true };
  return { question, rows, next, total: Math.max(total ?? 0, rows.length + 1), totalIsExact };
}

export function usePages<Row>(path: string, query: Query, paging: Partial<Paging<Row>> = {}): Pages<Row> {
  const [turn, setTurn] = useState(0);
  const question = `${turn} ${path}${queryOf(query)}`;
  const [state, setState] = useState<State<Row>>(NOTHING);
  const [failure, setFailure] = useState<{ readonly of: string; readonly error: ApiError }>();
  const [needed, setNeeded] = useState({ of: question, to: 1 });

  // The rows of the filters before stay until those of the new ones are there; what was wrong with those does not.
  const error = failure?.of === question ? failure.error : undefined;
  const known: State<Row> = state.question === question ? state : { ...NOTHING, question };
  const to = needed.of === question ? needed.to : 1;
  const busy = error === undefined && known.next !== null && known.rows.length < to;
  useAsking(busy ? `${question} ${known.rows.length}` : undefined, async (signal) => {
    const answer = await onePage(path, { ...query, after: known.next }, { ...pagingOf(paging), signal });
    if (signal.aborted) return;
    if (answer.ok) setState(withPage(known, answer.value));
    else setFailure({ of: question, error: answer.error });
  });

  return {
    rows: state.rows,
    total: state.total,
    totalIsExact: state.totalIsExact,
    error,
    busy,
    whole: state.next === null,
    loading: known !== state && error === undefined,
    need: (until) => {
      const sought = Math.min(until, state.total ?? until);
      // The page that is under way is wanted all the same: whoever scrolls back may come again.
      if (!busy && sought <= known.rows.length) return;
      setFailure(undefined);
      setNeeded({ of: question, to: Math.max(sought, known.rows.length + 1) });
    },
    reload: () => setTurn((before) => before + 1),
  };
}
