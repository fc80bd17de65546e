/** The operations of subscriptions (specification, Event subscription endpoints; contract section 9). */
import { malformed } from '../../errors.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { ChangedSubscription, ListedSubscription, NewSubscription, SubscriptionId } from './model.ts';
import { type EndpointRules, subscriptionSchemas } from './request.ts';
import type { SubscriptionService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface SubscriptionRoutesParts extends EndpointRules {
  readonly subscriptions: SubscriptionService;
}

const PATH = '/portal/api/ext/webhook';
const operation = operationsIn({
  tag: 'Assinaturas de eventos',
  source: 'specification, Event subscription endpoints',
  needsUser: true,
  right: 'none',
});
/** These responses contain secrets. */
const NOT_KEPT = { 'Cache-Control': 'no-store' } as const;

export function subscriptionRoutes({
  subscriptions,
  ownMachine,
}: SubscriptionRoutesParts): Operation<Caller>[] {
  const { Request, Change } = subscriptionSchemas({ ownMachine });
  return [
    operation('POST', PATH, {
      id: 'subscribe',
      summary: 'Assina um evento',
      description: 'Uma assinatura ativa por evento e usuário.',
      body: Request,
      success: NewSubscription,
      example: {
        evento: 'catp-prod-alterado',
        endpoint: 'https://erp.empresa.com.br/notificacoes',
        chaveSecreta: 'segredo combinado',
      },
      callbacksTo: 'endpoint',
      handle: async ({ caller, body }) => ({
        ...ok(await subscriptions.subscribe(caller, body)),
        headers: NOT_KEPT,
      }),
    }),

    operation('GET', PATH, {
      id: 'listSubscriptions',
      summary: 'Lista as assinaturas do usuário',
      query: t.Object({
        exibirInativos: t.Optional(t.Boolean({ default: false, description: 'Mostra também as excluídas.' })),
      }),
      success: t.Array(ListedSubscription),
      handle: async ({ caller, query }) => ({
        ...ok(await subscriptions.show(caller, query.exibirInativos ?? false)),
        headers: NOT_KEPT,
      }),
    }),

    operation('PUT', `${PATH}/:id`, {
      id: 'changeSubscription',
      summary: 'Altera uma assinatura',
      description: 'Uma chave ausente fica como está; null ou "" a remove.',
      params: t.Object({ id: SubscriptionId }),
      body: Change,
      success: ChangedSubscription,
      example: { id: 1, evento: 'catp-prod-alterado', endpoint: 'https://erp.empresa.com.br/notificacoes' },
      handle: async ({ caller, params, body }) => {
        if (params.id !== body.id)
          throw malformed([
            fieldProblem('id', `recebido ${body.id} no corpo e ${params.id} no caminho; devem ser iguais.`),
          ]);
        return ok(await subscriptions.change(caller, body));
      },
    }),

    operation('DELETE', `${PATH}/:id`, {
      id: 'unsubscribe',
      summary: 'Exclui uma assinatura',
      description: 'As entregas pendentes são canceladas.',
      params: t.Object({ id: SubscriptionId }),
      otherSuccess: [204],
      handle: ({ caller, params }) => subscriptions.unsubscribe(caller, params.id),
    }),
  ];
}
