import type { JSX } from 'preact';
import type { ImportProgress } from '../api.ts';
import { count, counted, Notice, type Tone } from '../ui.tsx';

export function isOver({ state }: ImportProgress): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** How far an import is and, when it is over, how it ended. */
export function ImportJob({
  progress,
  onCancel,
}: {
  readonly progress: ImportProgress;
  readonly onCancel: () => void;
}): JSX.Element {
  return (
    <div class="job">
      {isOver(progress) ? (
        <Notice tone={toneOf(progress)}>
          <strong>{headline(progress)}</strong> {explanation(progress)}
        </Notice>
      ) : (
        <div class="job-running">
          <div>
            <label for="import-progress">
              {progress.simular ? 'Conferindo' : 'Importando'} <strong>{progress.fileName}</strong>
            </label>
            <span class="muted">{position(progress)}</span>
          </div>
          {/* Without a value the bar only says that something goes on. */}
          <progress id="import-progress" {...measure(progress)} />
          <button type="button" class="quiet small" onClick={onCancel}>
            Cancelar
          </button>
        </div>
      )}
      <dl class="tally">
        <Tally name="Incluídos" value={progress.created} />
        <Tally name="Novas versões" value={progress.newVersion} />
        <Tally name="Inalterados" value={progress.unchanged} />
        <Tally name="Com erro" value={progress.failed} bad={progress.failed > 0} />
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

function measure({ total, processed }: ImportProgress): { readonly max?: number; readonly value?: number } {
  return total === null || total === 0 ? {} : { max: total, value: processed };
}

function position({ state, total, processed }: ImportProgress): string {
  if (state === 'queued') return 'na fila';
  return total === null ? `${count(processed)} lidos` : `${count(processed)} de ${count(total)}`;
}

function toneOf({ state, failed }: ImportProgress): Tone {
  if (state === 'failed') return 'bad';
  return state === 'cancelled' || failed > 0 ? 'warn' : 'good';
}

function headline({ state, failed, processed, fileName, simular }: ImportProgress): string {
  if (state === 'failed') return `${fileName}: o arquivo não pôde ser lido.`;
  if (state === 'cancelled') return simular ? 'Conferência cancelada.' : 'Importação cancelada.';
  const items = counted(processed, 'item', 'itens');
  return `${fileName}: ${items}, ${failed > 0 ? `${count(failed)} com erro` : 'sem erros'}.`;
}

function explanation({ state, error, simular }: ImportProgress): string {
  if (state === 'failed') return `${error ?? ''} Nada foi gravado.`.trim();
  if (simular) return 'Foi só uma conferência: nada foi gravado.';
  if (state === 'cancelled') return 'O que já tinha sido gravado permanece.';
  return 'Os itens sem erro estão gravados.';
}
