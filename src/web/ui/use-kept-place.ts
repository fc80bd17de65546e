/** Scroll position in a long table, kept in the history entry. Returning from a row restores it. */
import { useLayoutEffect } from 'preact/hooks';

interface Place {
  /** Query of the rows: another query is another table. */
  readonly of: string;
  readonly active: number;
  readonly tableTop: number;
  readonly pageTop: number;
}

export interface KeptPlace {
  /** Row that the user opened, or 0. */
  readonly active: number;
  readonly keep: (active: number) => void;
}

/** `ref`: scroll container of the table. Without a query, nothing is kept. */
export function useKeptPlace(
  of: string | undefined,
  ref: { readonly current: HTMLElement | null },
): KeptPlace {
  const place = (history.state as { readonly place?: Place } | null)?.place; // the application's own state has no place
  const savedPlace = place !== undefined && place.of === of ? place : undefined;
  useLayoutEffect(() => {
    if (savedPlace === undefined || ref.current === null) return;
    ref.current.scrollTop = savedPlace.tableTop;
    scrollTo(0, savedPlace.pageTop);
    // Keeps the focus if the user has already moved it.
    if ([document.body, document.getElementById('main')].includes(document.activeElement as HTMLElement))
      ref.current.querySelector('table')?.focus({ preventScroll: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on mount
  }, []);
  return {
    active: savedPlace?.active ?? 0,
    keep: (active) => {
      if (of === undefined || ref.current === null) return;
      const next: Place = { of, active, tableTop: ref.current.scrollTop, pageTop: scrollY };
      history.replaceState({ place: next }, '');
    },
  };
}
