/** Products of a company: the list and the duplicates. */
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import { useRight } from '../api/session.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Duplicates } from './duplicates.tsx';
import { ProductList } from './list.tsx';

export default function ProductsPage(): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [{ aba }, setTab] = useFilters(['aba']);
  const canWrite = useRight('preenchimento', company);
  return (
    <Page
      title="Produtos"
      actions={
        <>
          {canWrite && (
            <Button
              kind="primary"
              icon="plus"
              onPress={() => navigate(addressFor('/produtos/novo', company))}
            >
              Novo produto
            </Button>
          )}
          <DownloadButton
            path={`/catp/api/ext/produto/exportar/${company}/false`}
            fallbackName="produtos.zip"
          >
            Exportar
          </DownloadButton>
        </>
      }
    >
      <Tabs
        label="O que se vê dos produtos"
        value={aba === '' ? 'lista' : aba}
        onChange={(key) => setTab({ aba: key === 'lista' ? '' : key })}
        tabs={[
          // Another company resets all state.
          { key: 'lista', title: 'Lista', content: () => <ProductList key={company} canWrite={canWrite} /> },
          { key: 'duplicados', title: 'Duplicados', content: () => <Duplicates key={company} /> },
        ]}
      />
    </Page>
  );
}
