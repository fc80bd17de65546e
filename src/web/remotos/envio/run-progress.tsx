/** Shows the progress of a run, the reason and end of a pause, and the actions of a person. */
import { Fragment } from 'preact';
import { Link } from 'wouter-preact';
import type { Run } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useRight } from '../../api/session.ts';
import { addressFor, useCompany } from '../../api/use-company.ts';
import { ErrorAlert, Notice, type Tone } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Tally } from '../../ui/tally.tsx';
import { countText, withCount, secondText } from '../../words.ts';
import { endInWords } from '../end-in-words.ts';
import { isRunOver, rewordSentence, runTitle } from '../words.ts';
import { RunBadge } from '../run-badge.tsx';

export function RunProgress(props: {
  readonly run: Run;
  readonly path: string;
  readonly onChange: () => void;
}) {
  const { run, path, onChange } = props;
  const { state, total, done, estimatedEnd, direction } = run;
  const mayApprove = useRight('aprovacao', useCompany());
  const changingState = useAction(
    (transition: 'pause' | 'resume') => api.post<Run>(`${path}/${transition}`),
    onChange,
  );
  const isSent = direction === 'send';
  return (
    <Card
      title="Andamento"
      actions={
        mayApprove &&
        !isRunOver(run) && (
          <>
            {state === 'paused' ? (
              <Button
                kind="primary"
                isBusy={changingState.isBusy}
                onPress={() => void changingState.run('resume')}
              >
                Continuar
              </Button>
            ) : (
              state !== 'queued' && (
                <Button isBusy={changingState.isBusy} onPress={() => void changingState.run('pause')}>
                  Parar
                </Button>
              )
            )}
            <ConfirmButton
              label="Cancelar"
              kind="danger"
              title={`Cancelar: ${runTitle(run)}?`}
              action="Cancelar o que falta"
              cancelLabel="Voltar"
              danger
              send={() => api.delete<Run>(path)}
              onDone={onChange}
            >
              <p>
                {withCount(
                  total - done,
                  'passo que não começou é deixado',
                  'passos que não começaram são deixados',
                )}{' '}
                de lado. O que já foi {isSent ? 'enviado fica como está lá' : 'trazido fica como está aqui'}.
              </p>
            </ConfirmButton>
          </>
        )
      }
    >
      <div class="stack">
        <ErrorAlert error={changingState.error} />
        {isRunOver(run) ? (
          <Ended run={run} />
        ) : (
          <Progress
            label={<RunBadge run={run} />}
            done={done}
            total={state === 'queued' ? null : total}
            aside={
              state === 'queued'
                ? 'preparando os passos'
                : `${countText(done)} de ${countText(total)}${
                    estimatedEnd === null || state === 'paused'
                      ? ''
                      : ` · termina ${endInWords(estimatedEnd)}`
                  }`
            }
          />
        )}
        <PauseReason run={run} />
        <Imports run={run} />
        <dl class="tally">
          <Tally name={isSent ? 'Enviados' : 'Trazidos'} value={run.sent} />
          {run.adopted > 0 && (
            <Tally name={isSent ? 'Já estavam lá' : 'Já estavam aqui'} value={run.adopted} />
          )}
          <Tally name="Recusados" value={run.refused} bad={run.refused > 0} />
          {isSent && <Tally name="Incertos" value={run.uncertain} bad={run.uncertain > 0} />}
          {run.skipped > 0 && <Tally name="Ficaram de fora" value={run.skipped} />}
        </dl>
      </div>
    </Card>
  );
}

/** Lists the imports that a fetch created; they can be undone. */
function Imports({ run }: { readonly run: Run }) {
  const { imports, cpfCnpjRaiz } = run;
  if (imports.length === 0) return null;
  return (
    <p>
      O que veio está em{' '}
      {imports.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={addressFor(`/importar/${id}`, cpfCnpjRaiz)}>Importação {id}</Link>
        </Fragment>
      ))}
      : linha por linha, e pode ser desfeito ali.
    </p>
  );
}

/** Explains why the run is paused or stopped. */
function PauseReason({ run: { state, reason, restsUntil, restsFor } }: { readonly run: Run }) {
  if (reason === null || state === 'done') return null;
  if (state === 'resting' && restsUntil !== null)
    return (
      <Notice tone="calm">
        <p>
          {restsForInWords(restsFor)} até <strong>{secondText(restsUntil)}</strong>, e depois continua
          automaticamente: {rewordSentence(reason)}
        </p>
      </Notice>
    );
  return (
    <Notice tone={state === 'failed' ? 'bad' : 'warn'}>
      {rewordSentence(reason)}
      {state === 'paused' && ' “Continuar” retoma de onde parou.'}
    </Notice>
  );
}

function Ended({ run }: { readonly run: Run }) {
  const [tone, words] = endingOf(run);
  return (
    <Notice tone={tone}>
      <p>
        {words}{' '}
        <Link href={addressFor(`/remotos?remote=${run.remote}`, run.cpfCnpjRaiz)}>Compare de novo</Link> para
        ver o que ainda difere.
      </p>
    </Notice>
  );
}

function endingOf({ state, refused, uncertain, skipped, total }: Run): readonly [tone: Tone, words: string] {
  if (state === 'cancelled') return ['warn', 'Cancelado.'];
  if (state === 'failed') return ['bad', 'Não terminou.'];
  if (total === 0) return ['good', 'Não havia nada a fazer.'];
  if (refused + uncertain + skipped === 0) return ['good', 'Tudo feito.'];
  const remainders = [
    refused > 0
      ? `${withCount(refused, 'foi recusado', 'foram recusados')}: o motivo está em cada passo.`
      : '',
    uncertain > 0
      ? `De ${countText(uncertain)} não se sabe se lá foi feito: a próxima comparação mostra.`
      : '',
    skipped > 0
      ? `${withCount(skipped, 'ficou de fora, porque mudou', 'ficaram de fora, porque mudaram')} depois da comparação.`
      : '',
  ];
  return ['warn', ['Terminou com pendências.', ...remainders.filter((text) => text !== '')].join(' ')];
}

const OPERATIONS: Readonly<Record<string, string>> = {
  includeProduct: 'A inclusão de produtos',
  newProductVersion: 'A nova versão de produtos',
  deactivateProduct: 'A desativação de produtos',
  listProducts: 'A consulta de produtos',
  includeForeignOperator: 'A inclusão de operadores',
  newForeignOperatorVersion: 'A nova versão de operadores',
  deactivateForeignOperator: 'A desativação de operadores',
  listForeignOperators: 'A consulta de operadores',
  linkManufacturer: 'O vínculo de fabricantes',
  unlinkManufacturer: 'A desvinculação de fabricantes',
};

/** Names the operation that a run waits to send, by its name in the specification. */
const restsForInWords = (operation: string | null): string =>
  `${OPERATIONS[operation ?? ''] ?? (operation?.startsWith('export') === true ? 'A exportação' : 'Tudo')} espera`;
