/** Downloads of a list, in the formats of the server. */
import type { JSX } from 'preact';
import { type Query, queryOf } from '../../api/client.ts';
import { DownloadButton } from '../../ui/download-button.tsx';

export interface DownloadsProps {
  /** Path of the list. */
  readonly path: string;
  readonly query: Query;
  /** Visible columns, for formats that support `columns`. */
  readonly seen?: readonly string[] | undefined;
  readonly columns?: string;
  readonly name: string;
  /** True for records, which are also available as XLSX. Events, as in the audit, are not. */
  readonly isOfRecords: boolean;
}

export function Downloads({ path, query, seen, columns, name, isOfRecords }: DownloadsProps): JSX.Element {
  const formats = isOfRecords ? (['csv', 'xlsx'] as const) : (['csv'] as const);
  return (
    <>
      {formats.map((format) => (
        <DownloadButton
          key={format}
          small
          path={`${path}.${format}${queryOf(seen?.includes(format) === true ? { ...query, columns } : query)}`}
          fallbackName={`${name}.${format}`}
        >
          Baixar {format.toUpperCase()}
        </DownloadButton>
      ))}
    </>
  );
}
