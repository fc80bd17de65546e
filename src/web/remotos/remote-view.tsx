/** Shows one remote and one company: the newest comparison, the differences, and the runs. */
import type { JSX } from 'preact';
import type { Comparison, Remote, Run } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { ResourceView } from '../ui/page.tsx';
import { ComparisonCard } from './comparison-card.tsx';
import { Differences } from './differences.tsx';
import { RunsCard } from './runs-card.tsx';
import { COMPARISONS, RUNS, isComparing, isRunOver } from './words.ts';

const COMPARISON_POLL_MS = 500;
const RUN_POLL_MS = 2000;

export function RemoteView({
  remote,
  company,
}: {
  readonly remote: Remote;
  readonly company: string;
}): JSX.Element {
  const query = { cpfCnpjRaiz: company, remote: remote.name };
  const comparisons = useResource<readonly Comparison[]>(COMPARISONS, {
    query,
    pollAfter: ([newest]) => (newest !== undefined && isComparing(newest) ? COMPARISON_POLL_MS : undefined),
  });
  const runs = useResource<readonly Run[]>(RUNS, {
    query,
    pollAfter: (all) => (all.every(isRunOver) ? undefined : RUN_POLL_MS),
  });
  const newestDone = comparisons.value?.find(({ state }) => state === 'done');
  const runUnderWay = runs.value?.find((run) => !run.simulated && !isRunOver(run));
  return (
    <div class="stack">
      <ResourceView resource={comparisons}>
        {([newest]) => (
          <ComparisonCard
            remote={remote}
            company={company}
            newest={newest}
            newestDone={newestDone}
            runUnderWay={runUnderWay}
            onStarted={comparisons.reload}
          />
        )}
      </ResourceView>
      {newestDone !== undefined && (
        <Differences
          key={newestDone.id}
          remote={remote}
          company={company}
          comparison={newestDone}
          canMove={runUnderWay === undefined && comparisons.value?.some(isComparing) === false}
          onDecided={comparisons.reload}
        />
      )}
      {runs.value !== undefined && <RunsCard runs={runs.value} />}
    </div>
  );
}
