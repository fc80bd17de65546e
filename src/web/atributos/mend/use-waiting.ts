/** The products that wait to be mended, for as long as the page shows them. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../api/result.ts';
import type { Resource } from '../../api/use-resource.ts';
import { type Asked, type Found, findWaiting } from './waiting.ts';

type Question = Omit<Asked, 'signal'>;

interface State {
  readonly of: string;
  readonly value: Found | undefined;
  readonly error: ApiError | undefined;
}

/** A question without a day waits for it. */
export function useWaiting({ source, cpfCnpjRaiz, day, on }: Question): Resource<Found> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<State>();
  const question = [turn, source, cpfCnpjRaiz, day, on].join(' ');
  useEffect(() => {
    if (day === '' || source === '') return;
    const left = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await findWaiting({ source, cpfCnpjRaiz, day, on, signal: left.signal });
      if (left.signal.aborted) return;
      setState(
        answer.ok
          ? { of: question, value: answer.value, error: undefined }
          : { of: question, value: undefined, error: answer.error },
      );
    };
    void ask();
    return () => left.abort();
  }, [question, source, cpfCnpjRaiz, day, on]);
  const isOurs = state?.of === question;
  return {
    value: isOurs ? state.value : undefined,
    ready: isOurs && state.value !== undefined,
    error: isOurs ? state.error : undefined,
    loading: !isOurs,
    reload: () => setTurn((before) => before + 1),
  };
}
