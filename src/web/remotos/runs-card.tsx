/** Lists the runs that sent to a remote or fetched from it. Plans are left out because they moved nothing. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Run } from '../api/answers.ts';
import { Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { countText, momentText } from '../words.ts';
import { RunBadge } from './run-badge.tsx';
import { runTitle } from './words.ts';

const RECENT = 5;

export function RunsCard({ runs }: { readonly runs: readonly Run[] }): JSX.Element | null {
  const executedRuns = runs.filter(({ simulated }) => !simulated);
  if (executedRuns.length === 0) return null;
  return (
    <Card title="Envios e buscas recentes">
      <Table
        caption="Envios e buscas recentes"
        columns={COLUMNS}
        rows={executedRuns.slice(0, RECENT)}
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
  { key: 'at', title: 'Pedido em', cell: ({ at }) => momentText(at) },
  { key: 'state', title: 'Situação', cell: (run) => <RunBadge run={run} /> },
  { key: 'done', title: 'Passos', cell: ({ done, total }) => `${countText(done)} de ${countText(total)}` },
  { key: 'refused', title: 'Recusados', align: 'right', cell: ({ refused }) => countText(refused) },
  { key: 'uncertain', title: 'Incertos', align: 'right', cell: ({ uncertain }) => countText(uncertain) },
];
