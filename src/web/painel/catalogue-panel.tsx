/**
 * The panel of users who read or edit one catalogue. It begins with what needs attention (contract section
 * 17).
 */
import type { JSX } from 'preact';
import type { CatalogueSummary, DeadlineDays, DeliverySummary, ImportProgress } from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { daysAfter } from '../../validation/calendar.ts';
import { useAttention } from '../api/attention.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { ResourceView } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { OwnProposals } from '../aprovar/waiting.tsx';
import { AttentionCard, useAttentionLines } from './attention-card.tsx';
import { Beginning } from './beginning.tsx';
import { ChaptersCard } from './chapters-card.tsx';
import { DeadlinesCard } from './deadlines-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { ImportsCard } from './imports-card.tsx';
import { Numbers } from './numbers.tsx';
import { instanceAttention } from './instance-attention.ts';
import { isEmpty } from './empty.ts';
import { RemotesCard } from './remotes-card.tsx';

const DAYS = 7;
/** Number of days of the chart: a deadline is announced about a month ahead. */
const DEADLINE_DAYS = 30;
const IMPORTS = 5;

export function CataloguePanel({
  company,
  refusal,
}: {
  readonly company: string;
  readonly refusal: string | undefined;
}): JSX.Element {
  const session = useSession();
  const mayWrite = rolesOf(session).includes('representative');
  const summary = useResource<CatalogueSummary>('/appliance/api/summary', {
    query: { cpfCnpjRaiz: company },
  });
  const deliveries = useResource<DeliverySummary>('/appliance/api/deliveries/summary', {
    query: { cpfCnpjRaiz: company, days: DAYS },
  });
  const imports = useResource<readonly ImportProgress[]>(mayWrite ? '/appliance/api/imports' : undefined, {
    query: { cpfCnpjRaiz: company, limit: IMPORTS },
  });
  // The day of the instance's clock, taken from the deliveries.
  const today = deliveries.value?.days.at(-1)?.day;
  const deadlines = useResource<DeadlineDays>(today && '/appliance/api/deadlines/days', {
    query: { cpfCnpjRaiz: company, until: today && daysAfter(today, DEADLINE_DAYS) },
  });
  const attention = useAttention({ company, isEnabled: mayWrite });
  const { linesOf, alert } = useAttentionLines(attention);
  // Shown together, so that nothing moves down when the slower answer comes.
  const resources = [
    summary,
    deliveries,
    ...(today === undefined ? [] : [deadlines]),
    ...(mayWrite ? [imports, attention] : []),
  ];
  const isLoaded = resources.every(({ isReady, error }) => isReady || error !== undefined);
  // Administrators see the items of the instance in their own panel.
  const lines = [
    ...(session.administrador ? [] : instanceAttention({ refusal, isAdministrator: false })),
    ...linesOf(attention.value ?? []),
  ];
  return (
    <>
      {!isLoaded && <Skeleton lines={8} />}
      {isLoaded && mayWrite && (
        <>
          {alert}
          <ErrorAlert error={attention.error} onRetry={attention.reload} />
          <AttentionCard lines={lines} isComplete={attention.isReady} />
          <OwnProposals company={company} />
        </>
      )}
      {isLoaded && (
        <ResourceView resource={summary}>
          {(numbers) =>
            isEmpty(numbers) && mayWrite ? <Beginning company={company} /> : <Numbers summary={numbers} />
          }
        </ResourceView>
      )}
      {isLoaded && deadlines.value !== undefined && (
        <DeadlinesCard company={company} deadlines={deadlines.value} />
      )}
      {isLoaded && summary.value !== undefined && summary.value.chapters.length > 0 && (
        <ChaptersCard summary={summary.value} />
      )}
      <div class="panel-columns">
        {mayWrite && <ImportsCard imports={imports} company={company} />}
        <DeliveriesCard summary={deliveries} />
        {mayWrite && <RemotesCard key={company} company={company} />}
      </div>
    </>
  );
}
