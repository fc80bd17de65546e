/** Action of a user on the server, with its state: running, refused, done. */
import { useRef, useState } from 'preact/hooks';
import type { ApiError, Result } from './result.ts';

export interface Action<Arguments extends readonly unknown[], T> {
  /** Returns the value, or `undefined` after a refusal. A second call is ignored while one is running. */
  readonly run: (...args: Arguments) => Promise<T | undefined>;
  readonly isBusy: boolean;
  readonly error: ApiError | undefined;
  readonly clear: () => void;
}

/** `onDone`: called after success, also without a body. */
export function useAction<Arguments extends readonly unknown[], T>(
  act: (...args: Arguments) => Promise<Result<T>>,
  onDone?: (value: T) => void,
): Action<Arguments, T> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const runningRef = useRef(false);
  const run = async (...args: Arguments): Promise<T | undefined> => {
    if (runningRef.current) return undefined;
    runningRef.current = true;
    setBusy(true);
    setError(undefined);
    const answer = await act(...args).finally(() => {
      runningRef.current = false;
      setBusy(false);
    });
    if (answer.ok) {
      onDone?.(answer.value);
      return answer.value;
    }
    setError(answer.error);
    return undefined;
  };
  return { run, isBusy, error, clear: () => setError(undefined) };
}
