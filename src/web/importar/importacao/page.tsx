/** One import: how far it is and, when it is over, what became of each item. It goes on whatever becomes of this page. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Fetched, Page } from '../../ui/page.tsx';
import { IMPORTS, type Import, isOver } from '../model.ts';
import { ImportProgress } from './progress.tsx';
import { ImportResults } from './results.tsx';

const LOOK_AGAIN_MS = 400;

export default function ImportResultPage({ params: { id = '' } }: PageProps): JSX.Element {
  const path = `${IMPORTS}/${encodeURIComponent(id)}`;
  const shown = useResource<Import>(path, { again: (job) => (isOver(job) ? undefined : LOOK_AGAIN_MS) });
  const cancelling = useAction(() => api.delete(path));
  return (
    <Page
      title={`Importação ${id}`}
      actions={
        <Link class="button quiet" href="/importar">
          Todas as importações
        </Link>
      }
    >
      <ErrorAlert error={cancelling.error} />
      <Fetched of={shown}>
        {(job) => (
          <>
            <ImportProgress job={job} onCancel={() => void cancelling.run()} />
            {isOver(job) && <ImportResults job={job} />}
          </>
        )}
      </Fetched>
    </Page>
  );
}
