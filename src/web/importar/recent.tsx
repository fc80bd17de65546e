import type { JSX } from 'preact';
import type { ImportProgress } from '../api/answers.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyList } from '../ui/table.tsx';
import { momentText } from '../words.ts';
import { outcomeInWords } from './kinds.ts';

/** Recent imports of the user, with links to their results. */
export function RecentImports({ imports }: { readonly imports: readonly ImportProgress[] }): JSX.Element {
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
