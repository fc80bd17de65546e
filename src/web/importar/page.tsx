/** Import page: form and earlier imports. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress } from '../api/answers.ts';
import { useRight, useCurrentUser } from '../api/session.ts';
import { companyOf, useCompany } from '../api/use-company.ts';
import { useGo } from '../api/use-go.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card, ResourceView, Page } from '../ui/page.tsx';
import { instead } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount, numberText } from '../words.ts';
import { AlreadyImported } from './already-imported.tsx';
import { useExpected } from './expected.tsx';
import { ImportFields } from './form.tsx';
import { MappingCard } from './mapping-card.tsx';
import { IMPORTS, isOver } from './kinds.ts';
import { QualityCard } from './quality-card.tsx';
import { RecentImports } from './recent.tsx';
import { TemplateCard } from './template-card.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { type StartRequest, useImportForm } from './use-import-form.ts';

/** Number of imports in the quality chart, and of those that one press adds to the list. */
const LAST = 30;
const RECENT = 5;
/** Maximum length of the list. */
const LISTED_MAX = 1000;
const POLL_MS = 1000;

export default function ImportPage(): JSX.Element {
  const company = useCompany();
  const mayWrite = useRight('preenchimento');
  const { nome = '' } = companyOf(useCurrentUser(), company) ?? {};
  const go = useGo();
  const [earlierImport, setEarlierImport] = useState<ImportProgress>();
  const [visibleCount, setVisibleCount] = useState(RECENT);
  const recent = useResource<readonly ImportProgress[]>(IMPORTS, {
    query: { cpfCnpjRaiz: company, limit: Math.min(Math.max(LAST, visibleCount + 1), LISTED_MAX) },
    pollAfter: (imports) => (imports.every(isOver) ? undefined : POLL_MS),
  });
  const form = useImportForm(company);
  const { expected, fieldsOf } = useExpected();
  const { kind, mode, chosenFiles, problem, starting, isReading, sending } = form;
  const hasSheet = chosenFiles.some(({ sheet }) => sheet !== undefined);

  /** Starts an import. Content that was imported before needs a confirmation. */
  const start = async (request: StartRequest): Promise<void> => {
    setEarlierImport(undefined);
    const started = await starting.run({ ...request, expected });
    recent.reload();
    if (started === undefined) return;
    if ('earlierImport' in started) return setEarlierImport(started.earlierImport);
    const { ids } = started;
    if (ids.length === 1 && go(`/importar/${ids[0]}`)) return;
    if (ids.length > 0) toast(`${withCount(ids.length, 'importação começou', 'importações começaram')}.`);
  };

  return (
    <Page
      title="Importar"
      about="Produtos, operadores, vínculos e atos concessórios de um arquivo ou de uma planilha."
    >
      <Card title="Importar um arquivo">
        <form class="stack" onSubmit={instead(() => start({ dryRun: true }))}>
          <ImportFields
            kind={kind}
            mode={mode}
            chosenFiles={chosenFiles}
            leftOut={form.leftOut}
            isBusy={starting.isBusy}
            onKind={form.setKind}
            onMode={form.setMode}
            onFiles={(files) => void form.choose(files)}
          />
          <p class="muted">
            As linhas de uma planilha são da empresa escolhida acima, {nome}{' '}
            <code>{numberText(company)}</code>; itens de outros arquivos dizem a sua, e os de empresas que
            você não representa falham sozinhos.
          </p>
          {chosenFiles.map((chosenFile, index) =>
            chosenFile.sheet === undefined ? null : (
              <MappingCard
                key={chosenFile.file.name}
                chosenFile={{ ...chosenFile, sheet: chosenFile.sheet }}
                onChange={(changed) => form.change(index, changed)}
              />
            ),
          )}
          <ErrorAlert error={problem} />
          {hasSheet && (
            <p class="muted">
              Uma planilha é conferida antes: o resultado mostra o que mudaria em cada linha, e ali se
              importa.
            </p>
          )}
          {fieldsOf(starting.error)}
          <Actions>
            <Button type="submit" kind="primary" isBusy={starting.isBusy}>
              Conferir sem gravar
            </Button>
            {!hasSheet && mayWrite && (
              <Button isBusy={starting.isBusy} onPress={() => void start({ dryRun: false })}>
                Importar
              </Button>
            )}
          </Actions>
        </form>
        <UploadProgress
          isReading={isReading}
          sending={sending}
          isStarting={starting.isBusy}
          onStop={form.stopSending}
        />
        <ErrorAlert error={starting.error} />
      </Card>
      <TemplateCard kind={kind} />
      <Card title="Importações recentes">
        <ResourceView resource={recent}>
          {(imports) => (
            <>
              <RecentImports imports={imports.slice(0, visibleCount)} />
              {(imports.length > visibleCount || (recent.isLoading && imports.length >= LAST)) && (
                <Button isBusy={recent.isLoading} onPress={() => setVisibleCount(visibleCount + LAST)}>
                  Mostrar mais
                </Button>
              )}
            </>
          )}
        </ResourceView>
      </Card>
      {recent.value !== undefined && <QualityCard imports={recent.value.slice(0, LAST)} />}
      {earlierImport !== undefined && (
        <AlreadyImported
          earlierImport={earlierImport}
          onConfirm={() => void start({ dryRun: false, again: true })}
          onClose={() => setEarlierImport(undefined)}
        />
      )}
    </Page>
  );
}
