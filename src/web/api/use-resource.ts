/** Server data of a page: fetched on mount, fetched again on request, discarded on unmount. */
import { useState } from 'preact/hooks';
import { api } from './api.ts';
import { type Query, queryOf } from './client.ts';
import type { ApiError } from './result.ts';
import { pause, useRequest } from './use-request.ts';

export interface Resource<T> {
  /** Last response; kept while the next one loads. Also `undefined` if the response has no body (204). */
  readonly value: T | undefined;
  /** True once a response was received. */
  readonly isReady: boolean;
  readonly error: ApiError | undefined;
  /** True while a request runs. */
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface ResourceOptions<T> {
  readonly query?: Query;
  /** Returns the delay in milliseconds until the next request, or `undefined` to stop. */
  readonly pollAfter?: (value: T) => number | undefined;
}

interface State<T> {
  readonly path: string | undefined;
  /** Last answered query. */
  readonly queryKey: string | undefined;
  readonly isReady: boolean;
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

const NO_ANSWER = {
  path: undefined,
  queryKey: undefined,
  isReady: false,
  value: undefined,
  error: undefined,
};

/** Fetches `path`, or nothing while it is `undefined`. */
export function useResource<T>(
  path: string | undefined,
  { query = {}, pollAfter }: ResourceOptions<T> = {},
): Resource<T> {
  const [reloadCount, setReloadCount] = useState(0);
  const [state, setState] = useState<State<T>>(NO_ANSWER);
  const queryKey = path === undefined ? undefined : `${reloadCount} ${path}${queryOf(query)}`;

  useRequest(queryKey, async (signal) => {
    const fetchAndPoll = async (): Promise<void> => {
      const answer = await api.get<T>(path ?? '', { query, signal });
      if (signal.aborted) return;
      if (!answer.ok) {
        const { error } = answer;
        return setState((before) => ({
          ...(before.path === path ? before : NO_ANSWER),
          path,
          queryKey,
          error,
        }));
      }
      const { value } = answer;
      setState({ path, queryKey, isReady: true, value, error: undefined });
      const delayMs = pollAfter?.(value);
      if (delayMs === undefined) return;
      await pause(delayMs);
      if (!signal.aborted) await fetchAndPoll();
    };
    await fetchAndPoll();
  });

  // A value of another path is never shown. A value of other filters is shown until theirs arrives.
  const { isReady, value, error } = state.path === path ? state : NO_ANSWER;
  const isLoading = state.queryKey !== queryKey && queryKey !== undefined;
  return {
    isReady,
    value,
    isLoading,
    error: isLoading ? undefined : error,
    reload: () => setReloadCount((before) => before + 1),
  };
}
