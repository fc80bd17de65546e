/** A long list of rows of one height. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useVirtual } from './use-virtual.ts';

export interface VirtualListProps {
  readonly label: string;
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** Called with what is drawn, for rows that are still to be fetched. */
  readonly onShown?: (from: number, to: number) => void;
}

export function VirtualList({ label, rows, rowHeight, row, onShown }: VirtualListProps): JSX.Element {
  const { ref, onScroll, from, to, before, after } = useVirtual(rows, rowHeight);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onShown` is made anew in every render
  useEffect(() => onShown?.(from, to), [from, to]);
  return (
    <div ref={ref} class="virtual" onScroll={onScroll} tabIndex={0} role="region" aria-label={label}>
      <ul>
        <li class="virtual-space" aria-hidden="true" style={{ height: `${before}px` }} />
        {Array.from({ length: Math.max(0, to - from) }, (_, at) => (
          <li
            key={from + at}
            aria-setsize={rows}
            aria-posinset={from + at + 1}
            style={{ height: `${rowHeight}px` }}
          >
            {row(from + at)}
          </li>
        ))}
        <li class="virtual-space" aria-hidden="true" style={{ height: `${after}px` }} />
      </ul>
    </div>
  );
}
