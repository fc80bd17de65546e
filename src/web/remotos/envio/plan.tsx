/**
 * Shows the plan of a run: steps by kind, records that are left out, expected end. Then the user confirms it.
 */
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Remote, Run, RunStarted } from '../../api/answers.ts';
import { type Query, queryOf } from '../../api/client.ts';
import { useRight } from '../../api/session.ts';
import { useCompany } from '../../api/use-company.ts';
import { useResource } from '../../api/use-resource.ts';
import { Notice } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { countText, withCount } from '../../words.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { endInWords } from '../end-in-words.ts';
import { COMPARISONS, KINDS, OPERATIONS, VERBS, hasAddress, isMovedByDefault, remotePath } from '../words.ts';
import { type OperationCount, deactivations, deactivationsText, sum, toDo } from './operations.ts';

export function Plan({ run }: { readonly run: Run }) {
  const remote = useResource<Remote>(remotePath(run.remote)).value;
  const [isConfirming, setConfirming] = useState(false);
  const steps = toDo(run);
  const total = sum(steps);
  const deactivated = deactivations(run);
  const isSent = run.direction === 'send';
  const mayApprove = useRight('aprovacao', useCompany());
  return (
    <Card
      title={`${withCount(total, 'passo seria dado', 'passos seriam dados')} ${isSent ? `em ${run.remote}` : 'aqui'}`}
    >
      <div class="stack remote-plan">
        <p>Isto é só o plano: nada foi {isSent ? 'enviado' : 'trazido'}.</p>
        <Table
          caption="Passos por tipo"
          columns={COLUMNS}
          rows={steps}
          rowKey={({ kind, operation }) => `${kind} ${operation}`}
          empty="Nada a fazer: o que foi escolhido já está em dia, ou mudou depois da comparação."
        />
        {deactivated > 0 && (
          <Notice tone="warn">
            <p>
              <strong>{deactivationsText(deactivated)}</strong> {isSent ? `em ${run.remote}` : 'aqui'}. Veja
              abaixo quais são.
            </p>
          </Notice>
        )}
        {run.estimatedEnd !== null && total > 0 && (
          <p>
            <strong>Quando terminaria:</strong> {paceInWords(steps, remote)}
            {endInWords(run.estimatedEnd)}, se começasse agora.
          </p>
        )}
        {run.skipped > 0 && (
          <p>
            {withCount(run.skipped, 'registro fica', 'registros ficam')} de fora: mudaram depois da
            comparação. Compare de novo para incluí-los.
          </p>
        )}
        {isSent && <NeverSent run={run} />}
        {total > 0 && mayApprove && (
          <Actions>
            {remote !== undefined && isSent && !hasAddress(remote) ? (
              <DownloadButton
                kind="primary"
                path={`${COMPARISONS}/${run.comparison}/files.zip${queryOf(filesOf(run))}`}
                fallbackName={`remoto_${run.remote}.zip`}
              >
                Arquivos para upload
              </DownloadButton>
            ) : (
              <Button kind="primary" onPress={() => setConfirming(true)}>
                {VERBS[run.direction]}
              </Button>
            )}
          </Actions>
        )}
        {remote !== undefined && isSent && !hasAddress(remote) && (
          <p class="muted">
            {run.remote} não tem endereço: baixe os arquivos, envie-os lá pela tela de upload, na ordem dos
            números, cada um uma só vez, e compare de novo.
          </p>
        )}
      </div>
      {isConfirming && <ConfirmRun run={run} onClose={() => setConfirming(false)} />}
    </Card>
  );
}

/** Returns the query for files. They leave out what earlier runs left open. */
const filesOf = ({ asked: { kinds, states } }: Run): Query => ({
  kinds: kinds?.join(),
  states: states?.filter(isMovedByDefault).join(),
});

const COLUMNS: readonly Column<OperationCount>[] = [
  { key: 'kind', title: 'Tipo', cell: ({ kind }) => KINDS[kind][1] },
  { key: 'operation', title: 'O que seria feito', cell: ({ operation }) => OPERATIONS[operation][0] },
  {
    key: 'count',
    title: 'Quantos',
    align: 'right',
    cell: (operationCount) => countText(operationCount.count),
  },
];

/** Describes the slowest operation: `10.000 inclusões a no máximo 900 por hora: `. */
function paceInWords(steps: readonly OperationCount[], remote: Remote | undefined): string {
  const [most] = steps.toSorted((a, b) => b.count - a.count);
  if (most === undefined || remote?.perHour === undefined) return '';
  const [, singular, plural] = OPERATIONS[most.operation];
  return `${withCount(most.count, singular, plural)} a no máximo ${countText(remote.perHour)} por hora: `;
}

function NeverSent({ run: { notSent } }: { readonly run: Run }) {
  if (notSent === null) return null;
  const { drafts, pastVersions, concessionActs } = notSent;
  const leftOutTexts = [
    drafts > 0 ? withCount(drafts, 'rascunho', 'rascunhos') : '',
    pastVersions > 0 ? withCount(pastVersions, 'versão passada', 'versões passadas') : '',
    concessionActs > 0 ? withCount(concessionActs, 'ato concessório', 'atos concessórios') : '',
  ].filter((text) => text !== '');
  return (
    <p class="muted">
      {leftOutTexts.length > 0 && `Nunca são enviados: ${leftOutTexts.join(', ')}. `}
      Só o conteúdo atual vai, e lá ele vale desde o dia do envio: versões passadas, dias retroativos,
      rascunhos e atos concessórios ficam aqui.
    </p>
  );
}

const BRAKE = 'maxDeactivations';

/** Confirms a plan. The user types the number of deactivations when it exceeds the limit of the server. */
function ConfirmRun({ run, onClose }: { readonly run: Run; readonly onClose: () => void }) {
  const { remote, direction, asked, cpfCnpjRaiz } = run;
  const [, navigate] = useLocation();
  const [typedText, setTypedText] = useState('');
  const starting = useAction(
    () =>
      api.post<RunStarted>(`${COMPARISONS}/${run.comparison}/runs`, {
        direction,
        ...asked,
        ...(/^\d+$/.test(typedText.trim()) && { [BRAKE]: Number(typedText) }),
      }),
    ({ id }) => navigate(`/remotos/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`),
  );
  const isBraked = starting.error?.problems.some(({ place }) => place === BRAKE) ?? false;
  // The field stays once the number was requested.
  const [wasBraked, setBraked] = useState(false);
  if (isBraked && !wasBraked) setBraked(true);
  const deactivated = deactivations(run);
  const isSent = direction === 'send';
  const steps = withCount(sum(toDo(run)), 'passo', 'passos');
  return (
    <Confirm
      title={isSent ? `Enviar ${steps} a ${remote}?` : `Trazer ${steps} de ${remote}?`}
      action={VERBS[direction]}
      cancelLabel="Voltar"
      danger={deactivated > 0}
      isBusy={starting.isBusy}
      error={starting.error}
      onConfirm={() => void starting.run()}
      onClose={onClose}
    >
      <div class="stack">
        <p>
          {isSent
            ? `O que está aqui é gravado em ${remote}, um passo por vez, mesmo que a instância seja reiniciada. O que já tiver sido gravado lá só pode ser desfeito lá.`
            : `O que está em ${remote} é gravado aqui, como uma importação, que se pode desfazer.`}
        </p>
        {deactivated > 0 && (
          <p>
            <strong>
              {deactivationsText(deactivated)} {isSent ? `em ${remote}` : 'aqui'}.
            </strong>
          </p>
        )}
        {wasBraked && (
          <Input
            label="Quantos podem ser desativados"
            inputMode="numeric"
            value={typedText}
            onChange={setTypedText}
            help={`São mais do que o limite que dispensa confirmação. Para confirmar, digite ${deactivated}.`}
          />
        )}
      </div>
    </Confirm>
  );
}
