/** Moves a lost focus to the page: content that is replaced may have contained the focused element. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Restores the focus in a page. `what`: identifies the current content; '' or any other word. */
export function useFocusKept(what: string): void {
  const beforeRef = useRef(what);
  useLayoutEffect(() => {
    if (beforeRef.current === what) return;
    beforeRef.current = what;
    keepFocus();
  }, [what]);
}

/** Restores the focus in a component that replaces another one. */
export const useFocusKeptHere = (): void => useLayoutEffect(keepFocus, []);

function keepFocus(): void {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true });
}
