/**
 * The notifications page: subscriptions, deliveries and, for administrators, publication. Each part has its
 * own address.
 */
import { useState } from 'preact/hooks';
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { DeliveriesTab } from './deliveries.tsx';
import { FailuresTab } from './failures.tsx';
import { PublishTab } from './publish.tsx';
import { SubscriptionsTab } from './subscriptions.tsx';
import { SummaryTab } from './summary.tsx';

/** Filters of one part, cleared when the user leaves it. */
const CLEARED_FILTERS = {
  subscriptionId: '',
  evento: '',
  state: '',
  entrega: '',
  data: '',
  days: '',
  exibirInativos: '',
};

export default function NotificationsPage() {
  const { administrador } = useSession();
  const [{ aba }, setFilters] = useFilters([
    'aba',
    ...(Object.keys(CLEARED_FILTERS) as (keyof typeof CLEARED_FILTERS)[]),
  ]);
  const [isCreating, setCreating] = useState(false);
  const tabs: readonly Tab[] = [
    ...(administrador
      ? [{ key: 'publicacao', title: 'Publicar evento', content: () => <PublishTab /> }]
      : []),
    {
      key: 'assinaturas',
      title: 'Assinaturas',
      content: () => <SubscriptionsTab isCreating={isCreating} onCreated={() => setCreating(false)} />,
    },
    { key: 'entregas', title: 'Entregas', content: () => <DeliveriesTab /> },
    { key: 'falhas', title: 'Falhas do dia', content: () => <FailuresTab /> },
    { key: 'resumo', title: 'Resumo', content: () => <SummaryTab /> },
  ];
  const current = tabs.find(({ key }) => key === aba) ?? tabs[0];
  return (
    <Page
      title="Notificações"
      about="Quem recebe cada evento, e o que aconteceu com cada entrega."
      actions={
        <Button
          kind="primary"
          icon="plus"
          onPress={() => {
            if (current?.key !== 'assinaturas') setFilters({ ...CLEARED_FILTERS, aba: 'assinaturas' });
            setCreating(true);
          }}
        >
          Nova assinatura
        </Button>
      }
    >
      <Tabs
        label="Partes da página"
        tabs={tabs}
        value={current?.key ?? ''}
        onChange={(key) => {
          setCreating(false);
          setFilters({ ...CLEARED_FILTERS, aba: key });
        }}
      />
    </Page>
  );
}
