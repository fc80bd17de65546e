/** Spreadsheet template that the server generates. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { queryOf } from '../api/client.ts';
import { Actions } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import type { ImportKind } from './kinds.ts';

export function TemplateCard({ kind }: { readonly kind: ImportKind }): JSX.Element {
  const [ncm, setNcm] = useState('');
  const digits = kind === 'produto' ? ncm.replaceAll(/\D/g, '') : '';
  const pathOf = (format: string): string =>
    `/appliance/api/sheets/template.${format}${queryOf({ tipo: kind, ncm: digits })}`;
  return (
    <Card title="Modelo de planilha">
      <p class="muted">
        As colunas com seus nomes, as listas de que escolher, o que cada uma pede e um exemplo.
      </p>
      {kind === 'produto' && (
        <Input
          label="Atributos da NCM"
          help="Opcional: oito dígitos, para uma coluna por atributo."
          value={ncm}
          onChange={setNcm}
          inputMode="numeric"
          code
        />
      )}
      <Actions>
        <DownloadButton path={pathOf('xlsx')} fallbackName="modelo.xlsx">
          Modelo em XLSX
        </DownloadButton>
        <DownloadButton path={pathOf('csv')} fallbackName="modelo.csv">
          Modelo em CSV
        </DownloadButton>
      </Actions>
    </Card>
  );
}
