/** Scroll position in a long table, kept in the history entry. Returning from a row restores it. */
import { useLayoutEffect } from 'preact/hooks';

interface ScrollPosition {
  /** Query of the rows: another query is another table. */
  readonly of: string;
  readonly active: number;
  readonly tableTop: number;
  readonly pageTop: number;
}

export interface ScrollMemory {
  /** Row that the user opened, or 0. */
  readonly active: number;
  readonly keep: (active: number) => void;
}

/** `ref`: scroll container of the table. Without a query, nothing is kept. */
export function useScrollMemory(
  of: string | undefined,
  ref: { readonly current: HTMLElement | null },
): ScrollMemory {
  const place = (history.state as { readonly place?: ScrollPosition } | null)?.place; // the application's own state has no place
  const savedPosition = place !== undefined && place.of === of ? place : undefined;
  useLayoutEffect(() => {
    if (savedPosition === undefined || ref.current === null) return;
    ref.current.scrollTop = savedPosition.tableTop;
    scrollTo(0, savedPosition.pageTop);
    // Keeps the focus if the user has already moved it.
    if ([document.body, document.getElementById('main')].includes(document.activeElement as HTMLElement))
      ref.current.querySelector('table')?.focus({ preventScroll: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on mount
  }, []);
  return {
    active: savedPosition?.active ?? 0,
    keep: (active) => {
      if (of === undefined || ref.current === null) return;
      const next: ScrollPosition = { of, active, tableTop: ref.current.scrollTop, pageTop: scrollY };
      history.replaceState({ place: next }, '');
    },
  };
}
