/** The rows of deliveries: state, receiver, last attempt against the deadline, and a replay button. */
import type { ComponentChildren } from 'preact';
import type { Delivery } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount, momentText } from '../words.ts';
import { DELIVERIES } from './addresses.ts';
import { Receiver } from './receiver.tsx';
import { DeliveryStateBadge } from './delivery-state-badge.tsx';
import { TimeBar } from './time-bar.tsx';

export function DeliveryTable(props: {
  readonly rows: readonly Delivery[];
  readonly onShow: (id: number) => void;
  readonly onReplayed: () => void;
  readonly empty: ComponentChildren;
}) {
  const { rows, onShow, onReplayed, empty } = props;
  const { run, error, isBusy } = useReplay(onReplayed);
  const columns = columnsFor({ isBusy, onShow, onReplay: run });
  return (
    <>
      <ErrorAlert error={error} />
      <Table caption="Entregas" columns={columns} rows={rows} rowKey={({ id }) => id} empty={empty} />
    </>
  );
}

export const columnsFor = ({
  isBusy,
  onShow,
  onReplay,
}: {
  readonly isBusy: boolean;
  readonly onShow: (id: number) => void;
  readonly onReplay: (id: number) => Promise<unknown>;
}): readonly Column<Delivery>[] => [
  {
    key: 'receiver',
    title: 'Evento e endpoint',
    cell: ({ id, evento, endpoint }) => (
      <Receiver id={`entrega-${id}`} evento={evento} endpoint={endpoint} aside={`entrega ${id}`} />
    ),
  },
  { key: 'state', title: 'Estado', cell: ({ state }) => <DeliveryStateBadge state={state} /> },
  { key: 'attempt', title: 'Última tentativa', cell: (delivery) => <LastAttempt delivery={delivery} /> },
  {
    key: 'actions',
    title: 'Ações',
    cell: ({ id, state }) => (
      <div class="notif-actions">
        <Button small describedBy={`entrega-${id}`} onPress={() => onShow(id)}>
          Ver
        </Button>
        {state !== 'cancelled' && (
          <Button
            small
            kind="bare"
            describedBy={`entrega-${id}`}
            isBusy={isBusy}
            onPress={() => void onReplay(id)}
          >
            Reenviar
          </Button>
        )}
      </div>
    ),
  },
];

/** Sends one more attempt, without further retries. */
export const useReplay = (onReplayed: () => void) =>
  useAction(
    (id: number) => api.post<Delivery>(`${DELIVERIES}/${id}/replay`),
    ({ id }) => {
      toast(`A entrega ${id} será tentada de novo agora.`);
      onReplayed();
    },
  );

function LastAttempt({ delivery: { attempts, nextAttemptAt, state } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <div class="notif-last">
      {last === undefined ? (
        <p class="muted">{state === 'pending' ? 'Ainda não foi tentada.' : 'Nunca foi tentada.'}</p>
      ) : (
        <>
          <TimeBar attempt={last} />
          <p class="muted">
            {momentText(last.at)} · {withCount(attempts.length, 'tentativa', 'tentativas')}
            {last.outcome !== 'delivered' && ` · ${last.description}`}
          </p>
        </>
      )}
      {nextAttemptAt !== null && state === 'pending' && (
        <p class="muted">Próxima tentativa: {momentText(nextAttemptAt)}.</p>
      )}
    </div>
  );
}
