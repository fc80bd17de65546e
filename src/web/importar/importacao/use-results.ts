/** The results of an import, so many at a time: however long it is, nobody waits for all of them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ImportResult } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import type { ApiError, Result } from '../../api/result.ts';
import { IMPORTS } from '../kinds.ts';

const PAGE = 100;
/** The most that the server answers at once. */
const LARGEST_PAGE = 10_000;

export type Outcome = ImportResult['outcome'] | '';

export interface Results {
  readonly rows: readonly ImportResult[];
  /** The first ones are there, or there is none. */
  readonly ready: boolean;
  readonly error: ApiError | undefined;
  readonly busy: boolean;
  readonly more: () => void;
}

interface State {
  readonly of: string;
  readonly rows: readonly ImportResult[];
  readonly error: ApiError | undefined;
}

export function useResults(id: number, outcome: Outcome): Results {
  const question = `${id} ${outcome}`;
  const [state, setState] = useState<State>();
  const [busy, setBusy] = useState(false);
  const known = state?.of === question ? state : undefined;
  const moreRef = useRef(() => {});
  useEffect(() => {
    const left = new AbortController();
    let rows: readonly ImportResult[] = [];
    let isAsking = false;
    const more = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      setBusy(true);
      const next = await resultsOf({ id, outcome, after: rows.at(-1)?.index, limit: PAGE }, left.signal);
      // Others are looked at by now.
      if (left.signal.aborted) return;
      isAsking = false;
      setBusy(false);
      if (next.ok) rows = [...rows, ...next.value];
      setState({ of: question, rows, error: next.ok ? undefined : next.error });
    };
    moreRef.current = () => void more();
    void more();
    return () => left.abort();
  }, [question, id, outcome]);
  return {
    ...{ rows: known?.rows ?? [], ready: known !== undefined, error: known?.error, busy },
    more: () => moreRef.current(),
  };
}

/** All of them, page by page. */
export async function allResults(id: number, outcome: Outcome): Promise<Result<readonly ImportResult[]>> {
  const all: ImportResult[] = [];
  for (;;) {
    const page = await resultsOf({ id, outcome, after: all.at(-1)?.index, limit: LARGEST_PAGE });
    if (!page.ok) return page;
    for (const result of page.value) all.push(result);
    if (page.value.length < LARGEST_PAGE) return { ...page, value: all };
  }
}

interface Asked {
  readonly id: number;
  readonly outcome: Outcome;
  readonly after: number | undefined;
  readonly limit: number;
}

const resultsOf = ({ id, ...query }: Asked, signal?: AbortSignal): Promise<Result<readonly ImportResult[]>> =>
  api.get(`${IMPORTS}/${id}/results`, { query, ...(signal && { signal }) });
