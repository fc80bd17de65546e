import { useEffect, useState } from 'preact/hooks';
import { hasIdentity, identityChanges } from '../../../catalogue/members/identity.ts';
import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import { Notice, type Tone } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Tally } from '../../ui/tally.tsx';
import { countText } from '../../words.ts';
import { useResource } from '../../api/use-resource.ts';
import { Changes } from '../../ui/changes.tsx';
import { countsInWords, hasVersions, isOver } from '../kinds.ts';
import { type Observation, rateOf, remainingInWords, withObservation } from './pace.ts';
import { resultsPath } from './all-results.ts';

/** Progress of an import and, at the end, its result. */
export function ProgressCard(props: {
  readonly job: ImportProgress;
  /** True if the import was undone. */
  readonly isUndone: boolean;
  readonly isOwn: boolean;
  readonly isCancelling: boolean;
  readonly onCancel: () => void;
}) {
  const { job, isUndone } = props;
  return (
    <div class="job">
      {isOver(job) ? (
        <Notice tone={toneOf(job)}>
          <strong>{headline(job)}</strong> {!isUndone && explanation(job)}
        </Notice>
      ) : (
        <UnderWay {...props} />
      )}
      {isOver(job) && changesRecords(job) && <OtherRecords key={job.id} job={job} />}
      <dl class="tally">
        <Tally name={job.simular ? 'Seriam incluídos' : 'Incluídos'} value={job.created} />
        <Tally name={changedName(job)} value={job.newVersion} />
        {job.deactivated > 0 && (
          <Tally name={job.simular ? 'Seriam desativados' : 'Desativados'} value={job.deactivated} />
        )}
        <Tally name="Inalterados" value={job.unchanged} />
        <Tally name="Com erro" value={job.failed} bad={job.failed > 0} />
      </dl>
    </div>
  );
}

function changedName({ tipo, simular }: ImportProgress): string {
  if (hasVersions(tipo)) return simular ? 'Seriam novas versões' : 'Novas versões';
  return simular ? 'Seriam alterados' : 'Alterados';
}

function UnderWay({ job, isOwn, isCancelling, onCancel }: Parameters<typeof ProgressCard>[0]) {
  const [observations, setObservations] = useState<readonly Observation[]>([]);
  useEffect(
    () =>
      setObservations((before) =>
        withObservation(before, { at: performance.now(), processed: job.processed }),
      ),
    [job.processed],
  );
  return (
    <>
      <Progress
        label={`${job.simular ? 'Conferindo' : 'Importando'} ${job.fileName}`}
        done={job.processed}
        total={job.total}
        aside={position(job, rateOf(observations))}
      />
      {isOwn && (
        <Button small isBusy={isCancelling} onPress={onCancel}>
          Cancelar
        </Button>
      )}
    </>
  );
}

function position({ state, total, processed }: ImportProgress, perSecond: number | undefined): string {
  if (state === 'queued') return 'na fila';
  if (total === null) return 'lendo o arquivo';
  const done = `${countText(processed)} de ${countText(total)}`;
  if (perSecond === undefined || perSecond === 0) return done;
  return `${done} · ${countText(Math.round(perSecond))} por segundo · faltam ${remainingInWords(total - processed, perSecond)}`;
}

function toneOf({ state, failed }: ImportProgress): Tone {
  if (state === 'failed') return 'bad';
  return state === 'cancelled' || failed > 0 ? 'warn' : 'good';
}

function headline(job: ImportProgress): string {
  const { state, processed, fileName, simular } = job;
  if (state === 'failed')
    return `${fileName}: ${processed > 0 ? 'a importação parou' : 'o arquivo não pôde ser lido'}.`;
  if (state === 'cancelled') return simular ? 'Conferência cancelada.' : 'Importação cancelada.';
  return `${fileName}: ${countsInWords(job)}.`;
}

function explanation({ state, error, simular, created, newVersion, deactivated }: ImportProgress): string {
  const changed = created + newVersion + deactivated;
  if (state === 'failed') return `${error ?? ''} ${changed === 0 ? 'Nada foi gravado.' : ''}`.trim();
  if (simular) return 'Foi só uma conferência: nada foi gravado.';
  if (state === 'cancelled') return 'O que já tinha sido gravado permanece.';
  return changed === 0 ? 'Nada foi gravado.' : 'Os itens sem erro estão gravados.';
}

const EXAMPLES = { others: 'true', limit: 3 };

/** Returns true if the import may have such records. */
const changesRecords = ({ tipo, newVersion, resultsForgotten }: ImportProgress): boolean =>
  newVersion > 0 && !resultsForgotten && hasIdentity(tipo);

function OtherRecords({ job }: { readonly job: ImportProgress }) {
  // The table of the results below reports an error.
  const examples = useResource<readonly ImportResult[]>(resultsPath(job.id), { query: EXAMPLES }).value ?? [];
  if (examples.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{job.simular ? 'Passaria a ser outro, por exemplo:' : 'Passou a ser outro, por exemplo:'}</p>
      <ul class="plain">
        {examples.map(({ index, codigo, changes }) => (
          <li key={index}>
            {job.tipo === 'produto' ? 'Produto' : 'Operador'} <span class="code">{codigo}</span>
            <Changes changes={identityChanges(job.tipo, changes)} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
