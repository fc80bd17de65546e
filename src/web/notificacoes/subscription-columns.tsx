/** The columns of a subscription: events, endpoint, state, actions. */
import type { JSX } from 'preact';
import type { DeliverySummary, ListedSubscription } from '../api/answers.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import type { Column } from '../ui/table.tsx';
import { dayText } from '../words.ts';
import { deletionInWords, printedMoment } from './moments.ts';
import { Receiver } from './receiver.tsx';

export const columnsFor = (
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

function Secrets({ chaveSecreta, chaveAutenticacao }: ListedSubscription): JSX.Element {
  if (chaveSecreta === null && chaveAutenticacao === null) return <>nenhuma</>;
  return (
    <>
      {chaveSecreta !== null && <span class="notif-keys">secreta</span>}
      {chaveAutenticacao !== null && <span class="notif-keys">autenticação</span>}
    </>
  );
}

/** Shows the state: deleted, failing, delivering, or waiting for the first event. */
function SubscriptionState({
  subscription: { id, dataExclusao, motivoExclusao, dataUltimoSucesso },
  failing = [],
}: {
  readonly subscription: ListedSubscription;
  readonly failing: DeliverySummary['failing'] | undefined;
}): JSX.Element {
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

export const NoSubscription = (): JSX.Element => (
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
