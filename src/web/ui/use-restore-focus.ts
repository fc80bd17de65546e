/** Moves a lost focus to the page: content that is replaced may have contained the focused element. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Restores the focus in a page when its content changes. `content`: any text that identifies the content. */
export function useRestoreFocus(content: string): void {
  const beforeRef = useRef(content);
  useLayoutEffect(() => {
    if (beforeRef.current === content) return;
    beforeRef.current = content;
    restoreFocus();
  }, [content]);
}

/** Restores the focus in a component that replaces another one. */
export const useRestoreFocusOnMount = (): void => useLayoutEffect(restoreFocus, []);

function restoreFocus(): void {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true });
}
