/** Routes to publish an event manually, and to list event types (contract sections 10 and 13). */
import { malformed } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import { requireRead } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { companySchema } from '../../validation/company.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { readJsonText } from '../../validation/json.ts';
import { momentText } from '../../validation/calendar.ts';
import { momentOf } from '../../validation/moment.ts';
import { ListLimit } from '../model.ts';
import { Evento, SubscriptionId } from '../subscription/model.ts';
import {
  DESTINATARIO_TIPOS,
  ORGAO_MAX,
  type Recipient,
  type RecipientRules,
  recipientFault,
} from './model.ts';
import type { EventService } from './service.ts';
import { EVENT_TYPES, sampleBody } from './types.ts';
import { choice, closedForm, form, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const BASE = '/appliance/api';
const operation = operationsIn({ tag: 'Eventos', source: 'contract, section 10' });

const Conteudo = t.Unknown({
  description: 'O corpo da notificação, um valor JSON que não seja null.',
  examples: [{ numeroDue: '26BR0000000019' }],
});
const DestinatarioTipoText = choice(DESTINATARIO_TIPOS, 'O que é o destinatário.', 'CNPJ');
const EVENTO_TEXT = 'Identificador do evento.';
const DESTINATARIO_TEXT = 'CPF com 11 dígitos, CNPJ com 14 ou a sua raiz, ou o nome do órgão.';

export const EventPublication = closedForm('EventPublication', 'O evento, para quem, e o que diz.', {
  evento: Evento,
  destinatarioTipo: DestinatarioTipoText,
  destinatarioId: text(DESTINATARIO_TEXT, '12345678', { minLength: 1, maxLength: ORGAO_MAX }),
  conteudo: Conteudo,
});
export type EventPublication = typeof EventPublication.static;

const id = integerForm('Identificador do evento publicado.', 1);
const deliveries = integerForm('Quantas entregas o evento gerou.', 1);
const PublishedEvent = form('PublishedEvent', 'O evento publicado.', { id, deliveries });
const ListedEvent = form('ListedEvent', 'Um evento da lista.', {
  id,
  evento: text(EVENTO_TEXT, 'duex-historico'),
  destinatarioTipo: DestinatarioTipoText,
  destinatarioId: text(DESTINATARIO_TEXT, '12345678'),
  conteudo: Conteudo,
  publishedAt: momentOf('Quando foi publicado.'),
  deliveries,
});
const EventType = form('EventType', 'Um evento conhecido.', {
  evento: text(EVENTO_TEXT, 'duex-historico'),
  title: text('O que o evento diz.', 'Histórico da DU-E'),
  automatic: t.Boolean({ description: 'Publicado pelo próprio catálogo.' }),
  invented: text('O que o exemplo tem de inventado: values, ou form and values.', 'values'),
  sample: t.Unknown({
    description: 'Um corpo de exemplo.',
    examples: [{ numeroDue: '26BR0000000019' }],
  }),
});

export function eventRoutes(events: EventService, rules: RecipientRules): Operation<Caller>[] {
  return [
    operation('POST', `${BASE}/events`, {
      id: 'publishEvent',
      right: 'none',
      summary: 'Publica um evento',
      access: 'administrator',
      body: EventPublication,
      success: PublishedEvent,
      example: {
        evento: 'duex-historico',
        destinatarioTipo: 'CNPJ',
        destinatarioId: '12345678',
        conteudo: { numeroDue: '26BR0000000019' },
      },
      handle: async ({ body }) => {
        refuseRecipient(body, rules);
        return ok(await events.publishAlone({ ...body, conteudo: JSON.stringify(body.conteudo) }));
      },
    }),

    operation('POST', `${BASE}/subscriptions/:id/test`, {
      source: 'contract, section 17',
      id: 'testSubscription',
      right: 'none',
      needsUser: true,
      summary: 'Envia um exemplo do evento ao receptor de uma assinatura própria',
      description:
        'Um evento de verdade, só para essa assinatura: é entregue, repetido e guardado como os outros. Trata da empresa dada, ou de uma que o usuário representa.',
      params: t.Object({ id: SubscriptionId }),
      query: t.Object({ cpfCnpjRaiz: t.Optional(companySchema(rules)) }),
      success: PublishedEvent,
      handle: async ({ caller, params, query: { cpfCnpjRaiz } }) => {
        if (cpfCnpjRaiz !== undefined) requireRead(caller, cpfCnpjRaiz);
        const { documento } = caller;
        const sample = ({ destinatarioId }: Recipient, evento: string) => sampleBody(evento, destinatarioId);
        return ok(await events.test(params.id, documento, cpfCnpjRaiz, sample));
      },
    }),

    operation('GET', `${BASE}/events`, {
      id: 'listEvents',
      summary: 'Lista os eventos publicados, do mais novo ao mais antigo',
      access: 'administrator',
      query: t.Object({ evento: t.Optional(Evento), limit: t.Optional(ListLimit.schema) }),
      success: t.Array(ListedEvent),
      handle: ({ query: { evento, limit = ListLimit.default } }) =>
        ok(
          events.list({ evento, limit }).map(({ conteudo, publishedAt, deliveries, ...event }) => ({
            ...event,
            conteudo: readJsonText(conteudo).value, // keeps the digits that were published
            publishedAt: momentText(publishedAt),
            deliveries,
          })),
        ),
    }),

    operation('GET', `${BASE}/event-types`, {
      id: 'listEventTypes',
      summary: 'Lista os eventos conhecidos, com um exemplo inventado de cada corpo',
      success: t.Array(EventType),
      handle: () => ok(EVENT_TYPES),
    }),
  ];
}

/** Throws 400 when the recipient is invalid. */
export function refuseRecipient(recipient: Recipient, rules: RecipientRules): void {
  const accepted = recipientFault(recipient, rules);
  if (accepted === undefined) return;
  const message = `recebido ${formatValue(recipient.destinatarioId)}; aceita ${accepted}.`;
  throw malformed([fieldProblem('destinatarioId', message)]);
}
