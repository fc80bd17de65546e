/** Lists the user's own subscriptions with their state, and the latest deliveries below. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DeliverySummary, ListedSubscription, PublishedEvent } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { queryOf } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { ConfirmSending } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Card, ResourceTable } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { LatestDeliveries, useLatestDeliveries } from './latest-deliveries.tsx';
import { DELIVERIES, SUBSCRIPTIONS, useOwnCompany } from './addresses.ts';
import { Receiver } from './receiver.tsx';
import { SubscriptionDialog } from './subscription-dialog.tsx';
import { NoSubscription, columnsFor } from './subscription-columns.tsx';

export function SubscriptionsTab({
  isCreating,
  onCreated,
}: {
  readonly isCreating: boolean;
  readonly onCreated: () => void;
}): JSX.Element {
  const [{ exibirInativos }, setFilters] = useFilters(['exibirInativos']);
  const showsDeleted = exibirInativos === 'true';
  const subscriptions = useResource<readonly ListedSubscription[]>(SUBSCRIPTIONS, {
    query: { exibirInativos },
  });
  const latest = useLatestDeliveries();
  const summary = useResource<DeliverySummary>(`${DELIVERIES}/summary`, { query: { days: 1 } });
  const attemptCounts = latest.value?.map(({ id, attempts }) => `${id}/${attempts.length}`).join() ?? '';
  // A delivery or failure changes the state of its subscription.
  useEffect(() => {
    if (attemptCounts === '') return;
    summary.reload();
    subscriptions.reload();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- every render creates the resources again
  }, [attemptCounts]);
  const [editing, setEditing] = useState<ListedSubscription>();
  const [removing, setRemoving] = useState<ListedSubscription>();

  const own = useOwnCompany();
  const test = useAction(
    (id: number) => api.post<PublishedEvent>(`/appliance/api/subscriptions/${id}/test${queryOf(own)}`),
    () => {
      toast('Um exemplo do evento foi enviado; o que aconteceu aparece abaixo.');
      latest.reload();
    },
  );

  const saved = (text: string): void => {
    toast(text);
    close();
    subscriptions.reload();
  };
  const close = (): void => {
    setEditing(undefined);
    onCreated();
  };
  return (
    <div class="stack">
      <Card
        title="Minhas assinaturas"
        actions={
          <Checkbox
            label="Mostrar excluídas"
            value={showsDeleted}
            onChange={(isChecked) => setFilters({ exibirInativos: isChecked ? 'true' : '' })}
          />
        }
      >
        <ErrorAlert error={test.error} />
        <ResourceTable
          resource={subscriptions}
          caption="Minhas assinaturas"
          columns={columnsFor(
            summary.value,
            (listedSubscription) => void test.run(listedSubscription.id),
            setEditing,
            setRemoving,
          )}
          rowKey={({ id }) => id}
          empty={<NoSubscription />}
        />
      </Card>
      <LatestDeliveries
        deliveries={latest}
        empty="Nenhuma entrega ainda. Elas aparecem aqui automaticamente. Para testar um receptor, use “Enviar teste”, que lhe manda um exemplo."
      />
      {isCreating && <SubscriptionDialog onClose={close} onSaved={() => saved('Assinatura criada.')} />}
      {editing !== undefined && (
        <SubscriptionDialog
          subscription={editing}
          onClose={close}
          onSaved={() => saved('Assinatura alterada.')}
        />
      )}
      {removing !== undefined && (
        <ConfirmSending
          title={`Excluir a assinatura ${removing.id}?`}
          action="Excluir"
          danger
          send={() => api.delete(`${SUBSCRIPTIONS}/${removing.id}`)}
          onDone={() => {
            toast(`Assinatura ${removing.id} excluída.`);
            setRemoving(undefined);
            subscriptions.reload();
            latest.reload();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            <Receiver evento={removing.evento} endpoint={removing.endpoint} />
          </p>
          <p>O que ainda não foi entregue é cancelado. A exclusão não pode ser desfeita.</p>
        </ConfirmSending>
      )}
    </div>
  );
}
