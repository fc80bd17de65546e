/** Requests of a field that changes while they run: one at a time, the next when the last was answered. */
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

interface Answered<T> {
  readonly question: string;
  readonly answer: Result<T>;
}

/** Queries between the one that is running and the newest are never sent. `query`: `undefined` asks nothing. */
export function useOneAtATime<T>(path: string, query: Query | undefined): LastAnswer<T> {
  const question = query === undefined ? undefined : path + queryOf(query);
  const [answered, setAnswered] = useState<Answered<T>>();
  const wantedRef = useRef<string | undefined>(undefined);
  const isRunningRef = useRef(false);
  const controllerRef = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    controllerRef.current = controller;
    return () => controller.abort();
  }, []);
  useEffect(() => {
    wantedRef.current = question;
    const { current: controller } = controllerRef;
    if (isRunningRef.current || controller === undefined) return;
    isRunningRef.current = true;
    void (async () => {
      let last: string | undefined;
      for (let next = wantedRef.current; next !== undefined && next !== last; next = wantedRef.current) {
        last = next;
        const answer = await api.get<T>(next, { signal: controller.signal });
        if (controller.signal.aborted) return;
        setAnswered({ question: next, answer });
      }
      isRunningRef.current = false;
    })();
  }, [question]);
  const answer = question === undefined ? undefined : answered?.answer;
  return {
    value: answer?.ok === true ? answer.value : undefined,
    error: answer?.ok === false ? answer.error : undefined,
    isCurrent: question !== undefined && answered?.question === question,
  };
}
