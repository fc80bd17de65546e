/** A field that was asked for gets the focus as it is drawn: a moment later it would take it from the one that is typed in by then. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** `many` fields stand there; the answer is called when one more is asked for, and `added` then finds it. */
export function useFocusAdded(many: number, added: () => HTMLElement | undefined): () => void {
  const isWanted = useRef(false);
  useLayoutEffect(() => {
    if (isWanted.current) added()?.focus();
    isWanted.current = false;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- where to look is made anew in every render
  }, [many]);
  return () => {
    isWanted.current = true;
  };
}

export const fieldsIn = (box: Element | null | undefined): readonly HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []),
];
