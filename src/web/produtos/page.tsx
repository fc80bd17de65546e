import type { JSX } from 'preact';
import { useCompany } from '../api/use-company.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';

export default function ProductsPage(): JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Produtos"
      actions={
        <DownloadButton path={`/catp/api/ext/produto/exportar/${company}/false`} fallbackName="produtos.zip">
          Exportar
        </DownloadButton>
      }
    >
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
