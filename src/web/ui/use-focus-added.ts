/** Moves the focus to an added field in a layout effect: a later effect could take it from a field in use. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Returns a function to call before a field is added. When `count`, the number of fields, changes, `newest`
 * returns the field to focus.
 */
export function useFocusAdded(count: number, newest: () => HTMLElement | undefined): () => void {
  const isPendingRef = useRef(false);
  useLayoutEffect(() => {
    if (isPendingRef.current) newest()?.focus();
    isPendingRef.current = false;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `newest` is created again in each render
  }, [count]);
  return () => {
    isPendingRef.current = true;
  };
}

export const fieldsIn = (container: Element | null | undefined): readonly HTMLElement[] => [
  ...(container?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []),
];
