/** Virtual scrolling for rows of equal height: only visible rows are rendered. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Number of rows to render above and below the viewport, so that scrolling shows no gap. */
const SPARE_ROWS = 6;

export interface Virtual {
  readonly ref: { current: HTMLDivElement | null };
  readonly onScroll: () => void;
  /** Index of the first rendered row. */
  readonly from: number;
  /** Index after the last rendered row. */
  readonly to: number;
  /** Height of the rows above the rendered ones, in pixels. */
  readonly heightAbove: number;
  /** Height of the rows below the rendered ones, in pixels. */
  readonly heightBelow: number;
  /** Number of rows that Page Up and Page Down move. At least 1. */
  readonly pageRows: number;
  /** Scrolls until the row is visible. */
  readonly reveal: (index: number) => void;
}

export function useVirtual(rows: number, rowHeight: number): Virtual {
  const ref = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 0 });
  const measure = (): void => {
    const element = ref.current;
    if (element !== null) setViewport({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    if (ref.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.min(Math.floor(viewport.top / rowHeight), rows) - SPARE_ROWS);
  const to = Math.min(rows, Math.ceil((viewport.top + viewport.height) / rowHeight) + SPARE_ROWS);
  return {
    ref,
    onScroll: measure,
    from,
    to,
    heightAbove: from * rowHeight,
    pageRows: Math.max(1, Math.floor(viewport.height / rowHeight) - 2),
    heightBelow: Math.max(0, rows - to) * rowHeight,
    reveal: (index) => {
      const element = ref.current;
      if (element === null) return;
      // The table heading covers one row.
      const [top, bottom] = [index * rowHeight, (index + 2) * rowHeight];
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight)
        element.scrollTop = bottom - element.clientHeight;
    },
  };
}
