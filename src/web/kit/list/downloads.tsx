/** Downloads of a list, in the formats of the server. */
import { useId, useState } from 'preact/hooks';
import { type Query, queryOf } from '../../api/client.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Choice } from '../../ui/select.tsx';

/**
 * Columns of the downloaded file. `all`: every column of the records. `visible`: those of the table. `choice`:
 * the user chooses, initially `all`, which can be imported again (contract section 24).
 */
export type DownloadedColumns = 'all' | 'visible' | 'choice';

export interface DownloadsProps {
  /** Path of the list. */
  readonly path: string;
  readonly query: Query;
  readonly columns?: DownloadedColumns | undefined;
  /** Targets of the visible columns, in their order. */
  readonly visibleTargets?: readonly string[];
  readonly name: string;
  /** True for records, which are also available as XLSX. Events, as in the audit, are not. */
  readonly hasXlsx: boolean;
}

export function Downloads(props: DownloadsProps) {
  const { path, query, columns = 'all', visibleTargets = [], name, hasXlsx } = props;
  const id = useId();
  const [columnChoice, setColumnChoice] = useState<'all' | 'visible'>('all');
  const onlyVisible = columns === 'visible' || (columns === 'choice' && columnChoice === 'visible');
  const formats = hasXlsx ? (['csv', 'xlsx'] as const) : (['csv'] as const);
  return (
    <>
      {columns === 'choice' && (
        <Choice
          label="Colunas do arquivo"
          name={`columns-${id}`}
          small
          value={columnChoice}
          onChange={setColumnChoice}
          options={CHOICES}
        />
      )}
      {formats.map((format) => (
        <DownloadButton
          key={format}
          small
          path={`${path}.${format}${queryOf(onlyVisible ? { ...query, columns: visibleTargets.join() } : query)}`}
          fallbackName={`${name}.${format}`}
        >
          Baixar {format.toUpperCase()}
        </DownloadButton>
      ))}
    </>
  );
}

const CHOICES = [
  { value: 'all', label: 'Completo, para voltar' },
  { value: 'visible', label: 'Como na tela' },
] as const;
