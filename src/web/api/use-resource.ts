/** What a page shows of the server: asked when it is drawn, asked again when told to, forgotten when it is left. */
import { useState } from 'preact/hooks';
import { api } from './api.ts';
import { type Query, queryOf } from './client.ts';
import type { ApiError } from './result.ts';
import { pause, useAsking } from './use-asking.ts';

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
  readonly path: string | undefined;
  /** The last one that was answered. */
  readonly question: string | undefined;
  readonly ready: boolean;
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

const NOTHING = { path: undefined, question: undefined, ready: false, value: undefined, error: undefined };

/** `path` of `undefined`: nothing is asked yet. */
export function useResource<T>(
  path: string | undefined,
  { query = {}, again }: ResourceOptions<T> = {},
): Resource<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<State<T>>(NOTHING);
  const question = path === undefined ? undefined : `${turn} ${path}${queryOf(query)}`;

  useAsking(question, async (signal) => {
    const ask = async (): Promise<void> => {
      const answer = await api.get<T>(path ?? '', { query, signal });
      if (signal.aborted) return;
      if (!answer.ok) {
        const { error } = answer;
        return setState((before) => ({
          ...(before.path === path ? before : NOTHING),
          path,
          question,
          error,
        }));
      }
      const { value } = answer;
      setState({ path, question, ready: true, value, error: undefined });
      const later = again?.(value);
      if (later === undefined) return;
      await pause(later);
      if (!signal.aborted) await ask();
    };
    await ask();
  });

  // What belongs to another path is never shown, and what belongs to other filters is, until theirs is there.
  const { ready, value, error } = state.path === path ? state : NOTHING;
  const loading = state.question !== question && question !== undefined;
  return {
    ready,
    value,
    loading,
    error: loading ? undefined : error,
    reload: () => setTurn((before) => before + 1),
  };
}
