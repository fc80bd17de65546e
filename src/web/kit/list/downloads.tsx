/** Downloads of a list, in the formats of the server. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Query, queryOf } from '../../api/client.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Choice } from '../../ui/select.tsx';

/**
 * Columns of the downloaded file. `whole`: all that the records have. `seen`: the visible ones. `either`: the
 * user chooses, at first `whole`, which can be imported again (contract section 24).
 */
export type DownloadedColumns = 'whole' | 'seen' | 'either';

export interface DownloadsProps {
  /** Path of the list. */
  readonly path: string;
  readonly query: Query;
  readonly columns?: DownloadedColumns | undefined;
  /** Targets of the visible columns, in their order. */
  readonly seen?: readonly string[];
  readonly name: string;
  /** True for records, which are also available as XLSX. Events, as in the audit, are not. */
  readonly isOfRecords: boolean;
}

export function Downloads(props: DownloadsProps): JSX.Element {
  const { path, query, columns = 'whole', seen = [], name, isOfRecords } = props;
  const id = useId();
  const [chosen, setChosen] = useState<'whole' | 'seen'>('whole');
  const isSeen = columns === 'seen' || (columns === 'either' && chosen === 'seen');
  const formats = isOfRecords ? (['csv', 'xlsx'] as const) : (['csv'] as const);
  return (
    <>
      {columns === 'either' && (
        <Choice
          label="Colunas do arquivo"
          name={`columns-${id}`}
          small
          value={chosen}
          onChange={setChosen}
          options={CHOICES}
        />
      )}
      {formats.map((format) => (
        <DownloadButton
          key={format}
          small
          path={`${path}.${format}${queryOf(isSeen ? { ...query, columns: seen.join() } : query)}`}
          fallbackName={`${name}.${format}`}
        >
          Baixar {format.toUpperCase()}
        </DownloadButton>
      ))}
    </>
  );
}

const CHOICES = [
  { value: 'whole', label: 'Completo, para voltar' },
  { value: 'seen', label: 'Como na tela' },
] as const;
