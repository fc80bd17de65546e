/** The attributes page: requirements by NCM, tables and their changes. */
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { Page } from '../ui/page.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { History } from './history.tsx';
import { Ncms } from './ncms.tsx';
import { Tables } from './tables.tsx';

const NCMS: Tab = { key: 'ncm', title: 'O que uma NCM pede', content: () => <Ncms /> };
const TABLES: Tab = { key: 'tabelas', title: 'Tabelas', content: () => <Tables /> };
const HISTORY: Tab = { key: 'historico', title: 'Histórico', content: () => <History /> };

/** Filters of one tab, which have no meaning in another. */
const CLEARED_FILTERS = { ncm: '', search: '', modalidade: '', tabela: '', em: '', mudou: '' };

export default function AttributesPage() {
  const [{ aba, ncm, search, tabela }, setFilters] = useFilters([
    'aba',
    ...(Object.keys(CLEARED_FILTERS) as (keyof typeof CLEARED_FILTERS)[]),
  ]);
  // Users who load tables start at the tables, other users at the requirements of an NCM.
  const tabs = useSession().administrador ? [TABLES, HISTORY, NCMS] : [NCMS, TABLES, HISTORY];
  const implied = ncm !== '' || search !== '' ? NCMS.key : tabela !== '' ? TABLES.key : '';
  return (
    <Page title="Atributos" about="O que cada NCM pede de um produto, e as tabelas de onde isso vem.">
      <Tabs
        label="Partes desta página"
        tabs={tabs}
        value={aba === '' ? implied : aba}
        onChange={(key) => setFilters({ ...CLEARED_FILTERS, aba: key })}
      />
    </Page>
  );
}
