/** Virtual scrolling for rows of equal height: only visible rows are rendered. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows rendered above and below the viewport, so that scrolling shows no gap. */
const SPARE_ROWS = 6;

export interface Virtual {
  readonly ref: { current: HTMLDivElement | null };
  readonly onScroll: () => void;
  /** First rendered row, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Height of the rows that are not rendered, in pixels. */
  readonly before: number;
  readonly after: number;
  /** Number of rows in the viewport. */
  readonly page: number;
  readonly reveal: (index: number) => void;
}

export function useVirtual(rows: number, rowHeight: number): Virtual {
  const ref = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 0 });
  const measure = (): void => {
    const element = ref.current;
    if (element !== null) setSeen({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    if (ref.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.min(Math.floor(seen.top / rowHeight), rows) - SPARE_ROWS);
  const to = Math.min(rows, Math.ceil((seen.top + seen.height) / rowHeight) + SPARE_ROWS);
  return {
    ref,
    onScroll: measure,
    from,
    to,
    before: from * rowHeight,
    page: Math.max(1, Math.floor(seen.height / rowHeight) - 2),
    after: Math.max(0, rows - to) * rowHeight,
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
