/** The results of an import, so many at a time: however long it is, nobody waits for all of them. */
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import type { ApiError, Result } from '../../api/result.ts';
import { IMPORTS, type ImportResult } from '../model.ts';

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
  const rows = known?.rows ?? [];
  const load = async (before: readonly ImportResult[], isLeft: () => boolean): Promise<void> => {
    setBusy(true);
    const next = await resultsOf(id, outcome, before.at(-1)?.index, PAGE);
    if (isLeft()) return;
    setBusy(false);
    if (next.ok) setState({ of: question, rows: [...before, ...next.value], error: undefined });
    else setState({ of: question, rows: before, error: next.error });
  };
  useEffect(() => {
    let isLeft = false;
    void load([], () => isLeft);
    return () => void (isLeft = true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `load` is made anew in every render; it asks the question
  }, [question]);
  return {
    ...{ rows, ready: known !== undefined, error: known?.error, busy },
    more: () => void load(rows, () => false),
  };
}

/** All of them, page by page. */
export async function allResults(id: number, outcome: Outcome): Promise<Result<readonly ImportResult[]>> {
  const all: ImportResult[] = [];
  for (;;) {
    const page = await resultsOf(id, outcome, all.at(-1)?.index, LARGEST_PAGE);
    if (!page.ok) return page;
    for (const result of page.value) all.push(result);
    if (page.value.length < LARGEST_PAGE) return { ...page, value: all };
  }
}

const resultsOf = (
  id: number,
  outcome: Outcome,
  after: number | undefined,
  limit: number,
): Promise<Result<readonly ImportResult[]>> =>
  api.get(`${IMPORTS}/${id}/results`, { query: { outcome, after, limit } });
