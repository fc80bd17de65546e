/** Shows the differences and active runs of each remote. Renders nothing for a company without remotes. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Comparison, Remote, Run } from '../api/answers.ts';
import { addressFor } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { differenceCount } from '../remotos/counts.tsx';
import { COMPARISONS, RUNS, isComparing, isRunOver, runTitle } from '../remotos/words.ts';
import { RunBadge } from '../remotos/run-badge.tsx';
import { useRemotes } from '../remotos/use-remotes.ts';
import { Card } from '../ui/page.tsx';
import { countText, withCount, momentText } from '../words.ts';

const POLL_MS = 5000;

export function RemotesCard({ company }: { readonly company: string }): JSX.Element | null {
  const remotes = useRemotes(company, true);
  const query = { cpfCnpjRaiz: company };
  const isRequested = remotes.length > 0;
  const comparisons = useResource<readonly Comparison[]>(isRequested ? COMPARISONS : undefined, { query });
  const runs = useResource<readonly Run[]>(isRequested ? RUNS : undefined, {
    query,
    pollAfter: (all) => (all.every(isRunOver) ? undefined : POLL_MS),
  });
  if (comparisons.value === undefined || runs.value === undefined) return null;
  const { value: compared } = comparisons;
  const underWay = runs.value.filter((run) => !run.simulated && !isRunOver(run));
  return (
    <Card title="Remotos">
      <ul class="panel-rows">
        {remotes.map((remote) => (
          <Row
            key={remote.name}
            remote={remote}
            company={company}
            newest={compared.find((comparison) => comparison.remote === remote.name)}
            newestDone={compared.find(
              (comparison) => comparison.remote === remote.name && comparison.state === 'done',
            )}
            run={underWay.find((run) => run.remote === remote.name)}
          />
        ))}
      </ul>
    </Card>
  );
}

function Row({
  remote: { name },
  company,
  newest,
  newestDone,
  run,
}: {
  readonly remote: Remote;
  readonly company: string;
  readonly newest: Comparison | undefined;
  readonly newestDone: Comparison | undefined;
  readonly run: Run | undefined;
}): JSX.Element {
  const differing = newestDone === undefined ? 0 : differenceCount(newestDone);
  const facts = [
    newestDone === undefined
      ? 'ainda não comparado'
      : `${differing === 0 ? 'tudo igual' : withCount(differing, 'difere', 'diferem')} · comparado em ${momentText(newestDone.at)}`,
    newest !== undefined && isComparing(newest) ? 'comparando agora' : '',
    newest?.state === 'failed' ? 'a última comparação falhou' : '',
  ];
  return (
    <li>
      <Link href={addressFor(`/remotos?remote=${name}`, company)}>{name}</Link>
      <p class="muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
      {run !== undefined && (
        <p class="muted">
          <Link href={addressFor(`/remotos/${run.id}`, company)}>{runTitle(run)}</Link> <RunBadge run={run} />{' '}
          {countText(run.done)} de {withCount(run.total, 'passo', 'passos')}
        </p>
      )}
    </li>
  );
}
