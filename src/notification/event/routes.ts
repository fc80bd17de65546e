/** Publishing by hand, and what may be published (contract sections 10 and 13). */
import { Type as t } from '@sinclair/typebox';
import { malformed, shown } from '../../errors.ts';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { MALFORMED_CODE } from '../../validation/decode.ts';
import { ListLimit, Moment, momentText } from '../model.ts';
import { Evento } from '../subscription/model.ts';
import {
  DESTINATARIO_TIPOS,
  type DestinatarioTipo,
  ORGAO_MAX,
  type Recipient,
  type RecipientRules,
  recipientFault,
} from './model.ts';
import type { EventService } from './service.ts';
import { EVENT_TYPES } from './types.ts';

export interface EventRoutesParts {
  readonly events: EventService;
  readonly rules: RecipientRules;
}

const BASE = '/appliance/api';
const SECTION = { tag: 'Eventos', source: 'contract, section 10' } as const;

const Conteudo = t.Unknown({
  description: 'O corpo da notificação, um valor JSON.',
  examples: [{ numeroDue: '26BR0000000019' }],
});
const DestinatarioTipoText = t.Unsafe<DestinatarioTipo>({ type: 'string', enum: [...DESTINATARIO_TIPOS] });

export const EventPublication = t.Object(
  {
    evento: Evento,
    destinatarioTipo: DestinatarioTipoText,
    destinatarioId: t.String({ minLength: 1, maxLength: ORGAO_MAX, examples: ['12345678'] }),
    conteudo: Conteudo,
  },
  { additionalProperties: false },
);
export type EventPublication = typeof EventPublication.static;

const PublishedEvent = t.Object({ id: t.Integer(), deliveries: t.Integer() });
const ListedEvent = t.Object({
  id: t.Integer(),
  evento: t.String(),
  destinatarioTipo: DestinatarioTipoText,
  destinatarioId: t.String(),
  conteudo: Conteudo,
  publishedAt: Moment,
  deliveries: t.Integer({ description: 'Quantas entregas o evento gerou.' }),
});
const EventType = t.Object({
  evento: t.String(),
  title: t.String(),
  automatic: t.Boolean({ description: 'Publicado pelo próprio catálogo.' }),
  invented: t.String({ description: 'O que o exemplo tem de inventado: values, ou form and values.' }),
  sample: t.Unknown(),
});

export function eventRoutes({ events, rules }: EventRoutesParts): Operation<Caller>[] {
  return [
    operation('POST', `${BASE}/events`, {
      ...SECTION,
      id: 'publishEvent',
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

    operation('GET', `${BASE}/events`, {
      ...SECTION,
      id: 'listEvents',
      summary: 'Lista os eventos publicados, do mais novo ao mais antigo',
      access: 'administrator',
      query: t.Object({ evento: t.Optional(Evento), limit: t.Optional(ListLimit.schema) }),
      success: t.Array(ListedEvent),
      handle: ({ query: { evento, limit = ListLimit.default } }) =>
        ok(
          events.list({ evento, limit }).map(({ conteudo, publishedAt, deliveries, ...event }) => ({
            ...event,
            conteudo: JSON.parse(conteudo) as unknown,
            publishedAt: momentText(publishedAt),
            deliveries,
          })),
        ),
    }),

    operation('GET', `${BASE}/event-types`, {
      ...SECTION,
      id: 'listEventTypes',
      summary: 'Lista os eventos conhecidos, com um exemplo inventado de cada corpo',
      success: t.Array(EventType),
      handle: () => ok(EVENT_TYPES),
    }),
  ];
}

/** Throws 400. */
export function refuseRecipient(recipient: Recipient, rules: RecipientRules): void {
  const accepted = recipientFault(recipient, rules);
  if (accepted === undefined) return;
  const field = 'destinatarioId';
  const message = `${field}: recebido ${shown(recipient.destinatarioId)}; aceita ${accepted}.`;
  throw malformed([{ code: MALFORMED_CODE, message, field, path: `/${field}` }]);
}
