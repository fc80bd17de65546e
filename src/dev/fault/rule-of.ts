/** Turns the body of a request into a fault rule (contract section 15). */
import { type Problem, malformed } from '../../errors.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { formatValue } from '../../validation/format-value.ts';
import { nearest } from '../../validation/text.ts';
import { type ChaosRequest, type RuleRequest, faultOf } from './forms.ts';
import { CHAOS_SETS, type Chaos, type Fault, type NewRule, DEFAULT_SET } from './model.ts';

type OperationIds = () => readonly string[];

/** Builds the rule. Throws 400. */
export function ruleOf(request: RuleRequest, operationIds: OperationIds): NewRule {
  const { operation = null, method = null, path = null, cpfCnpjRaiz = null, after = 0 } = request;
  const problems = operation === null ? [] : unknownOperation(operation, '/operation', operationIds);
  const effect = effectOf(request, operationIds, problems);
  if (problems.length > 0 || effect === undefined) throw malformed(problems);
  const { times = effect.times, percent = effect.percent } = request;
  const match = { operation, method, path: path && mergedSlashes(path), cpfCnpjRaiz };
  return { ...match, after, times, percent, ...effect.outcome };
}

interface Effect {
  readonly outcome: Pick<NewRule, 'fault' | 'chaos'>;
  /** The default when the request sets no `times`. */
  readonly times: number | null;
  readonly percent: number;
}

function effectOf(
  { fault, chaos }: RuleRequest,
  operationIds: OperationIds,
  problems: Problem[],
): Effect | undefined {
  if ((fault === undefined) === (chaos === undefined)) {
    problems.push(
      fieldProblem('fault', 'informe fault (uma falha) ou chaos (um sorteio), e só um dos dois.', '/fault'),
    );
    return undefined;
  }
  if (chaos !== undefined) {
    problems.push(...chaosProblems(chaos, operationIds));
    return {
      outcome: { chaos: chaosOf(chaos) },
      times: null,
      percent: CHAOS_SETS[chaos.set ?? DEFAULT_SET].percent,
    };
  }
  const outcome: Fault | readonly Problem[] = fault === undefined ? [] : faultOf(fault, '/fault');
  if ('kind' in outcome) return { outcome: { fault: outcome }, times: 1, percent: 100 };
  problems.push(...outcome);
  return undefined;
}

function chaosOf({ seed, set, kinds, operations: operationIds }: ChaosRequest): Chaos {
  const operations = operationIds ?? null;
  if (kinds !== undefined) return { seed, set: null, kinds: [...new Set(kinds)], operations };
  const operationId = set ?? DEFAULT_SET;
  return { seed, set: operationId, kinds: CHAOS_SETS[operationId].kinds, operations };
}

const chaosProblems = (
  { set, kinds, operations = [] }: ChaosRequest,
  operationIds: OperationIds,
): Problem[] => [
  ...(set !== undefined && kinds !== undefined
    ? [
        fieldProblem(
          'kinds',
          'informe set (um conjunto pronto) ou kinds (falhas à escolha), e só um dos dois.',
          '/chaos/kinds',
        ),
      ]
    : []),
  ...operations.flatMap((one, index) => unknownOperation(one, `/chaos/operations/${index}`, operationIds)),
];

function unknownOperation(named: string, pointer: string, operationIds: OperationIds): Problem[] {
  if (operationIds().includes(named)) return [];
  const hint = nearest(named, operationIds());
  const advice = hint === undefined ? 'Os operationId estão em /openapi.json.' : `Você quis dizer '${hint}'?`;
  const message = `recebido ${formatValue(named)}, que não é uma operação. ${advice}`;
  return [fieldProblem('operation', message, pointer, hint)];
}

/** Merges repeated slashes, as the server does with the path of a request. */
const mergedSlashes = (path: string): string => path.replaceAll(/\/{2,}/g, '/');
