/** Deliveries: all of them for the administrator, for others those of their own subscriptions (contract section 13). */
import { Type as t } from '@sinclair/typebox';
import { JSON_TYPE } from '../../../http/answers.ts';
import { type Operation, ok, operation } from '../../../http/operation.ts';
import { arrayText, streamOf } from '../../../reading/stream.ts';
import type { Caller } from '../../../session/model.ts';
import { ListLimit } from '../../model.ts';
import { Evento, SubscriptionId } from '../../subscription/model.ts';
import type { DeliveryHistory } from './service.ts';
import { DeliveryId, DeliveryStateText, ListedDelivery } from './model.ts';

const PATH = '/appliance/api/deliveries';
const SECTION = { tag: 'Entregas', source: 'contract, section 13' } as const;

/** Whose deliveries a caller sees; all of them where it is nobody's. */
const ownerFor = ({ administrador, documento }: Caller): string | undefined =>
  administrador ? undefined : documento;

const Instant = t.String({
  maxLength: 40,
  'x-check': (text: string) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
  'x-domain': 'um instante ISO 8601, por exemplo 2026-01-15T12:00:00Z',
  'x-printed': { format: 'date-time' },
  description: 'Instante ISO 8601.',
  examples: ['2026-01-15T12:00:00Z'],
});
const ReplayRequest = t.Object(
  { since: Instant },
  {
    additionalProperties: false,
    'x-form': 'ReplayRequest',
    description: 'Desde quando tentar de novo o que falhou.',
  },
);
const ReplayResult = t.Object(
  { replayed: t.Integer({ description: 'Quantas entregas serão tentadas de novo.', examples: [3] }) },
  { 'x-form': 'ReplayResult', description: 'O que será tentado de novo.' },
);

export function deliveryRoutes(history: DeliveryHistory): Operation<Caller>[] {
  return [
    operation('GET', PATH, {
      ...SECTION,
      id: 'listDeliveries',
      summary: 'Lista as entregas, da mais nova à mais antiga',
      description: 'As das próprias assinaturas; um administrador vê todas.',
      query: t.Object({
        subscriptionId: t.Optional(SubscriptionId),
        evento: t.Optional(Evento),
        state: t.Optional(DeliveryStateText),
        limit: t.Optional(ListLimit.schema),
      }),
      success: t.Array(ListedDelivery),
      handle: ({ caller, query: { limit = ListLimit.default, ...filter } }) => ({
        headers: { 'Content-Type': JSON_TYPE },
        content: streamOf(arrayText(history.list({ ...filter, documento: ownerFor(caller), limit }))),
      }),
    }),

    operation('POST', `${PATH}/:id/replay`, {
      ...SECTION,
      id: 'replayDelivery',
      summary: 'Tenta uma entrega mais uma vez, sem repetição',
      params: t.Object({ id: DeliveryId }),
      success: ListedDelivery,
      handle: async ({ caller, params }) => ok(await history.replay(params.id, ownerFor(caller))),
    }),

    operation('POST', `${PATH}/replay`, {
      ...SECTION,
      access: 'administrator',
      id: 'replayFailedDeliveries',
      source: 'contract, section 10',
      summary: 'Tenta mais uma vez tudo que falhou desde um instante',
      body: ReplayRequest,
      success: ReplayResult,
      handle: async ({ body }) => ok(await history.replayFailedSince(Date.parse(body.since))),
    }),
  ];
}
