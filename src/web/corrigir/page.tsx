/** The correction page of a company: products to correct now, and coming deadlines. */
import { useFilters } from '../api/use-filters.ts';
import { Page } from '../ui/page.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Deadlines } from './deadlines.tsx';
import { ProductsToCorrect } from './products.tsx';

const TABS: readonly Tab[] = [
  { key: 'produtos', title: 'Produtos a corrigir', content: () => <ProductsToCorrect /> },
  { key: 'prazos', title: 'Prazos', content: () => <Deadlines /> },
];

/** Filters of one tab, which have no meaning in another. */
const CLEARED_FILTERS = { fonte: '', de: '', reason: '', member: '', ncm: '', text: '' } as const;

export default function CorrectionPage() {
  const [{ aba }, setFilters] = useFilters(['aba', 'fonte', 'reason', 'member', 'ncm', 'text']);
  return (
    <Page title="A corrigir" about="O que falta nos produtos, e o que vai ser exigido deles.">
      <Tabs
        label="O que corrigir"
        tabs={TABS}
        value={aba}
        onChange={(key) => setFilters({ ...CLEARED_FILTERS, aba: key === 'produtos' ? '' : key })}
      />
    </Page>
  );
}
