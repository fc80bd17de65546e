/**
 * Fields for the expected number of records, which an import that would change or deactivate many records
 * requires.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api/result.ts';
import { Input } from '../ui/field.tsx';

const LABELS = {
  'APPL-ER0450': 'Quantos passam a ser outros',
  'APPL-ER0451': 'Quantos são desativados',
} as const;
type Brake = keyof typeof LABELS;
const BRAKES = ['APPL-ER0450', 'APPL-ER0451'] as const;

export interface ExpectedNumbers {
  /** Value in API form, or `undefined` if nothing is typed. */
  readonly expected: object | undefined;
  /** Renders the fields after a refusal has requested a number. `error`: refusal of the last attempt. */
  readonly fieldsOf: (error: ApiError | undefined) => JSX.Element;
}

export function useExpected(): ExpectedNumbers {
  const [typedNumbers, setTypedNumbers] = useState<Partial<Record<Brake, string>>>({});
  // A number that was requested once stays required.
  const [requestedBrakes, setRequestedBrakes] = useState<readonly Brake[]>([]);
  const fieldsOf = (error: ApiError | undefined) => {
    const further = BRAKES.filter(
      (brake) =>
        !requestedBrakes.includes(brake) && error?.problems.some(({ code }) => code === brake) === true,
    );
    if (further.length > 0) setRequestedBrakes([...requestedBrakes, ...further]);
    return (
      <>
        {requestedBrakes.map((brake) => (
          <Input
            key={brake}
            label={LABELS[brake]}
            inputMode="numeric"
            value={typedNumbers[brake] ?? ''}
            onChange={(text) => setTypedNumbers({ ...typedNumbers, [brake]: text })}
            help="Para seguir, digite o número que a recusa diz."
          />
        ))}
      </>
    );
  };
  const [changed, deactivated] = BRAKES.map((brake) => numberIn(typedNumbers[brake]));
  const isTyped = changed !== undefined || deactivated !== undefined;
  return {
    expected: isTyped
      ? { ...(changed !== undefined && { changed }), ...(deactivated !== undefined && { deactivated }) }
      : undefined,
    fieldsOf,
  };
}

const numberIn = (text = ''): number | undefined =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
