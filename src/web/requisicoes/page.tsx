/** The page of client requests to a development instance: live journal, faults, clock, snapshots. */
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ClockTab } from './clock.tsx';
import { ConformityTab } from './conformity.tsx';
import { FaultsTab } from './fault/faults.tsx';
import { JournalTab } from './journal/journal.tsx';
import { SnapshotsTab } from './snapshots.tsx';

const TABS = [
  { key: 'diario', title: 'Diário', content: () => <JournalTab /> },
  { key: 'falhas', title: 'Falhas', content: () => <FaultsTab /> },
  { key: 'conformidade', title: 'Conformidade', content: () => <ConformityTab /> },
  { key: 'relogio', title: 'Relógio', content: () => <ClockTab /> },
  { key: 'snapshots', title: 'Snapshots', content: () => <SnapshotsTab /> },
];

/** Tabs whose operations are those of administrators. */
const ADMINISTRATOR_TABS: ReadonlySet<string> = new Set(['conformidade', 'snapshots']);

const LINKS = (
  <>
    {/* The server prints them: other documents. */}
    <a class="button quiet small" href="/docs">
      Referência da API
    </a>
    <a class="button quiet small" href="/fidelidade">
      Fidelidade
    </a>
  </>
);

export default function RequestsPage() {
  const { administrador } = useSession();
  const [{ aba }, setFilters] = useFilters(['aba']);
  const about = administrador
    ? 'O que os clientes pedem a esta instância e o que recebem; e como fazê-la falhar, andar no tempo e voltar atrás.'
    : 'O que você, ou um programa que entra com a sua chave, pede a esta instância e o que recebe; e como fazê-la falhar e andar no tempo.';
  return (
    <Page title="Requisições" about={about} actions={LINKS}>
      <Tabs
        label="O que esta instância permite"
        tabs={administrador ? TABS : TABS.filter(({ key }) => !ADMINISTRATOR_TABS.has(key))}
        value={aba}
        onChange={(key) => setFilters({ aba: key === 'diario' ? '' : key })}
      />
    </Page>
  );
}
