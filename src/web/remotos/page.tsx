/**
 * The remotes page compares the catalogue of a company with another server of this interface. A person
 * decides what is sent or fetched.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Remote } from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { ResourceView, Page } from '../ui/page.tsx';
import { EmptyList } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { RemoteDialog } from './remote-dialog.tsx';
import { RemoteView } from './remote-view.tsx';
import { RemotesCard } from './remotes-card.tsx';
import { REMOTES } from './words.ts';

/** Filters that belong to one remote and are cleared with it. */
const CLEARED_FILTERS = { kind: '', state: '', text: '' } as const;

export default function RemotesPage(): JSX.Element {
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

function CompanyRemotes({
  remotes,
  company,
  administrador,
}: {
  readonly remotes: readonly Remote[];
  readonly company: string;
  readonly administrador: boolean;
}): JSX.Element {
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
