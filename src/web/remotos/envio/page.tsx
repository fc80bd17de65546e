/**
 * Shows one run: its plan, its progress, and the result of each step. Closing the page does not stop the run.
 */
import { Link } from 'wouter-preact';
import type { Run } from '../../api/answers.ts';
import { addressFor } from '../../api/use-company.ts';
import { useCompanyOfRecord } from '../../api/use-company-of-record.ts';
import { useResource } from '../../api/use-resource.ts';
import type { PageProps } from '../../page.ts';
import { ResourceView, Page } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { RUNS, isRunOver, runTitle } from '../words.ts';
import { Plan } from './plan.tsx';
import { RunProgress } from './run-progress.tsx';
import { Steps } from './steps.tsx';

const POLL_INTERVAL_MS = 1000;

export default function RunPage({ params: { id = '' } }: PageProps) {
  const path = `${RUNS}/${encodeURIComponent(id)}`;
  const resource = useResource<Run>(path, {
    pollAfter: (run) => (isRunOver(run) ? undefined : POLL_INTERVAL_MS),
  });
  const run = resource.value;
  useCompanyOfRecord(`/remotos/${id}`, run?.cpfCnpjRaiz);
  return (
    <Page
      title={run === undefined ? `Envio ${id}` : runTitle(run)}
      about={
        run !== undefined &&
        (run.direction === 'send' ? `Daqui para ${run.remote}.` : `De ${run.remote} para cá.`)
      }
      actions={
        run !== undefined && (
          <Link class="button quiet" href={addressFor(`/remotos?remote=${run.remote}`, run.cpfCnpjRaiz)}>
            Comparação com {run.remote}
          </Link>
        )
      }
    >
      <ResourceView resource={resource}>
        {(value) => (
          <>
            {value.simulated ? (
              value.state === 'done' ? (
                <Plan run={value} />
              ) : (
                <Progress label="Preparando o plano" done={0} total={null} />
              )
            ) : (
              <RunProgress run={value} path={path} onChange={resource.reload} />
            )}
            {value.total > 0 && value.state !== 'queued' && <Steps key={value.id} run={value} />}
          </>
        )}
      </ResourceView>
    </Page>
  );
}
