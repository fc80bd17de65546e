/** A spreadsheet to fill in. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Download } from '../api/client.ts';
import type { Result } from '../api/result.ts';
import { Actions } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import type { ImportKind } from './kinds.ts';
import { templateOf } from './sheet/template.ts';
import { csvOf, xlsxOf } from './sheet/write.ts';
import { formsOfNcms } from './use-attribute-forms.ts';

export function TemplateCard({ kind }: { readonly kind: ImportKind }): JSX.Element {
  const [ncm, setNcm] = useState('');
  const make = async (format: 'csv' | 'xlsx'): Promise<Result<Download>> => {
    const digits = ncm.replaceAll(/\D/g, '');
    const table = templateOf(kind, await formsOfNcms(kind === 'produto' && digits !== '' ? [digits] : []));
    const content = format === 'csv' ? csvOf(table) : await xlsxOf(table, kind);
    return { ok: true, headers: new Headers(), value: { name: `modelo-${kind}.${format}`, content } };
  };
  return (
    <Card title="Modelo de planilha">
      <p class="muted">As colunas com seus nomes e uma linha de exemplo, que pode ser apagada.</p>
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
        <DownloadButton make={() => make('xlsx')} fallbackName="modelo.xlsx">
          Modelo em XLSX
        </DownloadButton>
        <DownloadButton make={() => make('csv')} fallbackName="modelo.csv">
          Modelo em CSV
        </DownloadButton>
      </Actions>
    </Card>
  );
}
