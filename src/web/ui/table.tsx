/** Table with few rows; for many, use `VirtualTable`. On a phone each row is a card. */
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** True if the column is too narrow for its title: only screen readers get it (`VirtualTable` only). */
  readonly isTitleHidden?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'right';
  /** Width in pixels, or a share: 2 means `2fr` (`VirtualTable` only). */
  readonly width?: number;
  /** True for codes and numbers. */
  readonly code?: boolean;
  /** Name of this order on the server. A press on the heading requests it (`VirtualTable` only). */
  readonly orderBy?: string;
}

export interface TableProps<Row> {
  /** Title for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Content for an empty table: a message and possible actions. */
  readonly empty?: ComponentChildren;
}

export function Table<Row>({ caption, columns, rows, rowKey, empty }: TableProps<Row>) {
  if (rows.length === 0) return <EmptyList>{empty ?? 'Nada por aqui ainda.'}</EmptyList>;
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

/** Replacement of an empty list. */
export const EmptyList = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="empty" role="status">
    {children}
  </div>
);
