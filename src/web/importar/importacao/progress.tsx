import type { JSX } from 'preact';
import { Notice, type Tone } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { count, counted } from '../../words.ts';
import { type Import, isOver } from '../model.ts';

/** How far an import is and, when it is over, how it ended. */
export function ImportProgress({
  job,
  onCancel,
}: {
  readonly job: Import;
  readonly onCancel: () => void;
}): JSX.Element {
  return (
    <div class="job">
      {isOver(job) ? (
        <Notice tone={toneOf(job)}>
          <strong>{headline(job)}</strong> {explanation(job)}
        </Notice>
      ) : (
        <>
          <Progress
            label={`${job.simular ? 'Conferindo' : 'Importando'} ${job.fileName}`}
            done={job.processed}
            total={job.total}
            aside={position(job)}
          />
          <Button small onPress={onCancel}>
            Cancelar
          </Button>
        </>
      )}
      <dl class="tally">
        <Tally name="Incluídos" value={job.created} />
        <Tally name="Novas versões" value={job.newVersion} />
        <Tally name="Inalterados" value={job.unchanged} />
        <Tally name="Com erro" value={job.failed} bad={job.failed > 0} />
      </dl>
    </div>
  );
}

function Tally({
  name,
  value,
  bad = false,
}: {
  readonly name: string;
  readonly value: number;
  readonly bad?: boolean;
}): JSX.Element {
  return (
    <div class={bad ? 'bad' : ''}>
      <dt>{name}</dt>
      <dd>{count(value)}</dd>
    </div>
  );
}

function position({ state, total, processed }: Import): string {
  if (state === 'queued') return 'na fila';
  return total === null ? `${count(processed)} lidos` : `${count(processed)} de ${count(total)}`;
}

function toneOf({ state, failed }: Import): Tone {
  if (state === 'failed') return 'bad';
  return state === 'cancelled' || failed > 0 ? 'warn' : 'good';
}

function headline({ state, failed, processed, fileName, simular }: Import): string {
  if (state === 'failed') return `${fileName}: o arquivo não pôde ser lido.`;
  if (state === 'cancelled') return simular ? 'Conferência cancelada.' : 'Importação cancelada.';
  const items = counted(processed, 'item', 'itens');
  return `${fileName}: ${items}, ${failed > 0 ? `${count(failed)} com erro` : 'sem erros'}.`;
}

function explanation({ state, error, simular }: Import): string {
  if (state === 'failed') return `${error ?? ''} Nada foi gravado.`.trim();
  if (simular) return 'Foi só uma conferência: nada foi gravado.';
  if (state === 'cancelled') return 'O que já tinha sido gravado permanece.';
  return 'Os itens sem erro estão gravados.';
}
