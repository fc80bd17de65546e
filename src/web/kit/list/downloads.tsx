/** A list to take along, as the server writes it. */
import type { JSX } from 'preact';
import { type Query, queryOf } from '../../api/client.ts';
import { DownloadButton } from '../../ui/download-button.tsx';

export interface DownloadsProps {
  /** Of the list. */
  readonly path: string;
  readonly query: Query;
  /** Formats that have only `columns`. */
  readonly seen?: readonly string[] | undefined;
  readonly columns?: string;
  readonly name: string;
  /** Records are also had as XLSX; what has happened, as the audit tells it, is not. */
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
