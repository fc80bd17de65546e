/**
 * What is typed over something else: the filters of the address, a day that a link names. When that becomes another, the typed
 * is begun anew in the same drawing; an effect would do so a frame later, over what was typed by then.
 */
import { useState } from 'preact/hooks';

export function useFollowing<T>(outer: T): readonly [T, (change: T | ((before: T) => T)) => void] {
  const of = JSON.stringify(outer);
  const [held, setHeld] = useState({ of, value: outer });
  if (held.of !== of) setHeld({ of, value: outer });
  const change = (next: T | ((before: T) => T)): void =>
    // No value that is followed is a function.
    setHeld(({ of: same, value }) => ({
      of: same,
      value: typeof next === 'function' ? (next as (before: T) => T)(value) : next,
    }));
  return [held.of === of ? held.value : outer, change];
}
