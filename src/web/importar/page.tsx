/** Import page: form and earlier imports. */
import { useState } from 'preact/hooks';
import type { ImportProgress } from '../api/answers.ts';
import { useRight, useCurrentUser } from '../api/session.ts';
import { companyOf, useCompany } from '../api/use-company.ts';
import { useGo } from '../api/use-go.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button, LinkButton } from '../ui/button.tsx';
import { Card, ResourceView, Page } from '../ui/page.tsx';
import { instead } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount, numberText, momentText, countText, dayText, sizeText } from '../words.ts';
import { EmptyList } from '../ui/table.tsx';
import { Chart } from '../ui/chart.tsx';
import { queryOf } from '../api/client.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { Input } from '../ui/field.tsx';
import { Progress } from '../ui/progress.tsx';
import { AlreadyImported } from './already-imported.tsx';
import { useExpected } from './expected.tsx';
import { ImportFields } from './form.tsx';
import { MappingCard } from './mapping-card.tsx';
import { IMPORTS, isOver, outcomeInWords, type ImportKind } from './kinds.ts';
import { type StartRequest, useImportForm, type Sending } from './use-import-form.ts';

/** Number of imports in the quality chart, and of those that one press adds to the list. */
const LAST = 30;
const RECENT = 5;
/** Maximum length of the list. */
const LISTED_MAX = 1000;
const POLL_MS = 1000;

export default function ImportPage() {
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

/** Recent imports of the user, with links to their results. */
function RecentImports({ imports }: { readonly imports: readonly ImportProgress[] }) {
  if (imports.length === 0) return <EmptyList>Nenhuma importação ainda.</EmptyList>;
  return (
    <ul class="recent">
      {imports.map((job) => (
        <li key={job.id}>
          <div>
            <strong>{job.fileName}</strong>
            <p class="muted">
              {momentText(job.createdAt)} · {outcomeInWords(job)}
            </p>
          </div>
          <LinkButton href={`/importar/${job.id}`} aria-label={`Ver o resultado de ${job.fileName}`}>
            Ver
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}

const SERIES = [{ name: 'Recusados', tone: 'bad' }] as const;
const PERCENT = 100;

/** Returns true for file imports that write. A dry run only looks for mistakes, and an undo adds no input. */
const countsForQuality = (job: ImportProgress): boolean =>
  isOver(job) && job.processed > 0 && !job.simular && !job.changesMany && job.undoes === null;

/** Share of refused items in each of the last imports: shows how the quality of the input develops. */
function QualityCard({ imports }: { readonly imports: readonly ImportProgress[] }) {
  const fileImports = imports.filter(countsForQuality).toReversed();
  if (fileImports.length === 0) return null;
  return (
    <Card title="Qualidade do que chega">
      <Chart
        title="Itens recusados em cada importação, das últimas"
        unit="% dos itens"
        barHeading="Importação"
        series={SERIES}
        bars={fileImports.map(({ id, fileName, createdAt, processed, failed }) => ({
          label: dayText(createdAt).slice(0, 5),
          name: `${fileName}, ${momentText(createdAt)}: ${countText(failed)} de ${withCount(processed, 'item', 'itens')}`,
          values: [(failed / processed) * PERCENT],
          href: `/importar/${id}`,
        }))}
      />
    </Card>
  );
}

/** Spreadsheet template that the server generates. */
function TemplateCard({ kind }: { readonly kind: ImportKind }) {
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

interface UploadProgressProps {
  readonly isReading: boolean;
  readonly isStarting: boolean;
  readonly sending: Sending | undefined;
  readonly onStop: () => void;
}

/** State of the selected files before the upload is complete. */
function UploadProgress({ isReading, isStarting, sending, onStop }: UploadProgressProps) {
  if (!isReading && !isStarting) return null;
  if (sending === undefined || (isReading && sending.sent >= sending.total))
    return (
      <p role="status">{isReading ? 'Lendo o que foi escolhido…' : 'Conferindo se já foi importado…'}</p>
    );
  const { name, sent, total } = sending;
  const isSent = total > 0 && sent >= total;
  return (
    <div class="sending">
      <Progress
        label={<bdi>Enviando {name}</bdi>}
        done={sent}
        total={total}
        aside={isSent ? 'enviado; esperando o servidor' : `enviado ${sentOf(sent, total)}`}
      />
      {!isSent && (
        <Button small onPress={onStop}>
          Cancelar
        </Button>
      )}
    </div>
  );
}

/** Returns `12 de 40 MiB`: the unit appears once if both have the same. */
function sentOf(sent: number, total: number): string {
  const [amount = '', unit = ''] = sizeText(sent).split(' ');
  const totalSize = sizeText(total);
  return totalSize.endsWith(` ${unit}`) ? `${amount} de ${totalSize}` : `${amount} ${unit} de ${totalSize}`;
}
