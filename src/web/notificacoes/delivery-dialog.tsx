/** Shows a delivery in full: its body and the result of each attempt. */
import { Link } from 'wouter-preact';
import { NOT_RECORDED, isNotRecorded } from '../../validation/not-recorded.ts';
import type { DetailedDelivery, DetailedDeliveryAttempt } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ResourceView } from '../ui/page.tsx';
import { countText, momentText } from '../words.ts';
import { useReplay } from './delivery-table.tsx';
import { prettyJson } from './json.ts';
import { DELIVERIES, isPending } from './addresses.ts';
import { DEADLINE_MS } from './phases.ts';
import { DeliveryStateBadge } from './delivery-state-badge.tsx';
import { Phases, TimeBar } from './time-bar.tsx';

const POLL_MS = 1500;

export function DeliveryDialog(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onReplayed?: () => void;
}) {
  const { id, onClose, onReplayed } = props;
  const delivery = useResource<DetailedDelivery>(`${DELIVERIES}/${encodeURIComponent(id)}`, {
    pollAfter: (value) => (isPending(value) ? POLL_MS : undefined),
  });
  const replay = useReplay(() => {
    delivery.reload();
    onReplayed?.();
  });
  return (
    <Dialog title={`Entrega ${id}`} onClose={onClose} wide>
      <div class="stack">
        <ResourceView resource={delivery} lines={8}>
          {(value) => <DeliveryDetails delivery={value} />}
        </ResourceView>
        <ErrorAlert error={replay.error} />
        <Actions>
          {delivery.value !== undefined && delivery.value.state !== 'cancelled' && (
            <Button kind="primary" isBusy={replay.isBusy} onPress={() => void replay.run(Number(id))}>
              Reenviar
            </Button>
          )}
          <Button onPress={onClose}>Fechar</Button>
        </Actions>
      </div>
    </Dialog>
  );
}

function DeliveryDetails({ delivery }: { readonly delivery: DetailedDelivery }) {
  const { evento, endpoint, state, subscriptionId, publishedAt, nextAttemptAt, attempts, request } = delivery;
  return (
    <>
      <dl class="notif-facts">
        <dt>Estado</dt>
        <dd>
          <DeliveryStateBadge state={state} />{' '}
          {nextAttemptAt !== null && state === 'pending' && `próxima tentativa: ${momentText(nextAttemptAt)}`}
        </dd>
        <dt>Evento</dt>
        <dd>
          <strong>{evento}</strong>, publicado em {momentText(publishedAt)}
        </dd>
        <dt>Endpoint</dt>
        <dd>
          <bdi>{endpoint}</bdi> (
          <Link href={`/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`}>
            assinatura {subscriptionId}
          </Link>
          )
        </dd>
      </dl>
      <section class="stack">
        <h3>Tentativas</h3>
        {attempts.length === 0 ? (
          <p class="muted">Nenhuma ainda.</p>
        ) : (
          <ol class="notif-attempts">
            {attempts.toReversed().map((attempt, index) => (
              <AttemptItem key={attempts.length - index} attempt={attempt} endpoint={endpoint} />
            ))}
          </ol>
        )}
        <p class="muted">
          A linha marca o prazo único de {countText(DEADLINE_MS)} ms, do nome à resposta. Da resposta do
          receptor são guardados os primeiros 4 KiB, sem as chaves da assinatura.
        </p>
      </section>
      <section class="stack">
        <h3>Requisição</h3>
        <Snippet label="Cabeçalhos" text={headersText(endpoint, request.headers)} />
        <Snippet label="Corpo" text={prettyJson(request.body)} />
      </section>
    </>
  );
}

function AttemptItem(props: { readonly attempt: DetailedDeliveryAttempt; readonly endpoint: string }) {
  const { attempt, endpoint } = props;
  const { at, status, outcome, description, answer } = attempt;
  const isGood = outcome === 'delivered';
  return (
    <li>
      <div class="notif-attempt-head">
        <span>{momentText(at)}</span>
        <Badge tone={isGood ? 'good' : 'bad'} icon={isGood ? 'check' : 'alert'}>
          {status === null ? 'sem resposta' : `status ${status}`}
        </Badge>
      </div>
      <TimeBar attempt={attempt} />
      <Phases attempt={attempt} endpoint={endpoint} />
      <p>{description}</p>
      {answer !== null && <Snippet label="Resposta do receptor" text={answer} />}
      {isNotRecorded(attempt, 'answer') && <p class="muted">Resposta do receptor: {NOT_RECORDED}</p>}
    </li>
  );
}

const headersText = (endpoint: string, headers: Readonly<Record<string, string>>): string =>
  [`POST ${endpoint}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
