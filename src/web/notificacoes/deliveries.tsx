/** Lists all deliveries, newest first, with the filters of the API, which are kept in the address. */
import { useMemo, useState } from 'preact/hooks';
import type {
  Delivery,
  EventType,
  ListedSubscription,
  DeliverySummary,
  ReplayResult,
} from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import type { Pages } from '../api/use-pages.ts';
import { useResource } from '../api/use-resource.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { useList } from '../kit/list/use-list.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Card } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount } from '../words.ts';
import { DELIVERIES, SUBSCRIPTIONS, pollIntervalOf, useOwnCompany } from './addresses.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { columnsFor, useReplay } from './delivery-table.tsx';
import { STATES } from './delivery-state-badge.tsx';
import { instantOf } from './moments.ts';

const NEWEST = { step: 50, max: 1000 } as const;

const STATE_OPTIONS = [
  { value: '', label: 'Todos' },
  ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
];

/** Polls all loaded rows. */
function useNewest(path: string, query: Query): Pages<Delivery> {
  const [limit, setLimit] = useState<number>(NEWEST.step);
  const { value, isReady, isLoading, ...resource } = useResource<readonly Delivery[]>(path, {
    query: { ...query, limit },
    pollAfter: pollIntervalOf,
  });
  const rows = value ?? [];
  return {
    ...resource,
    isLoading,
    isBusy: isLoading,
    rows,
    total: isReady ? rows.length : undefined,
    totalIsExact: true,
    isComplete: rows.length < limit,
    need: (to) => setLimit(Math.min(to, NEWEST.max)),
  };
}

const keyOf = ({ id }: Delivery): string => String(id);

export function DeliveriesTab() {
  const { administrador } = useSession();
  const [{ entrega }, setVisible] = useFilters(['entrega']);
  const [isReplaying, setReplaying] = useState(false);
  const list = useList<Delivery>({
    path: DELIVERIES,
    baseQuery: useOwnCompany(),
    filters: useDeliveryFilters(),
    keyOf,
    useRows: useNewest,
  });
  const { reload } = list.pages;
  const { run, error, isBusy } = useReplay(reload);
  return (
    <Card
      title="Entregas"
      actions={administrador && <Button onPress={() => setReplaying(true)}>Reenviar as que falharam…</Button>}
    >
      <ErrorAlert error={error} />
      <List
        list={list}
        name="entregas"
        caption="Entregas"
        newest={NEWEST}
        words={['entrega', 'entregas', 'Nenhuma entrega']}
        columns={columnsFor({ isBusy, onReplay: run, onShow: (id) => setVisible({ entrega: String(id) }) })}
        nothing="Nenhuma entrega nos últimos 30 dias."
      />
      {entrega !== '' && (
        <DeliveryDialog id={entrega} onClose={() => setVisible({ entrega: '' })} onReplayed={reload} />
      )}
      {isReplaying && <ReplayAll onClose={() => setReplaying(false)} onReplayed={reload} />}
    </Card>
  );
}

function useDeliveryFilters(): readonly Filter[] {
  const query = { exibirInativos: true };
  const subscriptions = useResource<readonly ListedSubscription[]>(SUBSCRIPTIONS, { query }).value;
  const types = useResource<readonly EventType[]>('/appliance/api/event-types').value;
  return useMemo(() => {
    const subscribed = subscriptions?.map(({ id, evento }) => ({ value: String(id), label: evento })) ?? [];
    const events = types?.map(({ evento, title }) => ({ value: evento, label: title })) ?? [];
    return [
      {
        name: 'subscriptionId',
        label: 'Assinatura',
        field: (binding) => (
          <Combobox
            free
            placeholder="Todas"
            pending={subscriptions === undefined}
            options={subscribed}
            {...binding}
          />
        ),
      },
      {
        name: 'evento',
        label: 'Evento',
        field: (binding) => (
          <Combobox free placeholder="Todos" pending={types === undefined} options={events} {...binding} />
        ),
      },
      { name: 'state', label: 'Estado', field: (binding) => <Select options={STATE_OPTIONS} {...binding} /> },
    ];
  }, [subscriptions, types]);
}

/** Replays all deliveries that failed since an instant. For administrators. */
function ReplayAll(props: { readonly onClose: () => void; readonly onReplayed: () => void }) {
  const { onClose, onReplayed } = props;
  const summary = useResource<DeliverySummary>(`${DELIVERIES}/summary`, { query: { days: 1 } });
  const today = summary.value?.days.at(-1)?.day ?? '';
  const form = useForm<{ readonly day?: string; readonly time: string }>({ time: '00:00' });
  const replay = async (): Promise<void> => {
    const { day = today, time } = form.latest();
    const instant = instantOf(day, time);
    if (instant === undefined) return form.refuse([notAnInstant]);
    const result = await form.submit(() =>
      api.post<ReplayResult>(`${DELIVERIES}/replay`, { since: instant }),
    );
    if (result === undefined) return;
    toast(
      result.replayed === 0
        ? 'Nenhuma entrega falhou desde então.'
        : `${withCount(result.replayed, 'entrega será tentada', 'entregas serão tentadas')} de novo agora.`,
    );
    onReplayed();
    onClose();
  };
  return (
    <FormDialog
      title="Reenviar tudo o que falhou"
      action="Reenviar"
      form={form}
      onClose={onClose}
      onSave={replay}
    >
      <p>
        Cada entrega que falhou desde esse instante, de qualquer usuário, é tentada mais uma vez, sem
        repetição. As canceladas ficam como estão.
      </p>
      <div class="notif-instant">
        <DayInput
          label="Desde o dia"
          value={form.values.day ?? today}
          onChange={(day) => form.set({ day }, 'since')}
          error={form.errorAt('since')}
        />
        <Input label="Hora" {...form.field('time')} placeholder="hh:mm" help="De Brasília." />
      </div>
    </FormDialog>
  );
}

const notAnInstant = {
  message: 'Escreva o dia como dd/mm/aaaa e a hora como hh:mm.',
  code: null,
  place: 'since',
};
