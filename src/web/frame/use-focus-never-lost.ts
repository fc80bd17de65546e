/**
 * What had the focus may be taken away by what it did: the row that was removed, the button that is there no more. Then the page,
 * or the open dialog, has it, and the next Tab goes on from there; a browser would begin at the top of the document.
 */
import { useLayoutEffect } from 'preact/hooks';

export function useFocusNeverLost(): void {
  useLayoutEffect(() => {
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const look = (): void => {
      if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return;
      const isGone = !last.isConnected || last.matches(':disabled') || last.closest('[hidden]') !== null;
      last = null;
      if (isGone) placeToGo()?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, {
      ...{ subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] },
    });
    addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', remember);
    };
  }, []);
}

/** Behind an open dialog nothing takes the focus. */
function placeToGo(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>('dialog[open] h2');
  if (title === null) return document.getElementById('main');
  title.tabIndex = -1;
  return title;
}
