/** What became of each of many links. */
import type { JSX } from 'preact';
import { Badge } from '../ui/badge.tsx';
import { type Column, Table } from '../ui/table.tsx';
import type { LinkOutcome } from './batch.ts';
import { keyOf, type LinkRequest, makerText } from './model.ts';

export function LinkResults({
  outcomes,
  doneText,
}: {
  readonly outcomes: readonly LinkOutcome<LinkRequest>[];
  /** `Vinculado`, `Desvinculado`. */
  readonly doneText: string;
}): JSX.Element {
  return (
    <Table
      caption="Resultado de cada um"
      columns={columnsFor(doneText)}
      rows={outcomes}
      rowKey={({ link }) => keyOf(link)}
    />
  );
}

const columnsFor = (doneText: string): readonly Column<LinkOutcome<LinkRequest>>[] => [
  { key: 'product', title: 'Produto', code: true, cell: ({ link }) => link.codigoProduto },
  { key: 'maker', title: 'Fabricante', cell: ({ link }) => <bdi>{makerText(link)}</bdi> },
  { key: 'country', title: 'País', code: true, cell: ({ link }) => link.codigoPais },
  {
    ...{ key: 'outcome', title: 'Resultado' },
    cell: ({ errors }) =>
      errors.length === 0 ? (
        <Badge tone="good" icon="check">
          {doneText}
        </Badge>
      ) : (
        <Badge tone="bad" icon="cross">
          Erro
        </Badge>
      ),
  },
  {
    ...{ key: 'errors', title: 'Motivo' },
    cell: ({ errors }) =>
      errors.length === 0 ? (
        '–'
      ) : (
        <ul class="plain">
          {errors.map((error, at) => (
            <li key={at}>{error}</li>
          ))}
        </ul>
      ),
  },
];
