/** Concession acts that use the product. */
import type { JSX } from 'preact';
import type { ConcessionAct } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card, ResourceView } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const COLUMNS: readonly Column<ConcessionAct>[] = [
  { key: 'numeroAto', title: 'Número do ato', code: true, cell: ({ numeroAto }) => numeroAto },
  { key: 'numeroItem', title: 'Número do item', code: true, cell: ({ numeroItem }) => numeroItem },
];

export function ConcessionActs({
  cpfCnpjRaiz,
  codigo,
}: {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
}): JSX.Element {
  const acts = useResource<readonly ConcessionAct[]>('/appliance/api/concession-acts', {
    query: { cpfCnpjRaiz, codigoProduto: codigo },
  });
  return (
    <Card title="Atos concessórios">
      <ResourceView resource={acts} lines={2}>
        {(all) => (
          <Table
            caption="Atos concessórios do produto"
            columns={COLUMNS}
            rows={all}
            rowKey={({ numeroAto, numeroItem }) => `${numeroAto} ${numeroItem}`}
            empty="Nenhum ato concessório."
          />
        )}
      </ResourceView>
    </Card>
  );
}
