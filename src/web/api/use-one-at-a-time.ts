/** Sends the requests of a changing field one at a time: the next one starts after the answer to the last. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from './api.ts';
import { type Query, queryOf } from './client.ts';
import type { ApiError, Result } from './result.ts';

export interface LastAnswer<T> {
  /** The last answer; kept while the next one is awaited. */
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  /** True if the answer is that of the current query. */
  readonly isCurrent: boolean;
}

interface KeyedAnswer<T> {
  readonly queryKey: string;
  readonly answer: Result<T>;
}

/**
 * Queries between the one that is running and the newest are never sent. Without a `query` nothing is
 * requested.
 */
export function useOneAtATime<T>(path: string, query: Query | undefined): LastAnswer<T> {
  const queryKey = query === undefined ? undefined : path + queryOf(query);
  const [lastAnswer, setLastAnswer] = useState<KeyedAnswer<T>>();
  const queryKeyRef = useRef<string | undefined>(undefined);
  const isRunningRef = useRef(false);
  const controllerRef = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    controllerRef.current = controller;
    return () => controller.abort();
  }, []);
  useEffect(() => {
    queryKeyRef.current = queryKey;
    const { current: controller } = controllerRef;
    if (isRunningRef.current || controller === undefined) return;
    isRunningRef.current = true;
    void (async () => {
      let last: string | undefined;
      for (let next = queryKeyRef.current; next !== undefined && next !== last; next = queryKeyRef.current) {
        last = next;
        const answer = await api.get<T>(next, { signal: controller.signal });
        if (controller.signal.aborted) return;
        setLastAnswer({ queryKey: next, answer });
      }
      isRunningRef.current = false;
    })();
  }, [queryKey]);
  const answer = queryKey === undefined ? undefined : lastAnswer?.answer;
  return {
    value: answer?.ok === true ? answer.value : undefined,
    error: answer?.ok === false ? answer.error : undefined,
    isCurrent: queryKey !== undefined && lastAnswer?.queryKey === queryKey,
  };
}
