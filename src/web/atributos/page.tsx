/** The attributes page: requirements by NCM, tables and their changes, products that wait for correction. */
import type { JSX } from 'preact';
import { rolesOf, useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { Page } from '../ui/page.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Mend } from './corrigir/mend.tsx';
import { Deadlines } from './deadlines.tsx';
import { History } from './history.tsx';
import { Ncms } from './ncms.tsx';
import { Tables } from './tables.tsx';

const NCMS: Tab = { key: 'ncm', title: 'O que uma NCM pede', content: () => <Ncms /> };
const TABLES: Tab = { key: 'tabelas', title: 'Tabelas', content: () => <Tables /> };
const MEND: Tab = { key: 'corrigir', title: 'Produtos a corrigir', content: () => <Mend /> };
const HISTORY: Tab = { key: 'historico', title: 'Histórico', content: () => <History /> };
const DEADLINES: Tab = { key: 'prazos', title: 'Prazos', content: () => <Deadlines /> };

/** Filters of one tab, which have no meaning in another. */
const OF_TABS = {
  ncm: '',
  search: '',
  modalidade: '',
  tabela: '',
  em: '',
  mudou: '',
  fonte: '',
  reason: '',
  member: '',
  text: '',
};

export default function AttributesPage(): JSX.Element {
  const [{ aba, ncm, search, tabela }, setFilters] = useFilters([
    'aba',
    ...(Object.keys(OF_TABS) as (keyof typeof OF_TABS)[]),
  ]);
  const roles = rolesOf(useSession());
  // Users who load tables start at the tables, other users at the requirements of an NCM.
  const ofCatalogue = roles.some((role) => role !== 'administrator') ? [DEADLINES, MEND] : [];
  const tabs = roles.includes('administrator')
    ? [TABLES, HISTORY, NCMS, ...ofCatalogue]
    : [NCMS, TABLES, HISTORY, DEADLINES, MEND];
  const meant = ncm !== '' || search !== '' ? NCMS.key : tabela !== '' ? TABLES.key : '';
  return (
    <Page title="Atributos" about="O que cada NCM pede de um produto, e as tabelas que o dizem.">
      <Tabs
        label="Partes desta página"
        tabs={tabs}
        value={aba === '' ? meant : aba}
        onChange={(key) => setFilters({ ...OF_TABS, aba: key })}
      />
    </Page>
  );
}
