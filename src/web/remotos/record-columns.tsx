/** Columns of a compared record. Properties that all rows share stand above the table. */
import type { ComparedRecord } from '../api/answers.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { StateBadge } from './state-badge.tsx';
import { KINDS, rewordSentence } from './words.ts';

export const columnsFor = ({
  hasState,
  hasKind,
  onOpen,
}: {
  readonly hasState: boolean;
  readonly hasKind: boolean;
  readonly onOpen: (record: ComparedRecord) => void;
}): readonly ListColumn<ComparedRecord>[] => [
  ...(hasKind
    ? [{ key: 'kind', title: 'Tipo', width: 110, cell: ({ kind }: ComparedRecord) => KINDS[kind][0] }]
    : []),
  { key: 'codigo', title: 'Código aqui', width: 120, code: true, cell: ({ codigo }) => codigo ?? '–' },
  {
    key: 'remoteCodigo',
    title: 'Código lá',
    width: 120,
    code: true,
    cell: ({ remoteCodigo }) => remoteCodigo ?? '–',
  },
  {
    key: 'name',
    title: 'Nome',
    cell: (record) => (
      <button type="button" class="remote-name" title={record.name} onClick={() => onOpen(record)}>
        <bdi>{record.name}</bdi>
      </button>
    ),
  },
  ...(hasState
    ? [
        {
          key: 'state',
          title: 'Estado',
          width: 180,
          cell: ({ state }: ComparedRecord) => <StateBadge state={state} />,
        },
      ]
    : []),
  {
    key: 'differences',
    title: 'O que difere',
    width: 320,
    cell: (record) => <bdi title={inShort(record)}>{inShort(record)}</bdi>,
  },
];

function inShort({ differences, reason, candidates }: ComparedRecord): string {
  if (candidates.length > 0) {
    const codes = candidates.map(({ remoteCodigo }) => remoteCodigo).join(', ');
    return reason === null ? `pode ser ${codes}` : `pode ser ${codes}; ${reason}`;
  }
  if (reason !== null) return rewordSentence(reason);
  return differences.map(({ heading }) => heading).join(', ') || '–';
}
