/**
 * Scroll position in a long table. The history entry keeps it for the way back from a row, this tab for the
 * way back from an import (contract section 17).
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ScrollPosition {
  /** Query of the rows: another query is another table. */
  readonly queryKey: string;
  readonly active: number;
  readonly tableTop: number;
  readonly pageTop: number;
}

export interface ScrollMemory {
  /** Row that the user opened, or 0. */
  readonly active: number;
  readonly keep: (active: number) => void;
  /** Call it with the active row in each render. */
  readonly follow: (active: number) => void;
}

interface HistoryState {
  readonly place?: ScrollPosition;
  readonly isReturn?: true;
}

/** State of a link that leads back to a page: its table is shown as it was left. */
export const RETURN_STATE: HistoryState = { isReturn: true };

/** The last positions of tables of this tab, by query, the latest at the end. */
const lastPositions = new Map<string, ScrollPosition>();
const LAST_POSITIONS_MAX = 20;

function keepLast(position: ScrollPosition): void {
  lastPositions.delete(position.queryKey);
  lastPositions.set(position.queryKey, position);
  const [oldest] = lastPositions.keys();
  if (lastPositions.size > LAST_POSITIONS_MAX && oldest !== undefined) lastPositions.delete(oldest);
}

/** `ref`: scroll container of the table. Without a query, nothing is kept. */
export function useScrollMemory(
  queryKey: string | undefined,
  ref: { readonly current: HTMLElement | null },
): ScrollMemory {
  const { place, isReturn = false } = (history.state as HistoryState | null) ?? {};
  const lastPosition = isReturn && queryKey !== undefined ? lastPositions.get(queryKey) : undefined;
  const savedPosition = place !== undefined && place.queryKey === queryKey ? place : lastPosition;
  const activeRef = useRef(0);
  const queryKeyRef = useRef(queryKey);
  useLayoutEffect(() => {
    queryKeyRef.current = queryKey;
  });
  useLayoutEffect(() => {
    const scroller = ref.current;
    return () => {
      if (queryKeyRef.current === undefined || scroller === null) return;
      const { scrollTop: tableTop } = scroller;
      keepLast({ queryKey: queryKeyRef.current, active: activeRef.current, tableTop, pageTop: scrollY });
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on unmount
  }, []);
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
    follow: (active) => {
      activeRef.current = active;
    },
    keep: (active) => {
      if (queryKey === undefined || ref.current === null) return;
      const next: ScrollPosition = { queryKey, active, tableTop: ref.current.scrollTop, pageTop: scrollY };
      history.replaceState({ place: next }, '');
    },
  };
}
