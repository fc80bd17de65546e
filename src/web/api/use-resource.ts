/** What a page shows of the server: asked when it is drawn, asked again when told to, forgotten when it is left. */
import { useEffect, useState } from 'preact/hooks';
import { api } from './api.ts';
import { type Query, queryOf } from './client.ts';
import type { ApiError } from './result.ts';

export interface Resource<T> {
  /** The last answer; stays while another one is awaited. `undefined` too where the answer has no body (204). */
  readonly value: T | undefined;
  /** There is an answer. */
  readonly ready: boolean;
  readonly error: ApiError | undefined;
  /** A question is under way. */
  readonly loading: boolean;
  readonly reload: () => void;
}

export interface ResourceOptions<T> {
  readonly query?: Query;
  /** Asks again so long after an answer; `undefined`: no more. */
  readonly again?: (value: T) => number | undefined;
}

interface State<T> {
  readonly of: string | undefined;
  readonly ready: boolean;
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

const NOTHING = { of: undefined, ready: false, value: undefined, error: undefined } as const;

/** `path` of `undefined`: nothing is asked yet. */
export function useResource<T>(
  path: string | undefined,
  { query, again }: ResourceOptions<T> = {},
): Resource<T> {
  const address = path === undefined ? undefined : path + queryOf(query);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<State<T>>(NOTHING);
  const [answered, setAnswered] = useState('');
  const question = address === undefined ? '' : `${turn} ${address}`;

  useEffect(() => {
    if (address === undefined) return;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const answer = await api.get<T>(address, { signal: left.signal });
      if (left.signal.aborted) return;
      setAnswered(question);
      if (answer.ok) {
        setState({ of: path, ready: true, value: answer.value, error: undefined });
        const later = again?.(answer.value);
        if (later !== undefined) timer = setTimeout(() => void ask(), later);
      } else
        setState((before) => ({ ...(before.of === path ? before : NOTHING), of: path, error: answer.error }));
    };
    void ask();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `again` is made anew in every render
  }, [question]);

  // What belongs to another path is never shown, and what belongs to other filters is, until theirs is there.
  const isOurs = state.of === path;
  return {
    value: isOurs ? state.value : undefined,
    ready: isOurs && state.ready,
    error: isOurs && answered === question ? state.error : undefined,
    loading: address !== undefined && answered !== question,
    reload: () => setTurn((before) => before + 1),
  };
}
