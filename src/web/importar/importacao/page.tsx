/**
 * Page of one import: progress and, at the end, the result of each item. The import does not depend on this
 * page.
 */
import { useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import type { ImportProgress, ImportStarted } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { type Result, resultOf, type ApiError } from '../../api/result.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { returnAddress } from '../../api/return-address.ts';
import { useForm } from '../../api/use-form.ts';
import { useOpenImport } from '../../api/use-open-import.ts';
import { useCompanyOfRecord } from '../../api/use-company-of-record.ts';
import { useRight, useSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { CHANGES } from '../../produtos/change-many.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { ResourceView, Page } from '../../ui/page.tsx';
import { RETURN_STATE } from '../../ui/use-scroll-memory.ts';
import { withCount } from '../../words.ts';
import { ProposalState, Propose } from '../../aprovar/propose.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { AlreadyImported } from '../already-imported.tsx';
import { useExpected } from '../expected.tsx';
import { IMPORTS, isOver } from '../kinds.ts';
import { importedBefore, startImport, uploadOf } from '../upload.ts';
import { ProgressCard } from './progress.tsx';
import { Reasons } from './reasons.tsx';
import { ImportResults } from './results.tsx';

const POLL_MS = 400;

export default function ImportResultPage({ params: { id = '' } }: PageProps) {
  const path = `${IMPORTS}/${encodeURIComponent(id)}`;
  const resource = useResource<ImportProgress>(path, {
    pollAfter: (job) => (isOver(job) ? undefined : POLL_MS),
  });
  useCompanyOfRecord(`/importar/${id}`, resource.value?.cpfCnpjRaiz);
  const { documento } = useSession();
  const mayApprove = useRight('aprovacao', resource.value?.cpfCnpjRaiz ?? undefined);
  const mayFill = useRight('preenchimento', resource.value?.cpfCnpjRaiz ?? undefined);
  const cancelling = useAction(() => api.delete(path));
  const origin = returnAddress(useSearch());
  // Stored per import, like the corrections.
  const leftOut = useForm<{ readonly rows: readonly number[] }>({ rows: [] }, { storageKey: `fora.${id}` });
  const { rows: rowsOut } = leftOut.values;
  return (
    <Page
      title={`Importação ${id}`}
      actions={
        <Actions>
          {resource.value !== undefined &&
            isUndoable(resource.value) &&
            resource.value.undoneBy === null &&
            mayApprove && <Undo job={resource.value} />}
          {origin !== undefined && (
            <Link class="button quiet" href={origin} state={RETURN_STATE}>
              Voltar para onde estava
            </Link>
          )}
          <Link class="button quiet" href="/importar">
            Todas as importações
          </Link>
        </Actions>
      }
    >
      <ErrorAlert error={cancelling.error} />
      <ResourceView resource={resource}>
        {(job) => (
          <>
            {job.undoes !== null && (
              <Link href={`/importar/${job.undoes}`}>Ver a importação {job.undoes}</Link>
            )}
            {job.undoneBy !== null && (
              <Notice tone="calm">
                Esta importação foi desfeita:{' '}
                <Link href={`/importar/${job.undoneBy}`}>ver a importação {job.undoneBy}</Link>.
              </Notice>
            )}
            {job.correctedBy !== null && (
              <Notice tone="calm">
                O que falhou foi importado de novo, corrigido:{' '}
                <Link href={`/importar/${job.correctedBy}`}>ver a importação {job.correctedBy}</Link>.
              </Notice>
            )}
            <ProgressCard
              job={job}
              isUndone={job.undoneBy !== null}
              isOwn={job.madeBy === documento}
              isCancelling={cancelling.isBusy}
              onCancel={() => void cancelling.run()}
            />
            {job.simular && isOver(job) && (
              <ProposalState key={job.state} job={job} onChanged={resource.reload} />
            )}
            {job.proposedBy !== null && (
              <p class="muted">
                Grava a <Link href={`/importar/${job.proposal}`}>proposta {job.proposal}</Link>, de outra
                pessoa.
              </p>
            )}
            {job.simular && job.state === 'done' && !job.cellsDropped && (
              <ImportAfterDryRun
                job={job}
                isOwn={job.madeBy === documento}
                mayPropose={mayFill}
                rowsOut={rowsOut}
                onProposed={resource.reload}
              />
            )}
            {job.cellsDropped && (
              <p class="muted">
                As linhas desta planilha deram lugar às de planilhas mais novas da empresa. Para corrigir ou
                gravar, envie a planilha de novo.
              </p>
            )}
            {isOver(job) && job.failed > 0 && !job.resultsForgotten && isUncorrected(job) && (
              <Reasons key={job.id} job={job} rowsOut={rowsOut} />
            )}
            {isOver(job) && job.processed > 0 && !job.resultsForgotten && (
              <ImportResults
                key={job.id}
                job={job}
                isOwn={job.madeBy === documento && job.state !== 'awaiting'}
                onForgotten={resource.reload}
                {...(mayApprove &&
                  mayLeaveOut(job) && { rowsOut, onRowsOut: (rows) => leftOut.set({ rows }) })}
              />
            )}
            {job.resultsForgotten && <p class="muted">Os resultados dos itens foram apagados.</p>}
          </>
        )}
      </ResourceView>
    </Page>
  );
}

/** Returns true if the failures are neither corrected nor undone, as in the list of pending tasks. */
const isUncorrected = ({ correctedBy, undoneBy }: ImportProgress): boolean =>
  correctedBy === null && undoneBy === null;

/** Returns true for a dry run of a sheet, whose rows can still be left out. */
const mayLeaveOut = ({ simular, fromSheet, cellsDropped, state }: ImportProgress): boolean =>
  simular && fromSheet && !cellsDropped && state === 'done';

/**
 * Import after a dry run: it sends the same file, if this tab still has it. A change of many records is
 * applied exactly as shown.
 */
function ImportAfterDryRun(props: {
  readonly job: ImportProgress;
  readonly isOwn: boolean;
  readonly mayPropose: boolean;
  /** Rows of a sheet that the user leaves out. */
  readonly rowsOut: readonly number[];
  readonly onProposed: () => void;
}) {
  const { job, isOwn, mayPropose, rowsOut, onProposed } = props;
  const company = useCompany();
  const mayApprove = useRight('aprovacao', job.cpfCnpjRaiz ?? undefined);
  const canPropose = isOwn && mayPropose && !mayApprove && job.cpfCnpjRaiz !== null;
  const mayWrite = job.changesMany ? mayApprove : mayPropose;
  const openImport = useOpenImport();
  const upload = uploadOf(job.id);
  const { expected, fieldsOf } = useExpected();
  const [earlierImport, setEarlierImport] = useState<ImportProgress>();
  const starting = useAction(
    (): Promise<Result<ImportStarted>> =>
      job.changesMany
        ? api.post(CHANGES, {
            cpfCnpjRaiz: company,
            from: job.id,
            // The user has seen the number of deactivations in the dry run.
            ...(job.deactivated > 0 && { expected: job.deactivated }),
          })
        : upload === undefined
          ? api.post(IMPORTS, {
              from: job.id,
              ...(rowsOut.length > 0 && { skip: rowsOut }),
              ...(expected !== undefined && { expected }),
            })
          : startImport(upload, false, {}, expected),
    ({ id }) => openImport(id, company),
  );
  /** Content that was imported before needs a confirmation. */
  const checkingEarlier = useAction(
    async (): Promise<Result<ImportProgress | undefined>> => {
      const earlier = job.changesMany ? undefined : await importedBefore(job);
      return resultOf(earlier);
    },
    (earlier) => (earlier === undefined ? void starting.run() : setEarlierImport(earlier)),
  );
  if (job.created + job.newVersion + job.deactivated === 0) return <></>;
  const propose = canPropose && <Propose id={job.id} onProposed={onProposed} />;
  const isLost = upload === undefined && !job.changesMany && !job.fromSheet;
  if (canPropose && (!mayWrite || isLost))
    return (
      <Actions>
        {propose}
        {job.failed > 0 && (
          <span class="muted">
            {withCount(job.failed, 'item com erro fica de fora', 'itens com erro ficam de fora')}.
          </span>
        )}
      </Actions>
    );
  if (!mayWrite)
    return (
      <p class="muted">
        O seu papel nesta empresa não grava o que esta simulação mostra; peça a quem tem o papel de aprovação.
      </p>
    );
  if (isLost)
    return (
      <p class="muted">
        Para importar de verdade, <Link href="/importar">escolha o arquivo de novo</Link>.
      </p>
    );
  return (
    <>
      {fieldsOf(starting.error)}
      <Actions>
        {propose}
        <Button
          kind={canPropose ? 'quiet' : 'primary'}
          isBusy={checkingEarlier.isBusy || starting.isBusy}
          onPress={() => void checkingEarlier.run()}
        >
          {job.changesMany ? 'Gravar' : canPropose ? 'Importar só os rascunhos' : 'Importar'}
        </Button>
        {rowsOut.length > 0 && (
          <span class="muted">
            {withCount(rowsOut.length, 'linha fica de fora', 'linhas ficam de fora')}.
          </span>
        )}
        {job.failed > 0 && (
          <span class="muted">
            {withCount(job.failed, 'item com erro fica de fora', 'itens com erro ficam de fora')} até que se
            corrija.
          </span>
        )}
      </Actions>
      <ErrorAlert error={starting.error} />
      {earlierImport !== undefined && (
        <AlreadyImported
          earlierImport={earlierImport}
          onConfirm={() => {
            setEarlierImport(undefined);
            void starting.run();
          }}
          onClose={() => setEarlierImport(undefined)}
        />
      )}
    </>
  );
}

/** Returns true if the server can undo the import. Imports of acts and mirrors cannot be undone. */
const isUndoable = (job: ImportProgress): boolean =>
  job.state === 'done' &&
  !job.simular &&
  !job.resultsForgotten &&
  job.modo === 'lote' &&
  job.tipo !== 'ato-concessorio' &&
  job.created + job.newVersion + job.deactivated > 0;

function Undo({ job }: { readonly job: ImportProgress }) {
  const company = useCompany();
  const openImport = useOpenImport();
  const [error, setError] = useState<ApiError>();
  const { expected, fieldsOf } = useExpected();
  return (
    <ConfirmButton
      label="Desfazer"
      title="Desfazer esta importação?"
      action="Desfazer"
      danger
      send={async () => {
        const undone = await api.post<ImportStarted>(`${IMPORTS}/${job.id}/undo`, {
          ...(expected !== undefined && { expected }),
        });
        if (!undone.ok) setError(undone.error);
        return undone;
      }}
      onDone={({ id }) => openImport(id, company)}
    >
      <p>
        O que ela incluiu é desativado, e o que ela mudou ganha uma nova versão com o que havia antes. O que
        mudou depois dela fica como está, e é dito. Também isto pode ser desfeito.
      </p>
      {fieldsOf(error)}
    </ConfirmButton>
  );
}
