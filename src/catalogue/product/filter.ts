/** The query of the list operation: its schema, and what it asks for (contract section 5). */
import { Type as t } from '@sinclair/typebox';
import type { Day, EpochMs } from '../../clock.ts';
import { type Problem, malformed } from '../../errors.ts';
import { dayOf, endOfDay, startOfDay } from '../../validation/calendar.ts';
import { MALFORMED_CODE } from '../../validation/decode.ts';
import { type CatalogueRules, companySchema } from '../company.ts';
import { CountryCode, DayText } from '../model.ts';
import type { ProductFilter } from './list-query.ts';
import { CODIGO_INTERNO_MAX, Codigo, MODALIDADES, Ncm, type Situacao } from './model.ts';

/** Specification, States: 0 active, 1 deactivated, 2 draft. */
const SITUACAO_NUMBERS: readonly Situacao[] = ['ATIVADO', 'DESATIVADO', 'RASCUNHO'];

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
    codigoInterno: t.Optional(t.String({ maxLength: 60, description: 'Um dos códigos internos.' })),
    descricao: t.Optional(t.String({ maxLength: 3700, description: `Descrição; ${CONTAINS}` })),
    denominacao: t.Optional(t.String({ maxLength: 3700, description: `Denominação; ${CONTAINS}` })),
    ncm: t.Optional(Ncm),
    periodoRegistroInicio: t.Optional(day('Registrado neste dia ou depois.')),
    periodoRegistroFim: t.Optional(day('Registrado neste dia ou antes.')),
    ultimaAlteracaoInicio: t.Optional(day('Alterado pela última vez neste dia ou depois.')),
    ultimaAlteracaoFim: t.Optional(day('Alterado pela última vez neste dia ou antes.')),
    situacao: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: SITUACAO_NUMBERS.length - 1,
        'x-domain': SITUACAO_NUMBERS.map((situacao, number) => `${number} = ${situacao}`).join(', '),
        description: '0: ativado; 1: desativado; 2: rascunho.',
      }),
    ),
    paisOrigem: t.Optional({ ...CountryCode, description: 'País de um fabricante ou produtor vinculado.' }),
    cpfCnpjFabricante: t.Optional(
      t.String({
        pattern: manufacturer,
        'x-domain': 'CPF com 11 ou CNPJ com 14 dígitos',
        description: 'CPF ou CNPJ de um fabricante vinculado.',
        examples: ['12345678000195'],
      }),
    ),
    modalidade: t.Optional(
      t.Unsafe<string>({
        type: 'string',
        enum: [...MODALIDADES],
        description: 'Em que operações o produto é usado.',
      }),
    ),
    dataReferencia: t.Optional(day('Cada produto como estava no fim deste dia.')),
    operadorEstrangeiroCodigo: t.Optional(
      t.String({
        maxLength: OPERATOR_CODE_MAX,
        description: 'Código ou TIN de um operador estrangeiro vinculado.',
      }),
    ),
  });
}

/** Those of the list, and what only pages and changes of many ask. */
export const productPageFilters = (rules: CatalogueRules) => ({
  ...productQuerySchema(rules).properties,
  internalCode: t.Optional(
    t.String({
      maxLength: CODIGO_INTERNO_MAX,
      description: 'Um dos códigos internos, sem contar zeros à esquerda.',
    }),
  ),
  deactivatedBySystem: t.Optional(
    t.Boolean({
      description:
        'true: só os que o sistema desativou, por deixarem de cumprir a tabela de atributos, e que estão desativados agora.',
    }),
  ),
});

type ProductQuery = ReturnType<typeof productQuerySchema>['static'];

/** Turns a decoded query into a filter. Throws 400 for an inverted period. */
export function toFilter(query: ProductQuery, now: EpochMs): ProductFilter {
  refuseInvertedPeriods(query);
  const { periodoRegistroInicio, periodoRegistroFim, ultimaAlteracaoInicio, ultimaAlteracaoFim } = query;
  const { situacao, dataReferencia, ...others } = query;
  return withoutAbsent({
    ...others,
    registeredFrom: startOf(periodoRegistroInicio),
    registeredBefore: endOf(periodoRegistroFim),
    changedFrom: startOf(ultimaAlteracaoInicio),
    changedBefore: endOf(ultimaAlteracaoFim),
    situacao: situacao === undefined ? undefined : SITUACAO_NUMBERS[situacao],
    asOf: dataReferencia === undefined ? undefined : asOf(dataReferencia, dayOf(now)),
  });
}

const startOf = (day: Day | undefined): EpochMs | undefined =>
  day === undefined ? undefined : startOfDay(day);

const endOf = (day: Day | undefined): EpochMs | undefined => (day === undefined ? undefined : endOfDay(day));

/** A day after today means today. */
function asOf(dataReferencia: Day, today: Day) {
  const day = dataReferencia > today ? today : dataReferencia;
  return { day, endsBefore: endOfDay(day) };
}

function refuseInvertedPeriods(query: ProductQuery): void {
  const problems: Problem[] = [];
  for (const name of ['periodoRegistro', 'ultimaAlteracao'] as const) {
    const [start, end] = [query[`${name}Inicio`], query[`${name}Fim`]];
    if (start === undefined || end === undefined || start <= end) continue;
    const message = `${name}Fim: recebido ${end}, anterior a ${name}Inicio, ${start}; informe um dia igual ou posterior.`;
    problems.push({ code: MALFORMED_CODE, message, field: `${name}Fim`, path: `${name}Fim` });
  }
  if (problems.length > 0) throw malformed(problems);
}

type WithoutUndefined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(values: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}
