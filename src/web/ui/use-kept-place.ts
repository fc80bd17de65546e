/** Where somebody was in a long table, kept with that step of the browser's way: whoever comes back from a row is there again. */
import { useLayoutEffect } from 'preact/hooks';

interface Place {
  /** What the rows answered: of another question it is another table. */
  readonly of: string;
  readonly active: number;
  readonly tableTop: number;
  readonly pageTop: number;
}

export interface KeptPlace {
  /** The row that somebody came from; 0 where nobody did. */
  readonly active: number;
  readonly keep: (active: number) => void;
}

/** `ref`: what scrolls, with the table in it; without a question nothing is kept. */
export function useKeptPlace(
  of: string | undefined,
  ref: { readonly current: HTMLElement | null },
): KeptPlace {
  const place = (history.state as { readonly place?: Place } | null)?.place; // also a word of ours, which has none
  const kept = place !== undefined && place.of === of ? place : undefined;
  useLayoutEffect(() => {
    if (kept === undefined || ref.current === null) return;
    ref.current.scrollTop = kept.tableTop;
    scrollTo(0, kept.pageTop);
    // Whoever has begun something else meanwhile stays there.
    if ([document.body, document.getElementById('main')].includes(document.activeElement as HTMLElement))
      ref.current.querySelector('table')?.focus({ preventScroll: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as it is drawn
  }, []);
  return {
    active: kept?.active ?? 0,
    keep: (active) => {
      if (of === undefined || ref.current === null) return;
      const next: Place = { of, active, tableTop: ref.current.scrollTop, pageTop: scrollY };
      history.replaceState({ place: next }, '');
    },
  };
}
