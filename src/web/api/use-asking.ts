/** Request that runs on mount. It is aborted when the query changes or the component unmounts. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Calls `ask` for each new `question`, but not for `undefined`. `signal` is aborted when the response is no
 * longer needed.
 */
export function useRequest(
  question: string | undefined,
  send: (signal: AbortSignal) => Promise<unknown>,
): void {
  const sendRef = useRef(send);
  useLayoutEffect(() => {
    sendRef.current = send;
  });
  useEffect(() => {
    if (question === undefined) return undefined;
    const controller = new AbortController();
    void sendRef.current(controller.signal);
    return () => controller.abort();
  }, [question]);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
