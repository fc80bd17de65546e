/** A table of some rows; of many, `VirtualTable`. On a phone each row is a card. */
import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** In `VirtualTable`: it is too narrow for its title, which is only read aloud. */
  readonly isTitleHidden?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'right';
  /** In `VirtualTable`, of the width: pixels, or a share (`2fr` is written 2). */
  readonly width?: number;
  /** Codes and numbers. */
  readonly code?: boolean;
  /** In `VirtualTable`: what the server calls this order; a press on the head asks for it. */
  readonly orderBy?: string;
}

export interface TableProps<Row> {
  /** Read by screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** What is said, and what can be done, when there is none. */
  readonly empty?: ComponentChildren;
}

export function Table<Row>({ caption, columns, rows, rowKey, empty }: TableProps<Row>): JSX.Element {
  if (rows.length === 0) return <Empty>{empty ?? 'Nada por aqui ainda.'}</Empty>;
  return (
    <table class="table cards">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, title, align }) => (
            <th key={key} scope="col" class={align ?? ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, title, cell, align, code = false }) => (
              <td key={key} data-label={title} class={`${align ?? ''}${code ? ' code' : ''}`}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In the place of a list that has nothing. */
export const Empty = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <div class="empty" role="status">
    {children}
  </div>
);
