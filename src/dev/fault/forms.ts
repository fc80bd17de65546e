/** Schemas of fault rules in requests and answers (contract section 15). */
import { MINUTE_MS } from '../../clock.ts';
import type { Problem } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { choice, form, idOf, nullable, text, integerForm } from '../../validation/forms.ts';
import {
  BODILESS_STATUSES,
  CHAOS_SET_NAMES,
  FAULT_KINDS,
  type Fault,
  type FaultKind,
  DEFAULT_SET,
} from './model.ts';
import { t } from '../../validation/type.ts';

/** Maximum delay: clients wait no longer, and the server closes an idle connection after 120 s. */
export const DELAY_MAX_MS = 2 * MINUTE_MS;
const COUNT_MAX = 1_000_000_000;
export const TRUNCATE_MAX_BYTES = COUNT_MAX;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const [STATUS_LEAST, STATUS_MOST] = [200, 599];

const status = {
  minimum: STATUS_LEAST,
  maximum: STATUS_MOST,
  description: 'Status da resposta; só e sempre com kind status.',
  examples: [503],
};
const members = {
  kind: choice(FAULT_KINDS, 'A falha.', 'status'),
  status: t.Optional(t.Integer(status)),
  code: t.Optional(
    text('Código no corpo do erro; só com kind status. Ausente: o código desse status.', 'CATP-ER0503', {
      minLength: 1,
      maxLength: 100,
    }),
  ),
  message: t.Optional(
    text('Mensagem no corpo do erro; só com kind status.', 'Serviço indisponível.', {
      minLength: 1,
      maxLength: 1000,
    }),
  ),
  ms: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: DELAY_MAX_MS,
      description: 'Espera em milissegundos antes de atender; só e sempre com kind delay.',
    }),
  ),
  bytes: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: TRUNCATE_MAX_BYTES,
      description: 'Bytes do corpo antes do corte; só e sempre com kind truncate.',
    }),
  ),
};
const FaultRequest = t.Object(members, {
  additionalProperties: false,
  'x-form': 'Fault',
  description: 'O que acontece à requisição.',
  examples: [{ kind: 'status', status: 503 }],
});
type FaultRequest = typeof FaultRequest.static;

/** The members that each kind accepts besides `kind`. The first one is required. */
const MEMBERS_OF_KIND: Readonly<Record<FaultKind, readonly (keyof FaultRequest)[]>> = {
  status: ['status', 'code', 'message'],
  delay: ['ms'],
  truncate: ['bytes'],
  drop: [],
  garbage: [],
  'expired-token': [],
  'hourly-limit': [],
  'daily-stop': [],
  'lost-answer': [],
};

/** Returns the fault, or the problems of its members. `pointer` is its location in the body. */
export function faultOf(request: FaultRequest, pointer: string): Fault | readonly Problem[] {
  const own = MEMBERS_OF_KIND[request.kind];
  const problem = (field: string, message: string): Problem =>
    fieldProblem(field, message, `${pointer}/${field}`);
  const problems = Object.keys(request)
    .filter((name) => name !== 'kind' && !own.includes(name as keyof FaultRequest))
    .map((name) =>
      problem(
        name,
        `não se aplica a kind ${formatValue(request.kind)}, que aceita ${own.join(', ') || 'só kind'}.`,
      ),
    );
  const [required] = own;
  if (required !== undefined && request[required] === undefined)
    problems.push(problem(required, `membro obrigatório ausente com kind ${formatValue(request.kind)}.`));
  if (request.status !== undefined && BODILESS_STATUSES.includes(request.status))
    problems.push(
      problem(
        'status',
        `recebido ${request.status}, que não tem corpo; aceita 200 a 599, menos 204, 205 e 304.`,
      ),
    );
  return problems.length > 0 ? problems : (request as Fault);
}

export const SEED_MAX_CHARACTERS = 20;
const SEED = text('O que decide tudo: letras sem acento, dígitos, hífen e _.', '7', {
  pattern: `^[A-Za-z0-9_-]{1,${SEED_MAX_CHARACTERS}}$`,
  'x-domain': `até ${SEED_MAX_CHARACTERS} letras sem acento, dígitos, hífen e _`,
});
const KINDS_ABOUT = 'Que falhas são sorteadas.';
const OPERATIONS_ABOUT = 'operationId das operações que podem falhar';

const ChaosRequest = t.Object(
  {
    seed: SEED,
    set: t.Optional(
      choice(CHAOS_SET_NAMES, `Um conjunto pronto; sem ele nem kinds, ${DEFAULT_SET}.`, 'respostas-perdidas'),
    ),
    kinds: t.Optional(
      t.Array(choice(FAULT_KINDS, 'Uma falha.', 'drop'), {
        minItems: 1,
        maxItems: FAULT_KINDS.length,
        description: `${KINDS_ABOUT} No lugar de set.`,
      }),
    ),
    operations: t.Optional(
      t.Array(text('operationId.', 'includeProduct', { minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        description: `${OPERATIONS_ABOUT}; ausente, todas.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    'x-form': 'Chaos',
    'x-digits': true,
    description:
      'Falhas sorteadas: que requisições falham, e como, decorre da semente e da ordem das requisições a cada operação.',
    examples: [{ seed: '7', set: 'respostas-perdidas' }],
  },
);
export type ChaosRequest = typeof ChaosRequest.static;

const count = (description: string, minimum: number, byDefault: number) =>
  t.Integer({ minimum, maximum: COUNT_MAX, default: byDefault, description });

const TIMES = 'Quantas vezes age; null = sempre.';
const TIMES_BY_DEFAULT = 'Ausente: uma vez com fault, sempre com chaos.';
const PERCENT = { minimum: 0, maximum: 100, description: 'De cada cem vezes, em quantas age.' };
const PERCENT_BY_DEFAULT = 'Ausente: sempre com fault, a taxa do conjunto com chaos.';
const PATH = 'Caminho exato, sem a consulta, ou um começo de caminho seguido de *.';
const COMPANY = 'A empresa do caminho, da consulta ou de qualquer item do corpo.';
const OPERATION = 'operationId da operação.';

const matching = {
  operation: t.Optional(text(OPERATION, 'includeProduct', { minLength: 1, maxLength: 100 })),
  method: t.Optional(choice(METHODS, 'Método HTTP.', 'POST')),
  path: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^(/[^*?#]*\\*?|\\*)$',
      'x-domain': 'um caminho que começa com /, exato ou com * no fim',
      description: PATH,
      examples: ['/catp/api/ext/produto/*'],
    }),
  ),
  cpfCnpjRaiz: t.Optional(
    text(COMPANY, '12345678', {
      pattern: '^([0-9A-Z]{8}|[0-9]{11})$',
      'x-domain': 'raiz de CNPJ com 8 caracteres ou CPF com 11 dígitos',
    }),
  ),
};

export const RuleRequest = t.Object(
  {
    ...matching,
    after: t.Optional(count('Quantas requisições que combinam passam antes da primeira falha.', 0, 0)),
    times: t.Optional(
      t.Unsafe<number | null>({
        type: 'integer',
        minimum: 1,
        maximum: COUNT_MAX,
        'x-keeps-empty': true,
        description: `${TIMES} ${TIMES_BY_DEFAULT}`,
      }),
    ),
    percent: t.Optional(
      t.Integer({ ...PERCENT, description: `${PERCENT.description} ${PERCENT_BY_DEFAULT}` }),
    ),
    fault: t.Optional(FaultRequest),
    chaos: t.Optional(ChaosRequest),
  },
  {
    additionalProperties: false,
    'x-form': 'FaultRuleRequest',
    description:
      'Que requisições falham, quando e como; sem nenhum critério, todas combinam. Ou fault, ou chaos.',
    examples: [{ path: '/catp/api/ext/produto/*', fault: { kind: 'status', status: 503 } }],
  },
);
export type RuleRequest = typeof RuleRequest.static;

export const RuleId = idOf('Número da regra.');
export const AddedRule = form('AddedFaultRule', 'A regra acrescentada.', { id: RuleId });

export const ListedRule = form('FaultRule', 'Uma regra de falha.', {
  id: RuleId,
  operation: nullable(text(OPERATION, 'includeProduct')),
  method: nullable(text('Método HTTP.', 'POST')),
  path: nullable(text(PATH, '/catp/api/ext/produto/*')),
  cpfCnpjRaiz: nullable(text(COMPANY, '12345678')),
  after: integerForm('Quantas requisições passam antes da primeira falha.', 0),
  times: nullable(integerForm(TIMES, 1)),
  percent: integerForm(PERCENT.description, 100),
  fault: t.Optional(form('ListedFault', 'O que acontece à requisição; não de um sorteio.', members)),
  chaos: t.Optional(
    form('ListedChaos', 'O que é sorteado; só de um sorteio.', {
      seed: SEED,
      set: nullable(choice(CHAOS_SET_NAMES, 'O conjunto; null com falhas à escolha.')),
      kinds: t.Array(choice(FAULT_KINDS, 'Uma falha.', 'drop'), { description: KINDS_ABOUT }),
      operations: nullable(
        t.Array(text('operationId.', 'includeProduct'), { description: `${OPERATIONS_ABOUT}.` }),
        { description: `${OPERATIONS_ABOUT}; null: todas.` },
      ),
    }),
  ),
  matched: integerForm('Quantas requisições já combinaram com a regra.', 3),
  acted: integerForm('Em quantas delas agiu.', 1),
});
