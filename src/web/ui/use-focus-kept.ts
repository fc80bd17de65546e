/** Where a page draws something else in its place what had the focus may be gone: then the page itself has it, and nobody is lost. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Of a page: `what` is drawn now; '' or any other word. */
export function useFocusKept(what: string): void {
  const beforeRef = useRef(what);
  useLayoutEffect(() => {
    if (beforeRef.current === what) return;
    beforeRef.current = what;
    keepFocus();
  }, [what]);
}

/** Of what takes the place of something else. */
export const useFocusKeptHere = (): void => useLayoutEffect(keepFocus, []);

function keepFocus(): void {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true });
}
