import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ImportProgress } from '../api/answers.ts';
import { Empty } from '../ui/table.tsx';
import { count, counted, moment } from '../words.ts';
import { isOver } from './kinds.ts';

/** The user's last imports, to look at again. */
export function RecentImports({ imports }: { readonly imports: readonly ImportProgress[] }): JSX.Element {
  if (imports.length === 0) return <Empty>Nenhuma importação ainda.</Empty>;
  return (
    <ul class="recent">
      {imports.map((job) => (
        <li key={job.id}>
          <div>
            <strong>{job.fileName}</strong>
            <p class="muted">
              {moment(job.createdAt)} · {outcome(job)}
            </p>
          </div>
          <Link
            class="button quiet small"
            href={`/importar/${job.id}`}
            aria-label={`Ver o resultado de ${job.fileName}`}
          >
            Ver
          </Link>
        </li>
      ))}
    </ul>
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
