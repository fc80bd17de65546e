/**
 * Edited copy of an outer value, for instance the filters of the address or a date of a link. When the outer
 * value changes, the copy is reset in the same render; an effect would run a frame later and discard what was
 * typed by then.
 */
import { useState } from 'preact/hooks';

export function useCopyOf<T>(outer: T): readonly [T, (change: T | ((before: T) => T)) => void] {
  const outerKey = JSON.stringify(outer);
  const [copy, setCopy] = useState({ outerKey, value: outer });
  if (copy.outerKey !== outerKey) setCopy({ outerKey, value: outer });
  const change = (next: T | ((before: T) => T)): void =>
    // No copied value is a function.
    setCopy(({ outerKey: sameKey, value }) => ({
      outerKey: sameKey,
      value: typeof next === 'function' ? (next as (before: T) => T)(value) : next,
    }));
  return [copy.outerKey === outerKey ? copy.value : outer, change];
}
