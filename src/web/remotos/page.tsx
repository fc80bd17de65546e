/**
 * The remotes page compares the catalogue of a company with another server of this interface. A person
 * decides what is sent or fetched.
 */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Remote, Comparison, Run } from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { ResourceView, Page, Card } from '../ui/page.tsx';
import { EmptyList, type Column, Table } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { countText, momentText } from '../words.ts';
import { RemoteDialog } from './remote-dialog.tsx';
import { RemotesCard } from './remotes-card.tsx';
import { REMOTES, COMPARISONS, RUNS, isComparing, isRunOver, runTitle } from './words.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { Differences } from './differences.tsx';
import { RunBadge } from './run-badge.tsx';

/** Filters that belong to one remote and are cleared with it. */
const CLEARED_FILTERS = { kind: '', state: '', text: '' } as const;

export default function RemotesPage() {
  const session = useSession();
  const company = useCompany();
  const remotes = useResource<readonly Remote[]>(REMOTES);
  const [edited, setEdited] = useState<Remote | 'new'>();
  const { administrador } = session;
  const isRepresentative = rolesOf(session).includes('representative');
  return (
    <Page
      title="Remotos"
      about="O catálogo daqui ao lado do que está em outro servidor: o serviço público, ou outro catp. Nada é enviado nem trazido sem que alguém peça."
      actions={
        administrador && (
          <Button kind={isRepresentative ? 'quiet' : 'primary'} icon="plus" onPress={() => setEdited('new')}>
            Novo remoto
          </Button>
        )
      }
    >
      <ResourceView resource={remotes} lines={8}>
        {(all) => (
          <>
            {isRepresentative && (
              <CompanyRemotes
                key={company}
                remotes={all.filter(({ companies }) => companies.includes(company))}
                company={company}
                administrador={administrador}
              />
            )}
            {administrador && <RemotesCard remotes={all} onEdit={setEdited} onChanged={remotes.reload} />}
          </>
        )}
      </ResourceView>
      {edited !== undefined && (
        <RemoteDialog
          remote={edited === 'new' ? undefined : edited}
          onSaved={remotes.reload}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function CompanyRemotes(props: {
  readonly remotes: readonly Remote[];
  readonly company: string;
  readonly administrador: boolean;
}) {
  const { remotes, company, administrador } = props;
  const [{ remote }, setFilters] = useFilters(['remote', 'kind', 'state', 'text']);
  const [first] = remotes;
  if (first === undefined)
    return (
      <EmptyList>
        <p>
          <strong>Esta empresa ainda não tem remoto.</strong>
        </p>
        <p>
          {administrador
            ? 'Inclua o primeiro com “Novo remoto”: com endereço ele é comparado por rede; sem endereço, pelos arquivos que lá se exportam.'
            : 'Um administrador inclui o primeiro, nesta página. Depois se compara por rede, ou pelos arquivos que lá se exportam.'}
        </p>
      </EmptyList>
    );
  return (
    <Tabs
      label="Remotos desta empresa"
      tabs={remotes.map((companyRemote) => ({
        key: companyRemote.name,
        title: companyRemote.name,
        content: () => <RemoteView key={companyRemote.name} remote={companyRemote} company={company} />,
      }))}
      value={remotes.some(({ name }) => name === remote) ? remote : first.name}
      onChange={(name) => setFilters({ ...CLEARED_FILTERS, remote: name })}
    />
  );
}

const COMPARISON_POLL_MS = 500;
const RUN_POLL_MS = 2000;

/** Shows one remote and one company: the newest comparison, the differences, and the runs. */
function RemoteView({ remote, company }: { readonly remote: Remote; readonly company: string }) {
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
function RunsCard({ runs }: { readonly runs: readonly Run[] }) {
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
