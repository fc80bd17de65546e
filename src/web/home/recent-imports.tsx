import type { JSX } from 'preact';
import type { ImportProgress } from '../api.ts';
import { count, counted } from '../ui.tsx';
import { isOver } from './import-job.tsx';

/** The user's last imports, to look at again. */
export function RecentImports({
  imports,
  onShow,
}: {
  readonly imports: readonly ImportProgress[];
  readonly onShow: (id: number) => void;
}): JSX.Element {
  return (
    <div class="recent">
      <h3>Importações recentes</h3>
      <ul>
        {imports.map((job) => (
          <li key={job.id}>
            <div>
              <strong>{job.fileName}</strong>
              <p class="muted">
                {moment(job.createdAt)} · {outcome(job)}
              </p>
            </div>
            <button
              type="button"
              class="quiet small"
              aria-label={`Ver o resultado de ${job.fileName}`}
              onClick={() => onShow(job.id)}
            >
              Ver
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function outcome(job: ImportProgress): string {
  const { state, simular, processed, failed } = job;
  if (!isOver(job)) return 'em andamento';
  if (state === 'failed') return 'arquivo não lido';
  if (state === 'cancelled') return 'cancelada';
  const items = counted(processed, 'item', 'itens');
  return [simular ? 'só conferência' : '', items, failed > 0 ? `${count(failed)} com erro` : 'sem erros']
    .filter((part) => part !== '')
    .join(' · ');
}

/** `20/11/2026 10:31` of `2026-11-20T10:31:07` */
function moment(text: string): string {
  const [day = '', time = ''] = text.split('T');
  return `${day.split('-').reverse().join('/')} ${time.slice(0, 5)}`;
}
