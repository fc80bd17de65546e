/**
 * Routes of deliveries: an administrator sees all, other users those of their own subscriptions (contract
 * section 13).
 */
import { JSON_TYPE } from '../../../http/answers.ts';
import { type Operation, ok, operationsIn } from '../../../http/operation.ts';
import type { Reads } from '../../../reading/pool.ts';
import { arrayText, beginning, streamOf } from '../../../reading/stream.ts';
import type { Clock, EpochMs } from '../../../clock.ts';
import type { Caller } from '../../../session/model.ts';
import { instantOf } from '../../../validation/calendar.ts';
import { type CatalogueRules, companySchema } from '../../../validation/company.ts';
import { ListLimit } from '../../model.ts';
import { csvAnswer } from '../../../sheet/answers.ts';
import { tableOf, tableQuery } from '../../../sheet/table.ts';
import { Evento, SubscriptionId } from '../../subscription/model.ts';
import type { DeliveryHistory } from './service.ts';
import { DeliverySummary, type DeliverySummaryRead, SUMMARY_DAYS_MAX } from './summary.ts';
import { DetailedDelivery } from './detail.ts';
import { DeliveryId, DeliveryStateText, ListedDelivery } from './model.ts';
import { DELIVERY_COLUMNS, type DeliveryTableRead } from './table.ts';
import { closedForm, form, limitOf, text, integerForm } from '../../../validation/forms.ts';
import { t } from '../../../validation/type.ts';

const PATH = '/appliance/api/deliveries';
const operation = operationsIn({ tag: 'Entregas', source: 'contract, section 13' });

/** Returns the owner to which the caller's list is limited; `undefined`: all owners. */
const ownerFor = ({ administrador, documento }: Caller): string | undefined =>
  administrador ? undefined : documento;

const Instant = text('Instante ISO 8601 (sem fuso, o de Brasília).', '2026-01-15T12:00:00Z', {
  maxLength: 40,
  'x-check': (text: string) => instantOf(text) !== undefined,
  'x-domain': 'um instante ISO 8601, por exemplo 2026-01-15T12:00:00Z (sem fuso, o de Brasília)',
  'x-printed': { format: 'date-time' },
});
const ReplayRequest = closedForm('ReplayRequest', 'Desde quando tentar de novo o que falhou.', {
  since: Instant,
});
const ReplayResult = form('ReplayResult', 'O que será tentado de novo.', {
  replayed: integerForm('Quantas entregas serão tentadas de novo.', 3),
});

export interface DeliveryRoutesParts {
  readonly history: DeliveryHistory;
  readonly reads: Reads<DeliverySummaryRead | DeliveryTableRead>;
  readonly clock: Clock;
  readonly rules: Pick<CatalogueRules, 'alphanumericCnpj'>;
}

const WHOSE =
  'As das próprias assinaturas; um administrador vê todas. Com cpfCnpjRaiz, sem as de eventos de outra empresa.';

export function deliveryRoutes({ history, reads, clock, rules }: DeliveryRoutesParts): Operation<Caller>[] {
  const cpfCnpjRaiz = t.Optional(companySchema(rules));
  const filters = {
    subscriptionId: t.Optional(SubscriptionId),
    evento: t.Optional(Evento),
    state: t.Optional(DeliveryStateText),
    cpfCnpjRaiz,
  };
  return [
    operation('GET', PATH, {
      id: 'listDeliveries',
      summary: 'Lista as entregas, da mais nova à mais antiga',
      description: WHOSE,
      query: t.Object({ ...filters, limit: t.Optional(ListLimit.schema) }),
      success: t.Array(ListedDelivery),
      handle: ({ caller, query: { limit = ListLimit.default, ...filter } }) => ({
        headers: { 'Content-Type': JSON_TYPE },
        content: streamOf(arrayText(history.list({ ...filter, documento: ownerFor(caller), limit }))),
      }),
    }),

    operation('GET', `${PATH}.csv`, {
      id: 'downloadDeliveries',
      summary: 'Baixa em CSV as entregas que os filtros acham, todas, da mais nova à mais antiga',
      description: WHOSE,
      query: tableQuery(
        filters,
        DELIVERY_COLUMNS.map(({ target }) => target),
      ),
      produces: 'text/csv',
      handle: ({ caller, query, quotaOwner }) => {
        const { filters: requested, columns } = tableOf(query);
        const filter = { ...requested, documento: ownerFor(caller) };
        return csvAnswer(reads, quotaOwner, 'entregas', {
          kind: 'deliveryTable',
          filter,
          columns,
          format: 'csv',
        });
      },
    }),

    operation('GET', `${PATH}/summary`, {
      source: 'contract, section 17',
      id: 'getDeliverySummary',
      summary: 'Mostra como vão as entregas, dia a dia e hora a hora, e as assinaturas que falham',
      description: `Conta tentativas: a que falhou e será repetida conta como falha. ${WHOSE} Hoje é o último dia.`,
      query: t.Object({
        cpfCnpjRaiz,
        days: t.Optional(limitOf('Quantos dias, com o de hoje.', SUMMARY_DAYS_MAX, SUMMARY_DAYS_MAX)),
      }),
      success: DeliverySummary,
      handle: async ({ caller, query, quotaOwner }) => {
        const { days = SUMMARY_DAYS_MAX, cpfCnpjRaiz: company = null } = query;
        const choice = { documento: ownerFor(caller) ?? null, cpfCnpjRaiz: company };
        const request = { kind: 'deliverySummary', ...choice, days, now: clock.now() } as const;
        const content = await beginning(reads.read(request, quotaOwner));
        if (content === undefined) throw new Error('A summary always has a text.');
        return { headers: { 'Content-Type': JSON_TYPE }, content };
      },
    }),

    operation('GET', `${PATH}/:id`, {
      source: 'contract, section 17',
      id: 'getDelivery',
      summary: 'Mostra uma entrega com a requisição que ela faz',
      description: 'As chaves da assinatura nunca são mostradas.',
      params: t.Object({ id: DeliveryId }),
      success: DetailedDelivery,
      handle: ({ caller, params }) => ok(history.get(params.id, ownerFor(caller))),
    }),

    operation('POST', `${PATH}/:id/replay`, {
      id: 'replayDelivery',
      right: 'none',
      summary: 'Tenta uma entrega mais uma vez, sem repetição',
      params: t.Object({ id: DeliveryId }),
      success: ListedDelivery,
      handle: async ({ caller, params }) => ok(await history.replay(params.id, ownerFor(caller))),
    }),

    operation('POST', `${PATH}/replay`, {
      access: 'administrator',
      id: 'replayFailedDeliveries',
      right: 'none',
      source: 'contract, section 10',
      summary: 'Tenta mais uma vez tudo que falhou desde um instante',
      body: ReplayRequest,
      success: ReplayResult,
      handle: async ({ body }) => ok(await history.replayFailedSince(instantOf(body.since) as EpochMs)),
    }),
  ];
}
