/** Products of a company. */
import { useLocation } from 'wouter-preact';
import { useRight } from '../api/session.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { ProductList } from './list.tsx';

export default function ProductsPage() {
  const company = useCompany();
  const [, navigate] = useLocation();
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
      {/* Another company resets all state. */}
      <ProductList key={company} canWrite={canWrite} />
    </Page>
  );
}
