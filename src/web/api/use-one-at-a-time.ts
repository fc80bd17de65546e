/** What takes more than one request, made once: a second press before the first one is drawn does nothing. */
import { useRef } from 'preact/hooks';

export function useOneAtATime(): <Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void> {
  const runningRef = useRef(false);
  return (act) =>
    async (...args) => {
      if (runningRef.current) return;
      runningRef.current = true;
      await act(...args).finally(() => {
        runningRef.current = false;
      });
    };
}
