/** Summarises delivery attempts by hour and by day, and the failing receivers. */
import { Link } from 'wouter-preact';
import type { DeliverySummary, FailingSubscription } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { AttemptsByDay, AttemptsByHour } from '../ui/attempts.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Tally } from '../ui/tally.tsx';
import { dayText } from '../words.ts';
import { DELIVERIES, useOwnCompany } from './addresses.ts';
import { deletionInWords } from './moments.ts';
import { Receiver } from './receiver.tsx';

const DAYS = [
  { value: '7', label: '7 dias' },
  { value: '15', label: '15 dias' },
  { value: '30', label: '30 dias' },
];
const POLL_MS = 10_000;

export function SummaryTab() {
  const [{ days }, setFilters] = useFilters(['days']);
  const period = days === '' ? '30' : days;
  const summary = useResource<DeliverySummary>(`${DELIVERIES}/summary`, {
    query: { ...useOwnCompany(), days: period },
    pollAfter: () => POLL_MS,
  });
  return (
    <Card
      title="Tentativas de entrega"
      actions={
        <Select
          label="Período"
          value={period}
          onChange={(text) => setFilters({ days: text === '30' ? '' : text })}
          options={DAYS}
        />
      }
    >
      <ResourceView resource={summary} lines={8}>
        {(value) => <SummaryContent summary={value} />}
      </ResourceView>
    </Card>
  );
}

function SummaryContent(props: { readonly summary: DeliverySummary }) {
  const { days, hours, pending, failing } = props.summary;
  const sum = (name: 'delivered' | 'failed'): number =>
    days.reduce((total, deliveryDay) => total + deliveryDay[name], 0);
  const columns: readonly Column<FailingSubscription>[] = [
    { key: 'id', title: 'Assinatura', code: true, cell: ({ subscriptionId }) => subscriptionId },
    {
      key: 'receiver',
      title: 'Evento e endpoint',
      cell: (failingSubscription) => <Receiver {...failingSubscription} />,
    },
    { key: 'since', title: 'Falha desde', cell: ({ since }) => dayText(since) },
    { key: 'deletion', title: 'Exclusão automática', cell: deletionInWords },
    {
      key: 'link',
      title: 'Ações',
      cell: ({ subscriptionId }) => (
        <Link href={`/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`}>Ver entregas</Link>
      ),
    },
  ];
  return (
    <>
      <dl class="tally">
        <Tally name="Entregues" value={sum('delivered')} />
        <Tally name="Falharam" value={sum('failed')} bad={sum('failed') > 0} />
        <Tally name="Sucesso" value={successShare(sum('delivered'), sum('failed'))} />
        <Tally name="Pendentes" value={pending} />
      </dl>
      <AttemptsByHour hours={hours} />
      <AttemptsByDay days={days} />
      <h3>Assinaturas que falham</h3>
      <Table
        caption="Assinaturas que falham"
        columns={columns}
        rows={failing}
        rowKey={({ subscriptionId }) => subscriptionId}
        empty="Nenhuma. A última tentativa de cada assinatura deu certo."
      />
    </>
  );
}

/** Returns the success rate, rounded down: 100% means that nothing failed. */
function successShare(delivered: number, failed: number): string {
  const all = delivered + failed;
  return all === 0 ? '—' : `${Math.floor((delivered / all) * 1000) / 10}%`.replace('.', ',');
}
