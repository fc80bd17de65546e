/** A question to the server, asked when it is drawn; who asks another one, or leaves, wants its answer no more. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Calls `ask` for each other `question`, and for `undefined` not at all; `signal` is aborted when the answer is not wanted. */
export function useAsking(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<unknown>,
): void {
  const askRef = useRef(ask);
  useLayoutEffect(() => {
    askRef.current = ask;
  });
  useEffect(() => {
    if (question === undefined) return undefined;
    const left = new AbortController();
    void askRef.current(left.signal);
    return () => left.abort();
  }, [question]);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
