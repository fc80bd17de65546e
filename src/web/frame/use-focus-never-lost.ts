/**
 * Keeps the focus when an action removes the focused element, such as a deleted row. The open dialog, or the
 * nearest part of the page, receives the focus, and the next Tab continues from it. A browser would restart at
 * the top of the document.
 */
import { useLayoutEffect } from 'preact/hooks';

/** Selector of the parts of a page. */
const PARTS = 'section, main';

export function useFocusNeverLost(): void {
  useLayoutEffect(() => {
    /** The element that had the focus last, and its ancestors, nearest first. */
    let last: readonly Element[] = [];
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? withAncestors(target) : [];
    };
    const restoreFocus = (): void => {
      const [focused] = last;
      if (document.activeElement !== document.body || focused === undefined) return;
      const isGone =
        !focused.isConnected || focused.matches(':disabled') || focused.closest('[hidden]') !== null;
      const ancestors = last;
      last = [];
      if (isGone) focusTarget(ancestors)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restoreFocus);
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

function withAncestors(element: Element): readonly Element[] {
  const all: Element[] = [];
  for (let ancestor: Element | null = element; ancestor !== null; ancestor = ancestor.parentElement)
    all.push(ancestor);
  return all;
}

/** Returns the element to focus. Nothing behind an open dialog takes the focus. */
function focusTarget(ancestors: readonly Element[]): HTMLElement | null {
  const target =
    document.querySelector<HTMLElement>('dialog[open] h2') ??
    ancestors.find((element) => element.isConnected)?.closest<HTMLElement>(PARTS) ??
    document.getElementById('main');
  // The element is not focusable without a `tabindex`.
  if (target?.hasAttribute('tabindex') === false) target.tabIndex = -1;
  return target;
}
