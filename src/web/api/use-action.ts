/** Something that a person does to the server: under way, refused, done. */
import { useRef, useState } from 'preact/hooks';
import type { ApiError, Result } from './result.ts';

export interface Action<Arguments extends readonly unknown[], T> {
  /** Answers the value, or `undefined` when it was refused; a second call while one is under way is not made. */
  readonly run: (...args: Arguments) => Promise<T | undefined>;
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  readonly clear: () => void;
}

/** `onDone`: what follows when it was not refused, also where the answer has no body. */
export function useAction<Arguments extends readonly unknown[], T>(
  act: (...args: Arguments) => Promise<Result<T>>,
  onDone?: (value: T) => void,
): Action<Arguments, T> {
  const [busy, setBusy] = useState(false);
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
  return { run, busy, error, clear: () => setError(undefined) };
}
