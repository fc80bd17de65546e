/** Shows one remote and one company: the newest comparison, the differences, and the runs. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Comparison, Remote, Run } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { ResourceView, Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { countText, momentText } from '../words.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { Differences } from './differences.tsx';
import { COMPARISONS, RUNS, isComparing, isRunOver, runTitle } from './words.ts';
import { RunBadge } from './run-badge.tsx';

const COMPARISON_POLL_MS = 500;
const RUN_POLL_MS = 2000;

export function RemoteView({
  remote,
  company,
}: {
  readonly remote: Remote;
  readonly company: string;
}): JSX.Element {
  const query = { cpfCnpjRaiz: company, remote: remote.name };
  const comparisons = useResource<readonly Comparison[]>(COMPARISONS, {
    query,
    pollAfter: ([newest]) => (newest !== undefined && isComparing(newest) ? COMPARISON_POLL_MS : undefined),
  });
  const runs = useResource<readonly Run[]>(RUNS, {
    query,
    pollAfter: (all) => (all.every(isRunOver) ? undefined : RUN_POLL_MS),
  });
  const newestDone = comparisons.value?.find(({ state }) => state === 'done');
  const runUnderWay = runs.value?.find((run) => !run.simulated && !isRunOver(run));
  return (
    <div class="stack">
      <ResourceView resource={comparisons}>
        {([newest]) => (
          <ComparisonCard
            remote={remote}
            company={company}
            newest={newest}
            newestDone={newestDone}
            runUnderWay={runUnderWay}
            onStarted={comparisons.reload}
          />
        )}
      </ResourceView>
      {newestDone !== undefined && (
        <Differences
          key={newestDone.id}
          remote={remote}
          company={company}
          comparison={newestDone}
          canMove={runUnderWay === undefined && comparisons.value?.some(isComparing) === false}
          onDecided={comparisons.reload}
        />
      )}
      {runs.value !== undefined && <RunsCard runs={runs.value} />}
    </div>
  );
}

const RECENT = 5;

/** Lists the runs that sent to a remote or fetched from it. Plans are left out because they moved nothing. */
function RunsCard({ runs }: { readonly runs: readonly Run[] }): JSX.Element | null {
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
