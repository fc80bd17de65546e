/** Stops a form at a number that looks mistyped: once where it can be meant, each time where it cannot. */
import { useRef } from 'preact/hooks';
import type { Problem } from '../api/result.ts';
import { type NumberKind, numberFault, plainNumber } from './numbers.ts';

export interface TypedNumber {
  /** Of the form. */
  readonly field: string;
  readonly kind: NumberKind;
  readonly typed: string;
}

/** Answers what is to be told now; empty: send it. */
export function useNumberCheck(): (numbers: readonly TypedNumber[]) => readonly Problem[] {
  const toldRef = useRef(new Set<string>());
  return (numbers) =>
    numbers.flatMap(({ field, kind, typed }) => {
      const fault = numberFault(kind, typed);
      if (fault === undefined) return [];
      const number = `${field} ${plainNumber(typed)}`;
      if (fault.canBeMeant && toldRef.current.has(number)) return [];
      toldRef.current.add(number);
      return { message: fault.message, code: null, place: field };
    });
}
