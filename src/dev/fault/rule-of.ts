/** Turns the body of a request into a fault rule (contract section 15). */
import { type Problem, malformed } from '../../errors.ts';
import { wrong } from '../../validation/decoding.ts';
import { shown } from '../../validation/shown.ts';
import { nearest } from '../../validation/text.ts';
import { type ChaosRequest, type RuleRequest, faultOf } from './forms.ts';
import { CHAOS_SETS, type Chaos, type Fault, type NewRule, USUAL_SET } from './model.ts';

type OperationIds = () => readonly string[];

/** Builds the rule. Throws 400. */
export function ruleOf(request: RuleRequest, operationIds: OperationIds): NewRule {
  const { operation = null, method = null, path = null, cpfCnpjRaiz = null, after = 0 } = request;
  const problems = operation === null ? [] : unknownOperation(operation, '/operation', operationIds);
  const what = happening(request, operationIds, problems);
  if (problems.length > 0 || what === undefined) throw malformed(problems);
  const { times = what.times, percent = what.percent } = request;
  const match = { operation, method, path: path && asServed(path), cpfCnpjRaiz };
  return { ...match, after, times, percent, ...what.does };
}

interface Happening {
  readonly does: Pick<NewRule, 'fault' | 'chaos'>;
  /** The default when the request sets no `times`. */
  readonly times: number | null;
  readonly percent: number;
}

function happening(
  { fault, chaos }: RuleRequest,
  operationIds: OperationIds,
  problems: Problem[],
): Happening | undefined {
  if ((fault === undefined) === (chaos === undefined)) {
    problems.push(
      wrong('fault', 'informe fault (uma falha) ou chaos (um sorteio), e só um dos dois.', '/fault'),
    );
    return undefined;
  }
  if (chaos !== undefined) {
    problems.push(...chaosProblems(chaos, operationIds));
    return {
      does: { chaos: chaosOf(chaos) },
      times: null,
      percent: CHAOS_SETS[chaos.set ?? USUAL_SET].percent,
    };
  }
  const outcome: Fault | readonly Problem[] = fault === undefined ? [] : faultOf(fault, '/fault');
  if ('kind' in outcome) return { does: { fault: outcome }, times: 1, percent: 100 };
  problems.push(...outcome);
  return undefined;
}

function chaosOf({ seed, set, kinds, operations: asked }: ChaosRequest): Chaos {
  const operations = asked ?? null;
  if (kinds !== undefined) return { seed, set: null, kinds: [...new Set(kinds)], operations };
  const named = set ?? USUAL_SET;
  return { seed, set: named, kinds: CHAOS_SETS[named].kinds, operations };
}

const chaosProblems = (
  { set, kinds, operations = [] }: ChaosRequest,
  operationIds: OperationIds,
): Problem[] => [
  ...(set !== undefined && kinds !== undefined
    ? [
        wrong(
          'kinds',
          'informe set (um conjunto pronto) ou kinds (falhas à escolha), e só um dos dois.',
          '/chaos/kinds',
        ),
      ]
    : []),
  ...operations.flatMap((one, at) => unknownOperation(one, `/chaos/operations/${at}`, operationIds)),
];

function unknownOperation(named: string, pointer: string, operationIds: OperationIds): Problem[] {
  if (operationIds().includes(named)) return [];
  const hint = nearest(named, operationIds());
  const advice = hint === undefined ? 'Os operationId estão em /openapi.json.' : `Você quis dizer '${hint}'?`;
  const message = `recebido ${shown(named)}, que não é uma operação. ${advice}`;
  return [wrong('operation', message, pointer, hint)];
}

/** Merges repeated slashes, as the server does with the path of a request. */
const asServed = (path: string): string => path.replaceAll(/\/{2,}/g, '/');
