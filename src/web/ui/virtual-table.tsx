/**
 * Table with any number of rows, 36 pixels each. Only visible rows are rendered. Arrows, j and k, Page and
 * Home keys move through it, Enter opens the row. If rows can be marked, Space and Shift mark them.
 */
import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { Column } from './table.tsx';
import { useScrollMemory } from './use-scroll-memory.ts';
import { usePrinting } from './use-printing.ts';
import { useVirtual } from './use-virtual.ts';
import { countText } from '../words.ts';

const ROW_HEIGHT = 36;

/** Height of a horizontal scrollbar in pixels: without it, a short table would also get a vertical one. */
const SCROLLBAR = 18;

/** Minimum width in pixels of a column without `width`, which takes the remaining space. */
const MIN_WIDTH = 280;

export interface VirtualTableProps<Row> {
  readonly caption: string;
  /** `width` in pixels. The name column has none and takes the remaining space. */
  readonly columns: readonly Column<Row>[];
  /** Total number of rows, fetched or not. */
  readonly count: number;
  /** Returns the row, or `undefined` if it is not fetched yet. */
  readonly row: (index: number) => Row | undefined;
  readonly onOpen?: (row: Row) => void;
  /** Called by Space on the active row. */
  readonly onMark?: (row: Row) => void;
  /** Called by Shift with a key or a checkbox: the rows from `from` to before `to`, fetched or not. */
  readonly onMarkRange?: (from: number, to: number, isMarked: boolean) => void;
  /** Called by Ctrl+A. */
  readonly onMarkAll?: () => void;
  /** `orderBy` of the sorted column; a leading `-` means descending. */
  readonly order?: string;
  /** Called by a press on a heading that has `orderBy`. */
  readonly onOrder?: (order: string) => void;
  /** Called with the rendered range, to fetch missing rows. */
  readonly onVisibleRange?: (from: number, to: number) => void;
  /** Query of the rows. Another query scrolls to the first row. */
  readonly queryKey?: string;
}

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, columns, count, row, onOpen, onMark, onMarkRange, onMarkAll, onVisibleRange } = props;
  const { ref, onScroll, from, to, heightAbove, heightBelow, pageRows, reveal } = useVirtual(
    count,
    ROW_HEIGHT,
  );
  const { keep, follow, ...memory } = useScrollMemory(props.queryKey, ref);
  const [active, setActive] = useState(Math.min(memory.active, count - 1));
  useLayoutEffect(() => follow(active));
  const id = useId();
  // Also requests rows again after they were replaced.
  const isMissing = to > from && (row(from) === undefined || row(to - 1) === undefined);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onVisibleRange` is created again in each render
  useEffect(() => onVisibleRange?.(from, to), [from, to, isMissing]);
  const queryKeyRef = useRef(props.queryKey);
  useLayoutEffect(() => {
    if (queryKeyRef.current === props.queryKey) return;
    queryKeyRef.current = props.queryKey;
    setActive(0);
    if (ref.current !== null) ref.current.scrollTop = 0;
  }, [props.queryKey, ref]);

  const markRange = (to: number, isMarked: boolean): void => {
    onMarkRange?.(Math.min(active, to), Math.max(active, to) + 1, isMarked);
  };
  const go = (index: number, isRange: boolean): void => {
    const next = Math.max(0, Math.min(index, count - 1));
    if (isRange) markRange(next, true);
    setActive(next);
    reveal(next);
  };
  const onActiveRow = (act: ((row: Row) => void) | undefined) => (): void => {
    const current = row(active);
    if (current !== undefined) act?.(current);
  };
  const isPrinting = usePrinting();
  const renderedRows = Math.max(0, to - from);
  // Paper does not scroll, so every fetched row is printed.
  const indices = isPrinting
    ? range(0, count).filter((index) => row(index) !== undefined)
    : range(from, from + renderedRows);
  // Stable callbacks: a render of the page does not render the rows again.
  const latestRef = useRef({ onOpen, markRange, keep });
  useLayoutEffect(() => {
    latestRef.current = { onOpen, markRange, keep };
  });
  const openRow = useCallback((opened: Row) => latestRef.current.onOpen?.(opened), []);
  const activate = useCallback((index: number, { target, shiftKey }: MouseEvent) => {
    if (shiftKey && target instanceof HTMLInputElement) latestRef.current.markRange(index, target.checked);
    latestRef.current.keep(index);
    setActive(index);
  }, []);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + pageRows,
    PageUp: active - pageRows,
    Home: 0,
    End: count - 1,
  };
  const keyActions: Readonly<Record<string, () => void>> = {
    Enter: () => {
      keep(active);
      onActiveRow(onOpen)();
    },
    ...(onMark && { ' ': onActiveRow(onMark) }),
  };
  const actOf = (event: TargetedKeyboardEvent<HTMLTableElement>): (() => void) | undefined => {
    const { key, shiftKey, target, currentTarget } = event;
    if (key === 'a' && (event.ctrlKey || event.metaKey)) return onMarkAll;
    const destination = moves[key];
    // Links and buttons inside a row keep their other keys.
    if (destination === undefined) return target === currentTarget ? keyActions[key] : undefined;
    return () => {
      currentTarget.focus({ preventScroll: true });
      go(destination, shiftKey && onMarkRange !== undefined);
    };
  };
  const width = columns.reduce((sum, column) => sum + (column.width ?? MIN_WIDTH), 0);

  return (
    <div
      ref={ref}
      class="virtual"
      onScroll={onScroll}
      style={{ maxHeight: `${(count + 1) * ROW_HEIGHT + SCROLLBAR}px` }}
    >
      <table
        class="table"
        role="grid"
        tabIndex={0}
        aria-rowcount={count + 1}
        aria-activedescendant={active >= from && active < to ? `${id}-${active}` : undefined}
        style={{ minWidth: `${width}px` }}
        onKeyDown={(event) => {
          const act = actOf(event);
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      >
        <caption class="hidden">{caption}</caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} style={column.width === undefined ? {} : { width: `${column.width}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} order={props.order} onOrder={props.onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          <tr class="virtual-space" aria-hidden="true" style={{ height: `${heightAbove}px` }} />
          {indices.map((index) => (
            <VirtualRow
              // A row that scrolls into view reuses the elements of one that has left it.
              key={isPrinting ? index : index % renderedRows}
              id={id}
              index={index}
              columns={columns}
              value={row(index)}
              isActive={index === active}
              onActive={activate}
              onOpen={openRow}
            />
          ))}
          <tr class="virtual-space" aria-hidden="true" style={{ height: `${heightBelow}px` }} />
        </tbody>
      </table>
      {isPrinting && indices.length < count && (
        <p>
          {countText(indices.length)} de {countText(count)} linhas: as que já foram vistas. A lista inteira se
          baixa em CSV e XLSX.
        </p>
      )}
    </div>
  );
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

interface VirtualRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly value: Row | undefined;
  readonly isActive: boolean;
  readonly onActive: (index: number, event: MouseEvent) => void;
  readonly onOpen: (row: Row) => void;
}

/** Memoized by its content: scrolling renders only new rows. */
const VirtualRow = <Row,>({ id, index, columns, value, isActive, onActive, onOpen }: VirtualRowProps<Row>) =>
  useMemo(
    () => (
      <tr
        id={`${id}-${index}`}
        class={isActive ? 'active' : ''}
        aria-rowindex={index + 2}
        // Runs before a link in the row navigates.
        onClickCapture={(event) => onActive(index, event)}
        onDblClick={() => value !== undefined && onOpen(value)}
      >
        {columns.map(({ key, cell, align, code = false }) => (
          <td key={key} class={`${align ?? ''}${code ? ' code' : ''}`}>
            {value === undefined ? <span class="skeleton" /> : cell(value)}
          </td>
        ))}
      </tr>
    ),
    [id, index, columns, value, isActive, onActive, onOpen],
  );

/** Heading of a column; a button if the column can be sorted. */
function ColumnHead<Row>(props: {
  readonly column: Column<Row>;
  readonly order: string | undefined;
  readonly onOrder: ((order: string) => void) | undefined;
}) {
  const { title, isTitleHidden = false, align, orderBy } = props.column;
  const { order, onOrder } = props;
  if (orderBy === undefined || onOrder === undefined)
    return (
      <th scope="col" class={align ?? ''}>
        <span class={isTitleHidden ? 'hidden' : ''}>{title}</span>
      </th>
    );
  const isUp = order === orderBy;
  const isDown = order === `-${orderBy}`;
  return (
    <th scope="col" class={align ?? ''} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" class="order" onClick={() => onOrder(isUp ? `-${orderBy}` : orderBy)}>
        {title}
        {(isUp || isDown) && <Icon name={isUp ? 'up' : 'down'} />}
      </button>
    </th>
  );
}
