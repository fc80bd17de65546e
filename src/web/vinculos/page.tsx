import type { JSX } from 'preact';
import { useCompany } from '../api/use-company.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';

export default function LinksPage(): JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Vínculos"
      actions={
        <DownloadButton path={`/catp/api/ext/fabricante/exportar/${company}`} fallbackName="vinculos.zip">
          Exportar
        </DownloadButton>
      }
    >
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
