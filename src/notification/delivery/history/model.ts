/** Deliveries, as the administration interface shows them (contract section 13). */
import type { EpochMs } from '../../../clock.ts';
import { momentText } from '../../../validation/calendar.ts';
import { choice, form, idOf, nullable, text, integerForm } from '../../../validation/forms.ts';
import { momentOf } from '../../../validation/moment.ts';
import type { DeliveryAttempt } from '../../model.ts';
import { t } from '../../../validation/type.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  pending: 'Pendente',
  delivered: 'Entregue',
  failed: 'Falhou',
  cancelled: 'Cancelada',
};

export interface DeliveryRecord {
  readonly id: number;
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly state: DeliveryState;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: EpochMs | null;
}

/** The part of a delivery's request that the event and the subscription hold. */
export interface StoredRequest {
  readonly destinatarioTipo: 'CPF' | 'CNPJ' | 'ORGAO';
  readonly destinatarioId: string;
  readonly conteudo: string;
  readonly publishedAt: EpochMs;
  /** True when the subscription has a secret now. */
  readonly hasSecret: boolean;
  readonly hasAuthorization: boolean;
}

export const DeliveryStateText = choice(
  DELIVERY_STATES,
  'pending: será tentada; delivered: entregue; failed: falhou; cancelled: cancelada.',
  'delivered',
);

export const DeliveryId = idOf('Identificador da entrega.');

export const Attempt = form('DeliveryAttempt', 'Uma tentativa de entrega.', {
  at: momentOf('Quando a tentativa começou.'),
  outcome: text('Como terminou.', 'delivered'),
  phase: choice<string>(
    ['request', 'lookup', 'connection', 'tls', 'answer', 'body'],
    'Até onde chegou: montagem da requisição, consulta do nome, conexão, TLS, envio e espera da resposta, corpo da resposta.',
    'body',
  ),
  status: nullable(integerForm('Status HTTP do receptor; null sem resposta.', 200)),
  ms: integerForm('Duração desde o início da requisição.', 120),
  description: t.String({ description: 'O que aconteceu, em palavras.' }),
});

export const ListedDelivery = form('Delivery', 'Uma notificação a entregar a uma assinatura.', {
  id: integerForm('Identificador da entrega.', 1),
  eventId: integerForm('O evento que a gerou.', 1),
  subscriptionId: integerForm('A assinatura a que serve.', 1),
  evento: text('Identificador do evento.', 'catp-prod-alterado'),
  endpoint: t.String({
    description: 'URL que recebe a notificação.',
    examples: ['https://erp.empresa.com.br/notificacoes'],
  }),
  state: DeliveryStateText,
  attempts: t.Array(Attempt, { description: 'As tentativas, da mais antiga à mais nova.' }),
  nextAttemptAt: nullable(momentOf('Quando será tentada de novo; null onde não será.')),
});
export type ListedDelivery = typeof ListedDelivery.static;

export function toListed({ attempts, nextAttemptAt, ...delivery }: DeliveryRecord): ListedDelivery {
  return {
    ...delivery,
    attempts: attempts.map(({ at, answer, isAnswerUnrecorded, ...attempt }) => ({
      at: momentText(at),
      ...attempt,
    })),
    nextAttemptAt: nextAttemptAt === null ? null : momentText(nextAttemptAt),
  };
}
