/**
 * Focus is never lost: when what had it is taken away (the row that was removed, the button that is no longer offered), the nearest
 * part of the page that still stands has it, and Tab goes on from there.
 */

const PARTS = 'dialog, section, [role=tabpanel], main';

/** Looks after all that is in the document; answers how to stop. */
export function guardFocus(): () => void {
  /** What had the focus last, and what stands around it, the nearest first. */
  let last: readonly Element[] = [];
  const remember = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? [target, ...around(target)] : [];
  };
  // Somebody pressed on what takes no focus.
  const forget = (): void => {
    if (document.activeElement === document.body) last = [];
  };
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body || last[0]?.isConnected !== false) return;
    const part = last.find(({ isConnected }) => isConnected)?.closest<HTMLElement>(PARTS);
    last = [];
    if (part == null) return;
    // Of itself it takes none.
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  });
  addEventListener('focusin', remember);
  addEventListener('click', forget, true);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', remember);
    removeEventListener('click', forget, true);
    observer.disconnect();
  };
}

function* around({ parentElement }: Element): Generator<Element> {
  if (parentElement === null) return;
  yield parentElement;
  yield* around(parentElement);
}
