/** Serves fault rules over HTTP (contract section 15). */
import { notFound } from '../../errors.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { AddedRule, ListedRule, RuleId, RuleRequest } from './forms.ts';
import { ruleOf } from './rule-of.ts';
import type { FaultRules } from './rules.ts';
import { t } from '../../validation/type.ts';

const BASE = '/appliance/api/faults';
const operation = operationsIn({
  tag: 'Desenvolvimento',
  source: 'contract, section 15',
  right: 'none',
});

export function faultRoutes(
  rules: FaultRules,
  /** Returns every operationId of the server. It is first called when a rule is added. */
  operationIds: () => readonly string[],
): Operation<Caller>[] {
  return [
    operation('POST', BASE, {
      id: 'addFault',
      summary: 'Acrescenta uma regra de falha, ou sorteia falhas por uma semente',
      description:
        'Vale a primeira regra que combina e ainda tem vez; a que não age é como se não existisse. A falha vem antes da conferência dos tokens. ' +
        'Um sorteio (chaos) vem depois de todas as outras e toma o lugar do que havia: a mesma semente e as mesmas requisições encontram as mesmas falhas. ' +
        'Nada sob /appliance/api, nem os caminhos de saúde, falha. As regras ficam na memória; reset as remove.',
      body: RuleRequest,
      success: AddedRule,
      example: {
        method: 'POST',
        path: '/catp/api/ext/produto/*',
        times: 2,
        fault: { kind: 'status', status: 503 },
      },
      handle: ({ body }) => ok({ id: rules.add(ruleOf(body, operationIds)) }),
    }),
    operation('GET', BASE, {
      id: 'listFaults',
      summary: 'Lista as regras de falha, na ordem em que são olhadas',
      success: t.Array(ListedRule),
      handle: () => ok(rules.list()),
    }),
    operation('DELETE', BASE, {
      id: 'removeFaults',
      summary: 'Remove todas as regras de falha',
      otherSuccess: [204],
      handle: () => rules.clear(),
    }),
    operation('DELETE', `${BASE}/:id`, {
      id: 'removeFault',
      summary: 'Remove uma regra de falha',
      params: t.Object({ id: RuleId }),
      otherSuccess: [204],
      handle: ({ params: { id } }) => {
        if (!rules.remove(id)) throw notFound(`Não existe a regra de falha ${id}.`);
      },
    }),
  ];
}
