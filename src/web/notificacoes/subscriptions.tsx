/** Lists the user's own subscriptions with their state, and the latest deliveries below. */
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
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import type { Column } from '../ui/table.tsx';
import { dayText } from '../words.ts';
import { LatestDeliveries, useLatestDeliveries } from './latest-deliveries.tsx';
import { DELIVERIES, SUBSCRIPTIONS, useOwnCompany } from './addresses.ts';
import { Receiver } from './receiver.tsx';
import { SubscriptionDialog } from './subscription-dialog.tsx';
import { deletionInWords, printedMoment } from './moments.ts';

export function SubscriptionsTab(props: { readonly isCreating: boolean; readonly onCreated: () => void }) {
  const { isCreating, onCreated } = props;
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
          doneText={`Assinatura ${removing.id} excluída.`}
          onDone={() => {
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

/** The columns of a subscription: events, endpoint, state, actions. */
const columnsFor = (
  summary: DeliverySummary | undefined,
  onTest: (subscription: ListedSubscription) => void,
  onEdit: (subscription: ListedSubscription) => void,
  onRemove: (subscription: ListedSubscription) => void,
): readonly Column<ListedSubscription>[] => [
  {
    key: 'receiver',
    title: 'Evento e endpoint',
    cell: ({ id, evento, endpoint }) => (
      <Receiver id={`assinatura-${id}`} evento={evento} endpoint={endpoint} aside={`assinatura ${id}`} />
    ),
  },
  { key: 'chaves', title: 'Chaves', cell: Secrets },
  {
    key: 'situacao',
    title: 'Situação',
    cell: (subscription) => <SubscriptionState subscription={subscription} failing={summary?.failing} />,
  },
  {
    key: 'sucesso',
    title: 'Último sucesso',
    cell: ({ dataUltimoSucesso }) => (dataUltimoSucesso === null ? '—' : printedMoment(dataUltimoSucesso)),
  },
  {
    key: 'acoes',
    title: 'Ações',
    cell: (subscription) =>
      subscription.dataExclusao === null ? (
        <div class="notif-actions">
          <Button small describedBy={`assinatura-${subscription.id}`} onPress={() => onTest(subscription)}>
            Enviar teste
          </Button>
          <Button small describedBy={`assinatura-${subscription.id}`} onPress={() => onEdit(subscription)}>
            Editar
          </Button>
          <Button
            small
            kind="bare"
            describedBy={`assinatura-${subscription.id}`}
            onPress={() => onRemove(subscription)}
          >
            Excluir
          </Button>
        </div>
      ) : (
        '—'
      ),
  },
];

function Secrets({ chaveSecreta, chaveAutenticacao }: ListedSubscription) {
  if (chaveSecreta === null && chaveAutenticacao === null) return <>nenhuma</>;
  return (
    <>
      {chaveSecreta !== null && <span class="notif-keys">secreta</span>}
      {chaveAutenticacao !== null && <span class="notif-keys">autenticação</span>}
    </>
  );
}

/** Shows the state: deleted, failing, delivering, or waiting for the first event. */
function SubscriptionState(props: {
  readonly subscription: ListedSubscription;
  readonly failing: DeliverySummary['failing'] | undefined;
}) {
  const {
    subscription: { id, dataExclusao, motivoExclusao, dataUltimoSucesso },
    failing = [],
  } = props;
  const fault = failing.find(({ subscriptionId }) => subscriptionId === id);
  if (dataExclusao !== null)
    return (
      <>
        <Badge tone="muted" icon="cross">
          Excluída
        </Badge>
        <p class="muted">
          {printedMoment(dataExclusao)}. {motivoExclusao}
        </p>
      </>
    );
  if (fault !== undefined)
    return (
      <>
        <Badge tone="bad" icon="alert">
          Falhando
        </Badge>
        <p class="muted">
          Desde {dayText(fault.since)}. Se continuar assim, é excluída{' '}
          <strong>{deletionInWords(fault)}</strong>.
        </p>
      </>
    );
  return dataUltimoSucesso === null ? (
    <Badge tone="calm" icon="clock">
      Aguardando
    </Badge>
  ) : (
    <Badge tone="good" icon="check">
      Entregando
    </Badge>
  );
}

const NoSubscription = () => (
  <>
    <p>
      <strong>Nenhuma assinatura ainda.</strong>
    </p>
    <p>
      Uma assinatura diz que evento você quer receber e em que endereço. Comece com “Nova assinatura”: cada
      evento mostra um exemplo do que chega.
    </p>
  </>
);
