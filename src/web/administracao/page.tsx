/** The administration page: accounts, audit, backups, state of the instance, settings. */
import { useFilters } from '../api/use-filters.ts';
import { LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Accounts } from './accounts.tsx';
import { Audit } from './audit.tsx';
import { Backups } from './backups.tsx';
import { Diagnosis } from './diagnosis.tsx';
import { Nomenclature } from './nomenclature.tsx';
import { Settings } from './settings.tsx';

const TABS: readonly Tab[] = [
  { key: 'contas', title: 'Contas', content: () => <Accounts /> },
  { key: 'auditoria', title: 'Auditoria', content: () => <Audit /> },
  { key: 'nomenclatura', title: 'Nomenclatura', content: () => <Nomenclature /> },
  { key: 'copias', title: 'Cópias', content: () => <Backups /> },
  { key: 'diagnostico', title: 'Diagnóstico', content: () => <Diagnosis /> },
  { key: 'configuracoes', title: 'Configurações', content: () => <Settings /> },
];

/** Filters of one tab, which have no meaning in another. */
const CLEARED_FILTERS = { since: '', actor: '', subject: '', busca: '' } as const;

export default function AdministrationPage() {
  const [{ aba }, setFilters] = useFilters(['aba', 'since', 'actor', 'subject', 'busca']);
  return (
    <Page
      title="Administração"
      about="Quem entra, quem faz o quê, e como está esta instalação."
      actions={<LinkButton href="/remotos">Remotos</LinkButton>}
    >
      <Tabs
        label="Partes da administração"
        tabs={TABS}
        value={aba}
        onChange={(key) => setFilters({ ...CLEARED_FILTERS, aba: key })}
      />
    </Page>
  );
}
