/** Deliveries for the administrator (contract section 13). */
import { Type as t } from '@sinclair/typebox';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { ListLimit } from '../model.ts';
import { Evento, SubscriptionId } from '../subscription/model.ts';
import type { DeliveryHistory } from './history.ts';
import { DeliveryStateText, ListedDelivery } from './model.ts';

const PATH = '/appliance/api/deliveries';
const SECTION = { tag: 'Entregas', source: 'contract, section 13', access: 'administrator' } as const;

export function deliveryRoutes(history: DeliveryHistory): Operation<Caller>[] {
  return [
    operation('GET', PATH, {
      ...SECTION,
      id: 'listDeliveries',
      summary: 'Lista as entregas, da mais nova à mais antiga',
      query: t.Object({
        subscriptionId: t.Optional(SubscriptionId),
        evento: t.Optional(Evento),
        state: t.Optional(DeliveryStateText),
        limit: t.Optional(ListLimit.schema),
      }),
      success: t.Array(ListedDelivery),
      handle: ({ query: { limit = ListLimit.default, ...filter } }) => ok(history.list({ ...filter, limit })),
    }),

    operation('POST', `${PATH}/:id/replay`, {
      ...SECTION,
      id: 'replayDelivery',
      summary: 'Tenta uma entrega mais uma vez, sem repetição',
      params: t.Object({ id: t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
      success: ListedDelivery,
      handle: async ({ params }) => ok(await history.replay(params.id)),
    }),
  ];
}
