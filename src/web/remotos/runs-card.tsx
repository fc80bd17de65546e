/** Lists the runs that sent to a remote or fetched from it. Plans are left out because they moved nothing. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Run } from '../api/answers.ts';
import { Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { count, moment } from '../words.ts';
import { RunBadge } from './run-badge.tsx';
import { runTitle } from './words.ts';

const RECENT = 5;

export function RunsCard({ runs }: { readonly runs: readonly Run[] }): JSX.Element | null {
  const real = runs.filter(({ simulated }) => !simulated);
  if (real.length === 0) return null;
  return (
    <Card title="Envios e buscas recentes">
      <Table
        caption="Envios e buscas recentes"
        columns={COLUMNS}
        rows={real.slice(0, RECENT)}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  {
    key: 'id',
    title: 'Qual',
    cell: (run) => <Link href={`/remotos/${run.id}?cpfCnpjRaiz=${run.cpfCnpjRaiz}`}>{runTitle(run)}</Link>,
  },
  { key: 'at', title: 'Pedido em', cell: ({ at }) => moment(at) },
  { key: 'state', title: 'Situação', cell: (run) => <RunBadge run={run} /> },
  { key: 'done', title: 'Passos', cell: ({ done, total }) => `${count(done)} de ${count(total)}` },
  { key: 'refused', title: 'Recusados', align: 'right', cell: ({ refused }) => count(refused) },
  { key: 'uncertain', title: 'Incertos', align: 'right', cell: ({ uncertain }) => count(uncertain) },
];
