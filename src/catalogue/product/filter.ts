/** Schema of the list query, and the filter that it becomes (contract section 5). */
import type { TObject } from '@sinclair/typebox';
import type { Day, EpochMs } from '../../clock.ts';
import { type Problem, malformed } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { ATTRIBUTE_CODES } from '../attribute/words/codes.ts';
import { STANDING_STATES, type StandingState } from '../members/standing.ts';
import { CountryCode, DayText, RemoteName } from '../model.ts';
import { SITUACOES, type Situacao } from '../versioned/model.ts';
import { CODIGO_INTERNO_MAX, Codigo, MODALIDADES, Ncm } from './model.ts';
import { choice, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const OPERATOR_CODE_MAX = 35;
const CONTAINS = 'contém este texto, sem distinguir maiúsculas e acentos.';
const day = (description: string) => ({ ...DayText, description });

export function productQuerySchema(rules: CatalogueRules) {
  const manufacturer = rules.alphanumericCnpj
    ? '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'
    : '^([0-9]{11}|[0-9]{14})$';
  return t.Object({
    cpfCnpjRaiz: companySchema(rules),
    codigo: t.Optional(Codigo),
    codigoInterno: t.Optional(
      t.String({ maxLength: CODIGO_INTERNO_MAX, 'x-code': true, description: 'Um dos códigos internos.' }),
    ),
    descricao: t.Optional(t.String({ maxLength: 3700, description: `Descrição; ${CONTAINS}` })),
    denominacao: t.Optional(t.String({ maxLength: 3700, description: `Denominação; ${CONTAINS}` })),
    ncm: t.Optional(Ncm),
    periodoRegistroInicio: t.Optional(day('Registrado neste dia ou depois.')),
    periodoRegistroFim: t.Optional(day('Registrado neste dia ou antes.')),
    ultimaAlteracaoInicio: t.Optional(day('Alterado pela última vez neste dia ou depois.')),
    ultimaAlteracaoFim: t.Optional(day('Alterado pela última vez neste dia ou antes.')),
    situacao: t.Optional(
      t.Integer({
        'x-code': true,
        minimum: 0,
        maximum: SITUACOES.length - 1,
        'x-domain': SITUACOES.map((situacao, number) => `${number} = ${situacao}`).join(', '),
        description: '0: ativado; 1: desativado; 2: rascunho.',
      }),
    ),
    paisOrigem: t.Optional({ ...CountryCode, description: 'País de um fabricante ou produtor vinculado.' }),
    cpfCnpjFabricante: t.Optional(
      text('CPF ou CNPJ de um fabricante vinculado.', '12345678000195', {
        pattern: manufacturer,
        'x-code': true,
        'x-domain': 'CPF com 11 ou CNPJ com 14 dígitos',
      }),
    ),
    modalidade: t.Optional(
      choice<string>(MODALIDADES, 'Em que operações o produto é usado.', undefined, { 'x-code': true }),
    ),
    dataReferencia: t.Optional(day('Cada produto como estava no fim deste dia.')),
    operadorEstrangeiroCodigo: t.Optional(
      t.String({
        maxLength: OPERATOR_CODE_MAX,
        'x-code': true,
        description: 'Código ou TIN de um operador estrangeiro vinculado.',
      }),
    ),
  });
}

/** Members in which active products may repeat each other. */
const PRODUCT_REPEATS = ['conteudo', 'denominacao', 'codigoInterno'] as const;

const TEXT_MAX = 200;
const NCM_DIGITS = 8;
/** Number, as in the specification, or word. */
const SITUACAO_TEXTS = [...SITUACOES, ...SITUACOES.keys().map(String)];

const ToMend = t.String({
  pattern: '^(?:deactivated|ready|refused|due|[1-9][0-9]{0,14})$',
  'x-code': true,
  'x-textual': true,
  'x-domain': 'deactivated, ready, refused, due, ou o identificador de uma tabela de atributos',
  description:
    'Só o que está por corrigir. deactivated: o que o sistema desativou; ready: o que disso já pode ser ativado como está; refused: o que um remoto recusou e não mudou desde então (só para quem pode gravar); due: os ativos a que falta um atributo que ainda vai ser exigido; o id de uma tabela: os produtos ativos que ela não admite, hoje ou no dia em que entra em vigor (com codigo, esse produto, também se não está ativo).',
  examples: ['deactivated'],
});

const REASON_MAX = 40;
const MEMBER_MAX = 200;
const CODE_MAX = 40;

/** Filters for products to mend, by reason (src/catalogue/mending). */
const toMendFilters = {
  toMend: t.Optional(ToMend),
  reason: t.Optional(
    t.String({
      maxLength: REASON_MAX,
      'x-code': true,
      description: 'Com toMend: só por este motivo, o código da regra.',
      examples: [ATTRIBUTE_CODES.requiredMissing.code],
    }),
  ),
  member: t.Optional(
    t.String({
      maxLength: MEMBER_MAX,
      'x-code': true,
      description: 'Com toMend: só por causa deste membro, ou atributo:CÓDIGO, ou atributo:CÓDIGO/SUBCÓDIGO.',
      examples: ['atributo:ATT_90001'],
    }),
  ),
};

export const DUE_MODALIDADES = ['IMPORTACAO', 'EXPORTACAO'] as const;

const attributeCode = (description: string) =>
  t.String({ maxLength: CODE_MAX, 'x-code': true, description, examples: ['ATT_90001'] });

/** Filters for future requirements of products (src/catalogue/attribute/deadline). */
const dueFilters = {
  deadline: t.Optional(
    day(
      'Só produtos ativos a que falta algum atributo que passa a ser exigido neste dia, ou cuja NCM termina na véspera.',
    ),
  ),
  lacks: t.Optional(
    attributeCode(
      'Só produtos ativos a que falta este atributo, que ainda vai ser exigido; com deadline, nesse dia.',
    ),
  ),
  lacksFor: t.Optional(
    choice(DUE_MODALIDADES, 'Com deadline ou lacks: só o que vai ser exigido nestas operações.', undefined, {
      'x-code': true,
    }),
  ),
};

/** Filters for the state of products at a remote server (src/remote/standing). */
const remoteFilters = {
  remote: t.Optional({
    ...RemoteName,
    'x-code': true,
    description: 'Um remoto da empresa: de cada produto, onde está nele. Só para quem pode gravar.',
  }),
  remoteState: t.Optional(
    choice(STANDING_STATES, 'Com remote: só os que nele estão assim.', undefined, { 'x-code': true }),
  ),
};

/** Query of the same filter, with the names that the deadlines use. */
export const dueQuery = (rules: CatalogueRules) => ({
  cpfCnpjRaiz: companySchema(rules),
  on: t.Optional(day('Só o que passa a ser exigido neste dia.')),
  ncm: t.Optional(Ncm),
  codigo: t.Optional(attributeCode('Só este atributo; o fim de uma NCM não é de nenhum.')),
  modalidade: t.Optional(
    choice(DUE_MODALIDADES, 'Só os atributos exigidos nestas operações; o fim de uma NCM não é de nenhuma.'),
  ),
});
type DueQuery = Omit<TObject<ReturnType<typeof dueQuery>>['static'], 'cpfCnpjRaiz'>;

/** Returns the filter for products of any company that lack future requirements. */
export const toDueFilter = (
  { ncm, on, codigo, modalidade }: DueQuery,
  now: EpochMs,
): Omit<ProductFilter, 'cpfCnpjRaiz'> => ({
  ...(ncm !== undefined && { ncm }),
  due: { today: dayOf(now), on, codigo, modalidade },
});

/** Filters of the list, and those that only pages and bulk changes have (contract section 25). */
export const productPageFilters = (rules: CatalogueRules) => ({
  ...productQuerySchema(rules).properties,
  text: t.Optional(
    text(
      'Palavras em qualquer ordem, cada uma em denominação, códigos ou começo da NCM, sem distinguir maiúsculas e acentos.',
      'parafuso m6',
      { maxLength: TEXT_MAX },
    ),
  ),
  ncm: t.Optional(
    text('Os primeiros 2 a 8 dígitos da NCM.', '7318', {
      pattern: `^[0-9]{2,${NCM_DIGITS}}$`,
      'x-code': true,
      'x-textual': true,
      'x-domain': 'os primeiros 2 a 8 dígitos de uma NCM',
    }),
  ),
  situacao: t.Optional(
    choice<string>(SITUACAO_TEXTS, 'Situação, por extenso ou pelo número.', 'ATIVADO', {
      'x-code': true,
      'x-textual': true,
      'x-any-case': true,
    }),
  ),
  internalCode: t.Optional(
    t.String({
      maxLength: CODIGO_INTERNO_MAX,
      'x-code': true,
      description: 'Um dos códigos internos, sem contar zeros à esquerda.',
    }),
  ),
  repeated: t.Optional(
    choice(
      PRODUCT_REPEATS,
      'Só os ativos que se repetem: codigoInterno, com um código interno que outro produto ativo também tem; denominacao, com a mesma denominação, sem distinguir maiúsculas e acentos; conteudo, iguais em tudo, fora códigos internos.',
    ),
  ),
  deactivatedBySystem: t.Optional(
    t.Boolean({
      description:
        'true: só os que o sistema desativou, por deixarem de cumprir a tabela de atributos, e que estão desativados agora.',
    }),
  ),
  ...toMendFilters,
  ...dueFilters,
  ...remoteFilters,
});

type ProductQuery = ReturnType<typeof productQuerySchema>['static'];
type PageQuery = TObject<ReturnType<typeof productPageFilters>>['static'];

/** Filter of a company's products; absent members filter nothing. Exports may omit deactivated products. */
export interface ProductFilter
  extends ProductQuery, Pick<PageQuery, 'text' | 'internalCode' | 'deactivatedBySystem'> {
  /** Fewer digits than an NCM has. */
  readonly ncmBegins?: string;
  readonly withoutDeactivated?: boolean;
  /** Resolved by a reading Worker, which replaces it by `among`: SQL cannot judge a product. */
  readonly toMend?: ToMendFilter;
  /** Resolved in the same way. */
  readonly due?: DueFilter;
  /** Resolved in the same way; without a state it excludes none. */
  readonly atRemote?: RemoteFilter;
  /** `conteudo` and `denominacao` are resolved in the same way. */
  readonly repeated?: PageQuery['repeated'];
  /** Only products with these codes. */
  readonly among?: readonly number[];
}

export interface ToMendFilter {
  /** Same form as `ToMend`. */
  readonly source: string;
  readonly day: Day;
  readonly reason: string | undefined;
  readonly member: string | undefined;
}

/** Filter for products that lack future requirements. */
export interface DueFilter {
  readonly today: Day;
  /** First day of the requirement. */
  readonly on: Day | undefined;
  /** Code of the attribute. */
  readonly codigo: string | undefined;
  readonly modalidade: (typeof DUE_MODALIDADES)[number] | undefined;
}

/** Filter for the state of products at a remote. */
export interface RemoteFilter {
  readonly remote: string;
  readonly state: StandingState | undefined;
}

/** Returns the requested table; `undefined`: the one in force. */
export const tableToMend = ({ source }: ToMendFilter): number | undefined =>
  /^\d+$/.test(source) ? Number(source) : undefined;

/**
 * Returns the filter of a page. Throws 400 for an inverted period, and for a detail of another filter that
 * is absent.
 */
export function toPageFilter(request: PageQuery, now: EpochMs): ProductFilter {
  const { situacao, ncm, toMend: source, reason, member, deadline: on, lacks: codigo, ...others } = request;
  const { lacksFor: modalidade, remote, remoteState, ...query } = others;
  for (const [name, value] of Object.entries({ reason, member }))
    if (value !== undefined && source === undefined)
      throw missingFilter(name, 'toMend, que diz o que está por corrigir; informe toMend também.');
  if (remoteState !== undefined && remote === undefined)
    throw missingFilter('remoteState', 'remote, que diz em que remoto; informe remote também.');
  const hasDueFilter = on !== undefined || codigo !== undefined;
  if (modalidade !== undefined && !hasDueFilter)
    throw missingFilter('lacksFor', 'deadline ou lacks, que dizem o que falta; informe um deles também.');
  const word = situacao?.toUpperCase();
  const number = SITUACOES.indexOf(word as Situacao);
  return {
    ...toFilter(query, now),
    ...(word !== undefined && { situacao: number === -1 ? Number(word) : number }),
    ...(ncm !== undefined && (ncm.length === NCM_DIGITS ? { ncm } : { ncmBegins: ncm })),
    ...(source !== undefined && { toMend: { source, day: dayOf(now), reason, member } }),
    ...(hasDueFilter && { due: { today: dayOf(now), on, codigo, modalidade } }),
    ...(remote !== undefined && { atRemote: { remote, state: remoteState } }),
  };
}

const missingFilter = (name: string, other: string) =>
  malformed([fieldProblem(name, `só se pede com ${other}`, name)]);

/** Treats a day after today as today. Throws 400 for an inverted period. */
export function toFilter(query: ProductFilter, now: EpochMs): ProductFilter {
  refuseInvertedPeriods(query);
  const today = dayOf(now);
  return (query.dataReferencia ?? '') > today ? { ...query, dataReferencia: today } : query;
}

function refuseInvertedPeriods(query: ProductFilter): void {
  const problems: Problem[] = [];
  for (const name of ['periodoRegistro', 'ultimaAlteracao'] as const) {
    const [start, end] = [query[`${name}Inicio`], query[`${name}Fim`]];
    if (start === undefined || end === undefined || start <= end) continue;
    const message = `recebido ${end}, anterior a ${name}Inicio, ${start}; informe um dia igual ou posterior.`;
    problems.push(fieldProblem(`${name}Fim`, message, `${name}Fim`));
  }
  if (problems.length > 0) throw malformed(problems);
}
