/**
 * Maps each filter to its SQL condition on a product, and to an index that finds few rows for it (contract
 * section 5).
 */
import type { Day } from '../../clock.ts';
import { SYSTEM } from '../../session/model.ts';
import { endOfDay, startOfDay } from '../../validation/calendar.ts';
import { folded } from '../../validation/text.ts';
import { Conditions, type Parameter } from '../list-query.ts';
import { searchWords, hasWord } from '../word-list-query.ts';
import { KEYS_OF_COMPANY, SITUACOES, keyIn } from '../versioned/model.ts';
import type { ProductFilter } from './filter.ts';
import { CODIGO_INTERNO_MAX } from './model.ts';

/** Table alias of the filtered row: the product; for a day, the product or its past version `v`. */
interface FilteredRow {
  readonly t: 'p' | 'v';
  readonly companyId: number;
  readonly day?: Day;
}

type Sql = readonly [text: string, ...parameters: Parameter[]];

interface Filter<Value> {
  readonly condition: (value: Value, row: FilteredRow) => Sql | undefined;
  /** Returns a source of products `p`, read by an index, that contains all matches: the text after FROM. */
  readonly indexSource?: (value: Value, companyId: number, filter: ProductFilter) => Sql | undefined;
}

type Filters = Omit<ProductFilter, 'cpfCnpjRaiz' | 'dataReferencia'>;

/** Reads products by their keys: the condition of the filter names the keys. */
const byKey = (): Sql => ['product p WHERE TRUE'];

const byIndex =
  (index: string, furtherCondition = '') =>
  (_value: unknown, companyId: number): Sql => [
    `product p INDEXED BY product_by_${index} WHERE p.company_id = +?${furtherCondition}`,
    companyId,
  ];

const notActive = byIndex('situacao', " AND p.situacao <> 'ATIVADO'");

/** Reads two indexes: a product that never changed is only in the index by registration. */
function byChange(
  _day: Day,
  companyId: number,
  { ultimaAlteracaoInicio: first, ultimaAlteracaoFim: last }: ProductFilter,
): Sql {
  const within = (index: string, column: string): Conditions => {
    const where = new Conditions();
    where.add(`SELECT id FROM product INDEXED BY product_by_${index} WHERE company_id = +?`, companyId);
    where.when(first && startOfDay(first), `${column} >= ?`);
    where.when(last && endOfDay(last), `${column} < ?`);
    return where;
  };
  const [changed, unchanged] = [within('change', 'changed_at'), within('registration', 'registered_at')];
  return [
    `product p WHERE p.id IN (${changed.sql} AND changed_at <> registered_at UNION ALL ${unchanged.sql})`,
    ...changed.parameters,
    ...unchanged.parameters,
  ];
}

export const keyOf = (t: FilteredRow['t']): string => (t === 'p' ? 'p.id' : 'v.record_id');

/** Returns the SQL of a row's situation at the end of a day; the parameter is the moment when the day ends. */
export const situacaoOnDay = (t: FilteredRow['t']): string =>
  `CASE WHEN ${t}.deactivated_at < ? THEN 'DESATIVADO' ELSE 'ATIVADO' END`;

/** Matches one of the internal codes: of a product by the index, of a past version in its list. */
const hasCode = (
  condition: string,
  conditionOnDay: string,
  parameterOf = (code: string): string => code,
): Filter<string> => ({
  condition: (code, { t, companyId, day }) =>
    day === undefined
      ? [
          `p.id IN (SELECT c.product_id FROM product_internal_code c WHERE c.company_id = +? AND c.codigo_interno ${condition})`,
          companyId,
          parameterOf(code),
        ]
      : [`EXISTS (SELECT 1 FROM json_each(${t}.codigos_interno) i WHERE ${conditionOnDay})`, code],
  indexSource: byKey,
});

/** Returns all internal codes that differ from this one only in leading zeros. */
function withAnyZeros(code: string): string[] {
  const rest = code.replace(/^0+/, '');
  return Array.from({ length: CODIGO_INTERNO_MAX - rest.length + 1 }, (_, zeros) => '0'.repeat(zeros) + rest);
}

/** Matches a product that has a link in force which satisfies the condition. */
const hasLink = (
  condition: string,
  parametersOf = (text: string, _companyId: number): readonly Parameter[] => [text],
): Filter<string> => ({
  condition: (text, { companyId, day }) => [
    `EXISTS (SELECT 1 FROM manufacturer_link l WHERE l.product_id = p.id AND ${condition}
      AND ${day === undefined ? 'l.unlinked_at IS NULL' : 'l.starts_on <= ? AND (l.ends_on IS NULL OR l.ends_on > ?)'})`,
    ...parametersOf(text, companyId),
    ...(day === undefined ? [] : [day, day]),
  ],
  indexSource: (text, companyId) => [
    `product p WHERE p.id IN (SELECT l.product_id FROM manufacturer_link l
      WHERE ${condition} AND l.product_id > ? AND l.product_id < ? AND l.unlinked_at IS NULL)`,
    ...parametersOf(text, companyId),
    ...[keyIn(companyId, 0), keyIn(companyId + 1, 0)],
  ],
});

const contains = (column: string): Filter<string> => ({
  condition: (text, { t }) => [
    `instr(${t === 'p' ? `p.${column}_folded` : `folded(v.${column})`}, ?) > 0`,
    folded(text),
  ],
});

/**
 * Refuses filters that must be resolved before the query. If one were ignored, all products would match, also
 * in a bulk change.
 */
function refuseUnresolved(): never {
  throw new Error(
    'The filters toMend, due, atRemote and repeated must be replaced by codes before products are queried.',
  );
}

const RESOLVED_BEFORE: Filter<unknown> = { condition: refuseUnresolved };

/** Returns a text that sorts after all texts that begin with these digits. */
const afterPrefix = (digits: string): string => `${digits}:`;

/**
 * Lists every filter of the schema: a missing one does not compile. The first filter with `indexSource` is used,
 * most selective first: without statistics, SQLite would often choose another.
 */
const FILTERS: { readonly [Name in keyof Filters]-?: Filter<NonNullable<Filters[Name]>> } = {
  codigo: {
    condition: (codigo, { t, companyId }) => [`${keyOf(t)} = ${companyId} * ${KEYS_OF_COMPANY} + ?`, codigo],
    indexSource: byKey,
  },
  among: {
    condition: (codes, { t, companyId }) => [
      `${keyOf(t)} IN (SELECT ${companyId} * ${KEYS_OF_COMPANY} + value FROM json_each(?))`,
      JSON.stringify(codes),
    ],
    indexSource: byKey,
  },
  toMend: RESOLVED_BEFORE,
  due: RESOLVED_BEFORE,
  atRemote: RESOLVED_BEFORE,
  codigoInterno: hasCode('= +?', 'i.value = +?'),
  internalCode: hasCode(
    'IN (SELECT value FROM json_each(?))',
    "ltrim(i.value, '0') = ltrim(?, '0')",
    (code) => JSON.stringify(withAnyZeros(code)),
  ),
  ncm: { condition: (ncm, { t }) => [`${t}.ncm = +?`, ncm], indexSource: byIndex('ncm') },
  cpfCnpjFabricante: hasLink('l.cpf_cnpj_fabricante = +?'),
  // An operator is identified by its code or by its TIN.
  operadorEstrangeiroCodigo: hasLink(
    `l.codigo_operador IN (SELECT ? UNION ALL SELECT o.codigo
      FROM foreign_operator o INDEXED BY foreign_operator_by_tin WHERE o.company_id = +? AND o.tin = +?)`,
    (operator, companyId) => [operator, companyId, operator],
  ),
  paisOrigem: hasLink('l.codigo_pais = +?'),
  periodoRegistroInicio: {
    condition: (day) => ['p.registered_at >= ?', startOfDay(day)],
    indexSource: byIndex('registration'),
  },
  periodoRegistroFim: {
    condition: (day) => ['p.registered_at < ?', endOfDay(day)],
    indexSource: byIndex('registration'),
  },
  ultimaAlteracaoInicio: {
    condition: (day) => ['p.changed_at >= ?', startOfDay(day)],
    indexSource: byChange,
  },
  ultimaAlteracaoFim: { condition: (day) => ['p.changed_at < ?', endOfDay(day)], indexSource: byChange },
  // Applies to any day: the system deactivated the product, and it is still deactivated.
  deactivatedBySystem: {
    condition: (isOnly) =>
      isOnly ? ["p.situacao = 'DESATIVADO' AND p.deactivated_by = ?", SYSTEM] : undefined,
    indexSource: (isOnly, companyId) => (isOnly ? notActive(isOnly, companyId) : undefined),
  },
  situacao: {
    condition(number, { t, day }) {
      const situacao = SITUACOES[number] as string;
      return day === undefined
        ? ['p.situacao = +?', situacao]
        : [`${situacaoOnDay(t)} = +?`, endOfDay(day), situacao];
    },
    // Most products are ATIVADO: this filter is not selective.
    indexSource: (number, companyId) =>
      SITUACOES[number] === 'ATIVADO' ? undefined : notActive(number, companyId),
  },
  // Walks the company's products; for each row only the products that share a code are read, by their index.
  repeated: {
    condition: (member, { t, companyId }) =>
      member === 'codigoInterno' ? [sharesCode(t), companyId] : refuseUnresolved(),
  },
  // Two digits may match many products: the index of any other filter leaves fewer.
  ncmBegins: {
    condition: (digits, { t }) => [`${t}.ncm >= ? AND ${t}.ncm < ?`, digits, afterPrefix(digits)],
    indexSource: (digits, companyId) => [
      'product p INDEXED BY product_by_ncm WHERE p.company_id = +? AND p.ncm >= ? AND p.ncm < ?',
      ...[companyId, digits, afterPrefix(digits)],
    ],
  },
  withoutDeactivated: { condition: (isOnly) => (isOnly ? ["p.situacao <> 'DESATIVADO'"] : undefined) },
  modalidade: { condition: (modalidade, { t }) => [`${t}.modalidade = +?`, modalidade] },
  text: {
    condition(text, { t }) {
      const words = searchWords(text);
      const name = t === 'p' ? 'p.denominacao_folded' : 'folded(v.denominacao)';
      const codigo = `CAST(${keyOf(t)} % ${KEYS_OF_COMPANY} AS TEXT)`;
      if (words.length === 0) return ['FALSE']; // as in the search
      return [
        words.map(() => hasWord(t, { name, codigo })).join(' AND '),
        ...words.flatMap(({ word, code, digits }) => [word, code, word, digits, digits]),
      ];
    },
  },
  denominacao: contains('denominacao'),
  descricao: contains('descricao'),
};

/** The condition that an active product `p` shares a code with another active one. Its parameter is the company. */
const sharesCode = (t: string): string =>
  `p.situacao = 'ATIVADO' AND EXISTS (SELECT 1 FROM json_each(${t}.codigos_interno) i
    CROSS JOIN product_internal_code c ON c.company_id = +? AND c.codigo_interno = i.value AND c.product_id <> p.id
    CROSS JOIN product o ON o.id = c.product_id AND o.situacao = 'ATIVADO')`;

const ENTRIES = Object.entries(FILTERS) as [keyof Filters, Filter<unknown>][];

/** Adds all conditions of a filter on a row. */
export function addConditions(where: Conditions, filter: ProductFilter, row: FilteredRow): void {
  for (const [name, { condition }] of ENTRIES) {
    const conditions = filter[name] === undefined ? undefined : condition(filter[name], row);
    if (conditions !== undefined) where.add(...conditions);
  }
}

/**
 * Returns the most selective source of a filter for current products; `undefined`: all products of the
 * company are read.
 */
export function drivingSource(filter: ProductFilter, companyId: number): Sql | undefined {
  for (const [name, { indexSource }] of ENTRIES) {
    const source = filter[name] === undefined ? undefined : indexSource?.(filter[name], companyId, filter);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Filters whose index leads to single products, most selective first. */
const DIRECT = ['codigo', 'among', 'codigoInterno', 'internalCode', 'ncm'] as const;

/** Returns a filter of current products by its most selective direct filter alone, if it has one. */
export function directFilter(filter: ProductFilter): ProductFilter | undefined {
  const { cpfCnpjRaiz, dataReferencia } = filter;
  const name = DIRECT.find((filterName) => filter[filterName] !== undefined);
  return name === undefined || dataReferencia !== undefined
    ? undefined
    : { cpfCnpjRaiz, [name]: filter[name] };
}
