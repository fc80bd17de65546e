/**
 * What had the focus may be taken away by what it did: the row that was removed, the button that is there no more. Then the open
 * dialog, or the part of the page that it stood in, has it, and the next Tab goes on from there; a browser would begin at the top
 * of the document.
 */
import { useLayoutEffect } from 'preact/hooks';

/** The parts that a page consists of. */
const PARTS = 'section, main';

export function useFocusNeverLost(): void {
  useLayoutEffect(() => {
    /** What had it last, and all that stood around it, the nearest first. */
    let last: readonly Element[] = [];
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? withAround(target) : [];
    };
    const look = (): void => {
      const [had] = last;
      if (document.activeElement !== document.body || had === undefined) return;
      const isGone = !had.isConnected || had.matches(':disabled') || had.closest('[hidden]') !== null;
      const around = last;
      last = [];
      if (isGone) placeToGo(around)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled', 'hidden'],
    });
    addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', remember);
    };
  }, []);
}

function withAround(element: Element): readonly Element[] {
  const all: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) all.push(at);
  return all;
}

/** Behind an open dialog nothing takes the focus. */
function placeToGo(around: readonly Element[]): HTMLElement | null {
  const place =
    document.querySelector<HTMLElement>('dialog[open] h2') ??
    around.find((one) => one.isConnected)?.closest<HTMLElement>(PARTS) ??
    document.getElementById('main');
  // Of itself it takes none.
  if (place?.hasAttribute('tabindex') === false) place.tabIndex = -1;
  return place;
}
