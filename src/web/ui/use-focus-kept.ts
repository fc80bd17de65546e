/** Where a page draws something else in its place: what had the focus may be gone, and then the page itself has it. */
import { useEffect, useRef } from 'preact/hooks';

/** `what` is drawn; '' or any other word. */
export function useFocusKept(what: string): void {
  const beforeRef = useRef(what);
  useEffect(() => {
    if (beforeRef.current === what) return;
    beforeRef.current = what;
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [what]);
}
