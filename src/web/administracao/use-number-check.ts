/**
 * Stops a form at a number that looks mistyped: once when the number may be intended, always when it is
 * invalid.
 */
import { useRef } from 'preact/hooks';
import type { Problem } from '../api/result.ts';
import { type NumberKind, numberFault, plainNumber } from './numbers.ts';

export interface TypedNumber {
  /** Name of the form field. */
  readonly field: string;
  readonly kind: NumberKind;
  readonly typed: string;
}

/** Returns the problems to report now. An empty list means that the form may be sent. */
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
