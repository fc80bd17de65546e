/**
 * Result of each item. The list begins with failed items only, since they need action. A proposal lists all
 * items.
 */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { emptyText } from '../../../validation/not-recorded.ts';
import { outcomeWord } from '../../../validation/outcome.ts';
import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { usePages } from '../../api/use-pages.ts';
import { Downloads } from '../../kit/list/downloads.tsx';
import { PagedTable } from '../../kit/list/paged-table.tsx';
import { addressOf as operatorAddressOf } from '../../operadores/operator.ts';
import { ChangeMany } from '../../produtos/change-many.tsx';
import { addressOf as productAddressOf } from '../../produtos/product.ts';
import { problemText, readableSentence } from '../../sentences.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Changes } from '../../ui/changes.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { WithNcms } from '../../ui/ncm.tsx';
import { Select } from '../../ui/select.tsx';
import type { Column } from '../../ui/table.tsx';
import { withCount } from '../../words.ts';
import { api } from '../../api/api.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { IMPORTS } from '../kinds.ts';
import { Retry } from './retry.tsx';
import { type Outcome, allResults, pageOfResults, resultsPath } from './all-results.ts';

const MARKS = {
  created: ['good', 'plus'],
  newVersion: ['good', 'check'],
  deactivated: ['good', 'check'],
  unchanged: ['muted', 'dash'],
  failed: ['bad', 'cross'],
} as const;

const ALL = 'todos';

export function ImportResults(
  props: {
    readonly job: ImportProgress;
    readonly isOwn: boolean;
    readonly onForgotten: () => void;
  } & Partial<LeavingOut>,
) {
  const { job, isOwn, onForgotten, rowsOut, onRowsOut } = props;
  const [{ outcome: outcomeFilter }, setFilters] = useFilters(['outcome']);
  // A decision about a proposal needs the rows that would be written.
  const isWaiting = job.state === 'awaiting';
  const choice = outcomeFilter === '' && job.failed > 0 && !isWaiting ? 'failed' : outcomeFilter;
  const outcome = (choice === ALL ? '' : choice) as Outcome; // only listed values can be selected
  return (
    <Card
      title="Resultado de cada item"
      actions={
        <>
          <Downloads path={resultsPath(job.id)} query={{ outcome }} name="resultado" hasXlsx />
          {isOwn && <DeleteResults job={job} onForgotten={onForgotten} />}
        </>
      }
    >
      <Select
        label="Mostrar"
        value={choice === '' ? ALL : choice}
        options={[
          { value: ALL, label: `Todos (${totalOf(job, '')})` },
          ...OUTCOMES.map((value) => ({
            value,
            label: `${outcomeWord(value, job.simular)} (${totalOf(job, value)})`,
          })),
        ]}
        onChange={(next) => setFilters({ outcome: next })}
      />
      {job.notices.length > 0 && (
        <Notice tone="warn">
          <ul class="plain">
            {job.notices.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {job.failedNotKept > 0 && (
        <Notice tone="warn">
          Dos itens com erro, {withCount(job.failedNotKept, 'não é mostrado', 'não são mostrados')}: só os
          motivos dos primeiros são guardados. Corrija o que se repete e importe o arquivo inteiro de novo.
        </Notice>
      )}
      {job.failed > 0 && job.changesMany && <ChangeFailed job={job} />}
      {job.failed > 0 && job.failedNotKept === 0 && isOfFile(job) && <Retry job={job} />}
      <Rows
        key={outcome}
        job={job}
        outcome={outcome}
        {...(rowsOut && onRowsOut && { leavingOut: { rowsOut, onRowsOut } })}
      />
    </Card>
  );
}

/** Returns true if the import came from a file of items, which only the sender has. */
const isOfFile = ({ changesMany, fromSheet, undoes }: ImportProgress): boolean =>
  !changesMany && !fromSheet && undoes === null;

const RESULT_PAGES = { size: 100, pageOf: pageOfResults };

/** Results in pages, so that a long list appears quickly. */
function Rows(props: {
  readonly job: ImportProgress;
  readonly outcome: Outcome;
  readonly leavingOut?: LeavingOut;
}) {
  const { job, outcome, leavingOut } = props;
  const pages = usePages(resultsPath(job.id), { outcome }, RESULT_PAGES);
  const remaining = totalOf(job, outcome) - pages.rows.length;
  return (
    <PagedTable
      pages={pages}
      caption="Resultado de cada item"
      columns={[...columnsOf(job), ...(leavingOut === undefined ? [] : [leaveOutColumn(leavingOut)])]}
      rowKey={({ index }) => index}
      empty="Nenhum item terminou assim."
      more={remaining > 0 ? `Mostrar mais (${withCount(remaining, 'item', 'itens')})` : ''}
    />
  );
}

const OUTCOMES = ['failed', 'created', 'newVersion', 'deactivated', 'unchanged'] as const;

function totalOf(job: ImportProgress, outcome: Outcome): number {
  const { processed, failed, failedNotKept } = job;
  if (outcome === '') return processed - failedNotKept;
  return outcome === 'failed' ? failed - failedNotKept : job[outcome];
}

function columnsOf(job: ImportProgress): readonly Column<ImportResult>[] {
  const { simular, changesMany, fromSheet, kind } = job;
  const asksForChanges = changesMany || fromSheet;
  return [
    ...(fromSheet ? [ROW] : []),
    { key: 'name', title: 'Nome', cell: ({ name }) => <bdi>{name ?? '–'}</bdi> },
    ...(fromSheet ? [CODES] : changesMany ? [] : [PLACE]),
    { key: 'codigo', title: 'Código', cell: (result) => <Code job={job} result={result} />, code: true },
    { key: 'versao', title: 'Versão', cell: ({ versao }) => versao ?? '–', code: true },
    {
      key: 'outcome',
      title: 'Resultado',
      cell: ({ outcome }) => <OutcomeBadge outcome={outcome} isDryRun={simular} />,
    },
    {
      key: 'changes',
      title:
        changesMany || kind === 'registro'
          ? 'O que muda'
          : fromSheet || simular
            ? 'O que muda ou corrigir'
            : 'O que corrigir',
      cell: (result) => <ChangesAndProblems isOfFile={!asksForChanges} result={result} />,
    },
  ];
}

/** Rows of a dry run that the user leaves out. */
interface LeavingOut {
  readonly rowsOut: readonly number[];
  readonly onRowsOut: (rows: readonly number[]) => void;
}

/** Button that leaves a row out of the import, or takes it in again. Failed rows are never imported. */
const leaveOutColumn = ({ rowsOut, onRowsOut }: LeavingOut): Column<ImportResult> => ({
  key: 'leaveOut',
  title: 'Ação',
  cell: ({ row, outcome }) => {
    if (row === undefined || outcome === 'failed' || outcome === 'unchanged') return null;
    const isOut = rowsOut.includes(row);
    return (
      <Button
        small
        pressed={isOut}
        label={`Deixar de fora a linha ${row}`}
        onPress={() => onRowsOut(isOut ? rowsOut.filter((otherRow) => otherRow !== row) : [...rowsOut, row])}
      >
        {isOut ? 'Fica de fora' : 'Deixar de fora'}
      </Button>
    );
  },
});

/** Link to the record. A refused item of a file gets none, because its record may not exist. */
function Code({ job, result }: { readonly job: ImportProgress; readonly result: ImportResult }) {
  const { codigo, outcome } = result;
  const { cpfCnpjRaiz, simular, changesMany, tipo } = job;
  const isThere = !simular && (changesMany || outcome !== 'failed');
  if (codigo === null || cpfCnpjRaiz === null || !isThere) return <>{codigo ?? '–'}</>;
  const addressOf = tipo === 'operador-estrangeiro' ? operatorAddressOf : productAddressOf;
  return <Link href={addressOf({ cpfCnpjRaiz, codigo })}>{codigo}</Link>;
}

const ROW: Column<ImportResult> = {
  key: 'row',
  title: 'Linha',
  code: true,
  cell: ({ row, line }) => row ?? line,
};

/** Codes by which the sender identifies a row. Names are not unique. */
const CODES: Column<ImportResult> = {
  key: 'codigosInterno',
  title: 'Códigos internos',
  code: true,
  cell: (result) => result.codigosInterno.join(', ') || emptyText(result, 'codigosInterno', '–'),
};

const PLACE: Column<ImportResult> = {
  key: 'where',
  title: 'Onde está',
  cell: ({ file, line }) => `${file}, linha ${line}`,
};

/**
 * Changes, with notes about values that were read differently than sent: an accepted row has no other column
 * for them. `isOfFile`: the column asks only for problems.
 */
function ChangesAndProblems(props: { readonly isOfFile: boolean; readonly result: ImportResult }) {
  const { isOfFile, result } = props;
  const { changes, errors, notices, outcome } = result;
  const hasMessages = errors.length + notices.length > 0;
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} isNew={outcome === 'created'} />}
      {hasMessages && <Problems {...result} />}
      {!hasMessages && changes.length === 0 && emptyText(isOfFile ? {} : result, 'changes', '–')}
    </>
  );
}

/** Changes the failed products again, with other or additional values. */
function ChangeFailed({ job }: { readonly job: ImportProgress }) {
  const company = useCompany();
  const [codigos, setCodigos] = useState<readonly number[]>();
  const reading = useAction(
    () => allResults(job.id, 'failed'),
    (failed) => setCodigos(failed.map(({ codigo }) => Number(codigo))),
  );
  return (
    <>
      <Actions>
        <Button isBusy={reading.isBusy} onPress={() => void reading.run()}>
          Alterar os que falharam
        </Button>
      </Actions>
      <ErrorAlert error={reading.error} />
      {codigos !== undefined && (
        <ChangeMany company={company} codes={codigos} reactivates onClose={() => setCodigos(undefined)} />
      )}
    </>
  );
}

function OutcomeBadge({ outcome, isDryRun }: Pick<ImportResult, 'outcome'> & { readonly isDryRun: boolean }) {
  const [tone, icon] = MARKS[outcome];
  return (
    <Badge tone={tone} icon={icon}>
      {outcomeWord(outcome, isDryRun)}
    </Badge>
  );
}

/** Returns the text of an error. The last one may only count problems that are not stored. */
const textOf = (error: string, problem: ImportResult['problems'][number] | undefined): string =>
  problem === undefined ? readableSentence(error) : problemText(problem, problem.path);

function Problems({ row, errors, problems, notices }: ImportResult) {
  // For a sheet, the cell if its column exists; otherwise the path in the item.
  const place = (cell: string | null | undefined, path: string | null | undefined) => {
    const text = (row === undefined ? path : cell) ?? '';
    return text === '' ? <></> : <code>{text}</code>;
  };
  return (
    <ul class="plain">
      {errors.map((error, index) => (
        <li key={index}>
          <WithNcms text={textOf(error, problems[index])} />{' '}
          {place(problems[index]?.cell, problems[index]?.path)}
        </li>
      ))}
      {notices.map(({ path, message }, index) => (
        <li key={`${path} ${index}`} class="muted">
          <WithNcms text={readableSentence(message)} /> {place(undefined, path)}
        </li>
      ))}
    </ul>
  );
}

/**
 * Button that deletes the results of the items: names and reasons are kept only as long as they are needed.
 */
const DeleteResults = ({
  job,
  onForgotten,
}: {
  readonly job: ImportProgress;
  readonly onForgotten: () => void;
}) => (
  <ConfirmButton
    label="Apagar resultados"
    small
    title="Apagar os resultados desta importação?"
    action="Apagar"
    danger
    send={() => api.delete(`${IMPORTS}/${job.id}/results`)}
    doneText="Resultados apagados."
    onDone={onForgotten}
  >
    <p>
      O nome, a linha e os motivos de cada item são apagados e não voltam. Os números da importação e o que
      ela gravou permanecem.
    </p>
  </ConfirmButton>
);
