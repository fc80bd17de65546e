/** Rules of faults over HTTP (contract section 15). */
import { Type as t } from '@sinclair/typebox';
import { malformed, notFound } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { wrong } from '../../validation/decoding.ts';
import { nearest } from '../../validation/text.ts';
import { AddedRule, ListedRule, type NewRule, RuleId, RuleRequest, faultOf } from './model.ts';
import type { FaultRules } from './rules.ts';

const BASE = '/appliance/api/faults';
const operation = operationsIn({
  tag: 'Desenvolvimento',
  source: 'contract, section 15',
  access: 'administrator',
});

export interface FaultRoutesParts {
  readonly rules: FaultRules;
  /** Every operationId of the server, asked for with the first rule. */
  readonly operationIds: () => readonly string[];
}

export function faultRoutes({ rules, operationIds }: FaultRoutesParts): Operation<Caller>[] {
  return [
    operation('POST', BASE, {
      id: 'addFault',
      summary: 'Acrescenta uma regra de falha',
      description:
        'Vale a primeira regra que combina e ainda tem vez; a que não age é como se não existisse. A falha vem antes da conferência dos tokens. ' +
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

/** Repeated slashes count as one, in a request and here. */
const asServed = (path: string): string => path.replaceAll(/\/{2,}/g, '/');

/** Throws 400. */
function ruleOf(request: RuleRequest, operationIds: () => readonly string[]): NewRule {
  const { operation: named = null, method = null, path = null, cpfCnpjRaiz = null } = request;
  const { after = 0, times = 1, percent = 100 } = request;
  const fault = faultOf(request.fault, '/fault');
  const problems = 'kind' in fault ? [] : [...fault];
  if (named !== null && !operationIds().includes(named)) {
    const hint = nearest(named, operationIds());
    const advice =
      hint === undefined ? 'Os operationId estão em /openapi.json.' : `Você quis dizer '${hint}'?`;
    const message = `recebido ${shown(named)}, que não é uma operação. ${advice}`;
    problems.push(wrong('operation', message, '/operation', hint));
  }
  if (problems.length > 0 || !('kind' in fault)) throw malformed(problems);
  return {
    operation: named,
    method,
    path: path && asServed(path),
    cpfCnpjRaiz,
    after,
    times,
    percent,
    fault,
  };
}
