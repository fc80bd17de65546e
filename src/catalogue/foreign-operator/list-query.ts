/**
 * Builds lists and pages of operators as SQL (contract sections 4 and 14): the driving index, and the
 * conditions on each row.
 */
import type { Db } from '../../db/open.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf, foldedOf } from '../list-query.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { contentSelected } from '../members/member.ts';
import { pageOfRows } from '../paging/list-query.ts';
import { OPERATOR_PLACES_COUNT, operatorHasWord, searchWords } from '../word-list-query.ts';
import { EVERY_ROW, type Page, type PageEnd, type PageRequest } from '../paging/model.ts';
import type { OperatorFilter } from './filter.ts';
import type { OperatorOrder } from './model.ts';
import type { PrintedOperator } from './record.ts';

/** Sort keys that precede the codes, with their columns. */
const KEYS = {
  codigo: {},
  nome: { nomeFolded: 'o.nome_folded' },
  codigoPais: { codigoPais: 'o.codigo_pais' },
  changedAt: { changedAt: 'o.changed_at' },
} as const satisfies Readonly<Record<OperatorOrder, { readonly [Member in keyof Row]?: string }>>;
const CODE = { numero: 'o.numero', codigo: 'o.codigo' } as const;

const keysOf = (by: OperatorOrder) =>
  Object.entries({ ...KEYS[by], ...CODE }) as [keyof typeof CODE, string][];

type OperatorPageRequest = PageRequest<OperatorOrder>;

/** Ordered by the number in `codigo`. */
const EVERY_OPERATOR: OperatorPageRequest = { ...EVERY_ROW, order: { by: 'codigo', isDescending: false } };

export interface PagedOperator extends PrintedOperator {
  readonly changedAt: number;
}

interface Row extends PagedOperator {
  readonly numero: number;
  readonly nomeFolded: string;
}

/** Reads a page on a read connection. */
export function operatorPage(
  db: Db,
  filter: OperatorFilter,
  request: OperatorPageRequest,
): Page<PagedOperator> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = operatorQuery(filter, companyId, request);
  const rows = db.prepare<Parameter[], Row>(sql).all(...parameters);
  const where = operatorConditions(filter, companyId);
  return pageOfRows(db, request, rows, (last) => endAt(last, request), {
    sql: `foreign_operator o INDEXED BY ${drivingIndex(filter)} WHERE ${where.sql}`,
    parameters: where.parameters,
  });
}

/** Yields all matches of a filter, on a read connection; the rows are fetched one by one. */
export function iterateOperators(
  db: Db,
  filter: OperatorFilter,
  order = EVERY_OPERATOR.order,
): IterableIterator<PagedOperator> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = operatorQuery(filter, companyId, { ...EVERY_ROW, order });
  return db.prepare<Parameter[], PagedOperator>(sql).iterate(...parameters);
}

const endAt = (row: Row, { order }: OperatorPageRequest): PageEnd =>
  keysOf(order.by).map(([member]) => row[member]);

/**
 * Returns the query of a filter for the company with that number: for a page and one operator after it, or
 * for all.
 */
export function operatorQuery(
  filter: OperatorFilter,
  companyId: number,
  { order, after, from = 0, limit } = EVERY_OPERATOR,
): Query {
  const where = operatorConditions(filter, companyId);
  const columns = keysOf(order.by).map(([, column]) => column);
  if (after !== undefined)
    where.add(
      `(${columns.join(', ')}) ${order.isDescending ? '<' : '>'} (${after.map(() => '?').join(', ')})`,
      ...after,
    );
  const direction = order.isDescending ? ' DESC' : '';
  // The inner query orders keys; the rows with their texts are fetched one by one, so memory stays bounded.
  const sql = `SELECT v.codigo, v.codigo_pais AS codigoPais, v.situacao, v.family, v.rectification,
      ${contentSelected(OPERATOR, 'v')}, v.changed_at AS changedAt, v.numero, v.nome_folded AS nomeFolded
    FROM (SELECT o.id FROM foreign_operator o INDEXED BY ${indexFor(filter, order.by)} WHERE ${where.sql}
          ORDER BY ${columns.map((column) => column + direction).join(', ')} LIMIT ? OFFSET ?) q
    CROSS JOIN foreign_operator v ON v.id = q.id`;
  return { sql, parameters: [...where.parameters, limit + 1, from] };
}

/** Characters that are ignored when two TINs are compared, as SQL. */
const TIN_PUNCTUATION = [
  ...[' ', '-', '.', '/', ',', '_', ':', ';', '(', ')', '#', '*', '+', '\\'].map((sign) => `'${sign}'`),
  ...['char(9)', 'char(160)'],
];

/** Returns the TIN of a row without blanks, punctuation and case, as the index has it (migration 0039). */
export const tinKeyOf = (row: string): string =>
  `upper(${TIN_PUNCTUATION.reduce((tin, sign) => `replace(${tin}, ${sign}, '')`, `${row}.tin`)})`;

const repeatsBy = (index: string, valueOf: (row: string) => string): string =>
  `o.situacao = 'ATIVADO' AND EXISTS (SELECT 1 FROM foreign_operator r INDEXED BY foreign_operator_by_${index}
    WHERE r.company_id = +? AND ${valueOf('r')} = ${valueOf('o')} AND r.situacao = 'ATIVADO' AND r.id <> o.id`;

/** The condition on an active operator `o` that another active one repeats. Its parameter is the company. */
const REPEATS: Readonly<Record<NonNullable<OperatorFilter['repeated']>, string>> = {
  tin: `${repeatsBy('tin_key', tinKeyOf)} AND r.tin IS NOT NULL)`,
  nome: `${repeatsBy('name', (row) => `${row}.nome_folded`)})`,
};

/** Returns the conditions of a filter on an operator `o`. */
function operatorConditions(filter: OperatorFilter, companyId: number): Conditions {
  const where = new Conditions();
  where.add('o.company_id = +?', companyId);
  where.when(filter.codigo, 'o.codigo = +?');
  where.when(filter.tin, 'o.tin = +?');
  where.when(filter.codigoInterno, 'o.codigo_interno = +?');
  where.when(filter.paisOrigem, 'o.codigo_pais = +?');
  if (filter.withoutDeactivated) where.add("o.situacao = 'ATIVADO'");
  where.when(foldedOf(filter.nome), 'instr(o.nome_folded, ?) > 0');
  for (const { word } of searchWords(filter.text ?? ''))
    where.add(operatorHasWord(), ...Array.from({ length: OPERATOR_PLACES_COUNT }, () => word));
  const { repeated } = filter;
  if (repeated !== undefined) where.add(REPEATS[repeated], companyId);
  return where;
}

/** The most selective filter drives; without statistics, SQLite would often choose another. */
function drivingIndex({ codigo, tin, codigoInterno, paisOrigem }: OperatorFilter): string {
  if (codigo !== undefined) return 'foreign_operator_by_codigo';
  if (tin !== undefined) return 'foreign_operator_by_tin';
  if (codigoInterno !== undefined) return 'foreign_operator_by_internal_code';
  return paisOrigem !== undefined ? 'foreign_operator_by_country' : 'foreign_operator_by_numero';
}

/** The order by country has an index, used if no filter has a better one. */
function indexFor(filter: OperatorFilter, by: OperatorOrder): string {
  const driving = drivingIndex(filter);
  return by === 'codigoPais' && driving === 'foreign_operator_by_numero'
    ? 'foreign_operator_by_country'
    : driving;
}
