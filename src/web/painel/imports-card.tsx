import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ImportProgress } from '../api/answers.ts';
import { addressFor } from '../api/use-company.ts';
import type { Resource } from '../api/use-resource.ts';
import { outcomeInWords } from '../importar/kinds.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { momentText } from '../words.ts';

/** The latest imports of the user. */
export const ImportsCard = ({
  imports,
  company,
}: {
  readonly imports: Resource<readonly ImportProgress[]>;
  readonly company: string;
}): JSX.Element => (
  <Card
    title="Importações recentes"
    actions={<LinkButton href={addressFor('/importar', company)}>Enviar arquivo</LinkButton>}
  >
    <ResourceView resource={imports}>
      {(jobs) =>
        jobs.length === 0 ? (
          <p class="muted">Nenhuma importação ainda.</p>
        ) : (
          <ul class="panel-rows">
            {jobs.map((job) => (
              <li key={job.id}>
                <Link href={`/importar/${job.id}`}>{job.fileName}</Link>
                <p class="muted">
                  {momentText(job.createdAt)} · {outcomeInWords(job)}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </ResourceView>
  </Card>
);
