/** Request that runs on mount. It is aborted when the query changes or the component unmounts. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Calls `send` for each new `queryKey`, but not for `undefined`. `signal` is aborted when the response is no
 * longer needed.
 */
export function useRequest(
  queryKey: string | undefined,
  send: (signal: AbortSignal) => Promise<unknown>,
): void {
  const sendRef = useRef(send);
  useLayoutEffect(() => {
    sendRef.current = send;
  });
  useEffect(() => {
    if (queryKey === undefined) return undefined;
    const controller = new AbortController();
    void sendRef.current(controller.signal);
    return () => controller.abort();
  }, [queryKey]);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
