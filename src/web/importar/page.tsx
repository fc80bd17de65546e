/** Files in, and the imports there were. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Card, Fetched, Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { counted, moment } from '../words.ts';
import { ImportFields } from './form.tsx';
import { MappingCard } from './mapping-card.tsx';
import { IMPORTS, type Import, isOver } from './model.ts';
import { RecentImports } from './recent.tsx';
import { TemplateCard } from './template-card.tsx';
import { useImportForm } from './use-import-form.ts';

const RECENT = 5;
const LOOK_AGAIN_MS = 1000;

export default function ImportPage(): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [before, setBefore] = useState<Import>();
  const recent = useResource<readonly Import[]>(IMPORTS, {
    query: { limit: RECENT },
    again: (imports) => (imports.every(isOver) ? undefined : LOOK_AGAIN_MS),
  });
  const form = useImportForm(company);
  const { kind, mode, chosen, forms, problem, starting } = form;

  const start = async (dryRun: boolean): Promise<void> => {
    setBefore(undefined);
    const started = await form.start(dryRun);
    if (started.length === 1) navigate(`/importar/${started[0]}`);
    else if (started.length > 1) {
      toast(`${counted(started.length, 'importação começou', 'importações começaram')}.`);
      recent.reload();
    }
  };
  /** The same content is not doubled unless asked. */
  const startOnce = async (): Promise<void> => {
    const known = await form.importedBefore();
    if (known === undefined) await start(false);
    else setBefore(known);
  };

  return (
    <Page
      title="Importar"
      about="Produtos, operadores, vínculos e atos concessórios de um arquivo ou de uma planilha."
    >
      <Card title="Importar um arquivo">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void startOnce();
          }}
        >
          <ImportFields
            {...{ kind, mode, chosen }}
            busy={starting.busy}
            onKind={form.setKind}
            onMode={form.setMode}
            onFiles={(files) => void form.choose(files)}
          />
          <p class="muted">
            Linhas de planilha sem empresa própria são da escolhida acima, <code>{company}</code>; itens de
            empresas que você não representa falham sozinhos.
          </p>
          {chosen.map((one, at) =>
            one.sheets.length === 0 ? null : (
              <MappingCard
                key={one.file.name}
                {...{ chosen: one, kind, forms }}
                onChange={(changed) => form.change(at, changed)}
              />
            ),
          )}
          {problem !== '' && <Notice tone="bad">{problem}</Notice>}
          <Actions>
            <Button type="submit" kind="primary" busy={starting.busy}>
              Importar
            </Button>
            <Button busy={starting.busy} onPress={() => void start(true)}>
              Conferir sem gravar
            </Button>
          </Actions>
        </form>
        {starting.busy && <p role="status">Enviando o arquivo…</p>}
        <ErrorAlert error={starting.error} />
      </Card>
      <TemplateCard kind={kind} />
      <Card title="Importações recentes">
        <Fetched of={recent}>{(imports) => <RecentImports imports={imports} />}</Fetched>
      </Card>
      {before !== undefined && (
        <Confirm
          title="Este arquivo já foi importado"
          action="Importar de novo"
          onConfirm={() => void start(false)}
          onClose={() => setBefore(undefined)}
        >
          <p>
            O mesmo conteúdo foi importado em {moment(before.createdAt)} (importação {before.id}:{' '}
            {counted(before.created, 'incluído', 'incluídos')},{' '}
            {counted(before.newVersion, 'nova versão', 'novas versões')}
            ). Importar de novo pode incluir os mesmos registros outra vez.
          </p>
        </Confirm>
      )}
    </Page>
  );
}
