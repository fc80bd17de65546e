/** All deliveries, newest first: found by the API's filters, which stand in the address. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Delivery, EventType, ListedSubscription } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Card, Fetched, FilterBar } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { useFollowing } from '../ui/use-following.ts';
import { counted } from '../words.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { lookAgain } from './live.ts';
import { DELIVERIES, SUBSCRIPTIONS } from './addresses.ts';
import { ReplayAll } from './replay-all.tsx';
import { STATES } from './state.tsx';

const PAGE = 50;
const MOST = 1000;

const STATE_OPTIONS = [
  { value: '', label: 'Todos' },
  ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
];

export function DeliveriesTab(): JSX.Element {
  const { administrador } = useSession();
  const [{ entrega, ...filters }, setFilters] = useFilters(['subscriptionId', 'evento', 'state', 'entrega']);
  const [limit, setLimit] = useState(PAGE);
  const [isReplaying, setReplaying] = useState(false);
  // A link changes what is filtered by, too.
  const [typed, setTyped] = useFollowing(filters);
  const type = (some: Partial<typeof filters>): void => setTyped((before) => ({ ...before, ...some }));
  const deliveries = useResource<readonly Delivery[]>(DELIVERIES, {
    query: { ...filters, limit },
    again: lookAgain,
  });
  const subscriptions =
    useResource<readonly ListedSubscription[]>(SUBSCRIPTIONS, { query: { exibirInativos: true } }).value ??
    [];
  const types = useResource<readonly EventType[]>('/appliance/api/event-types').value ?? [];
  return (
    <Card
      title="Entregas"
      actions={administrador && <Button onPress={() => setReplaying(true)}>Reenviar as que falharam…</Button>}
    >
      <FilterBar onFilter={() => setFilters(typed)}>
        <Combobox
          label="Assinatura"
          free
          placeholder="Todas"
          value={typed.subscriptionId}
          onChange={(text) => type({ subscriptionId: text })}
          options={subscriptions.map(({ id, evento: of }) => ({ value: String(id), label: of }))}
        />
        <Combobox
          label="Evento"
          free
          placeholder="Todos"
          value={typed.evento}
          onChange={(text) => type({ evento: text })}
          options={types.map((type) => ({ value: type.evento, label: type.title }))}
        />
        <Select
          label="Estado"
          value={typed.state}
          onChange={(text) => type({ state: text })}
          options={STATE_OPTIONS}
        />
      </FilterBar>
      <Fetched of={deliveries}>
        {(rows) => (
          <>
            <p class="muted" role="status">
              {rows.length === limit ? `As ${limit} mais novas` : counted(rows.length, 'entrega', 'entregas')}
            </p>
            <DeliveryTable
              rows={rows}
              onShow={(id) => setFilters({ entrega: String(id) })}
              onReplayed={deliveries.reload}
              empty={Object.values(filters).some(Boolean) ? 'Nenhuma entrega com esses filtros.' : NONE}
            />
            {rows.length === limit && limit < MOST && (
              <Actions>
                <Button busy={deliveries.loading} onPress={() => setLimit(Math.min(limit * 2, MOST))}>
                  Mostrar mais
                </Button>
              </Actions>
            )}
          </>
        )}
      </Fetched>
      {entrega !== '' && (
        <DeliveryDialog
          id={entrega}
          onClose={() => setFilters({ entrega: '' })}
          onReplayed={deliveries.reload}
        />
      )}
      {isReplaying && <ReplayAll onClose={() => setReplaying(false)} onReplayed={deliveries.reload} />}
    </Card>
  );
}

const NONE = 'Nenhuma entrega nos últimos 30 dias.';
