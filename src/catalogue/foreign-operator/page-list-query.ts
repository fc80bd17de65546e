/** A page of operators as SQL (contract section 14). */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import { pageOfRows } from '../paging/list-query.ts';
import { EVERY_ROW, type Page, type PageEnd, type PageRequest } from '../paging/model.ts';
import type { OperatorFilter } from './filter.ts';
import { PRINTED_COLUMNS, drivingIndex, operatorConditions } from './list-query.ts';
import type { OperatorOrder } from './model.ts';
import type { PrintedOperator } from './record.ts';

/** What orders a list before its codes do. */
const COLUMNS: Readonly<Record<OperatorOrder, readonly string[]>> = {
  codigo: [],
  nome: ['o.nome_folded'],
  codigoPais: ['o.codigo_pais'],
  changedAt: ['o.changed_at'],
};
const CODE = ['o.numero', 'o.codigo'];

type OperatorPageRequest = PageRequest<OperatorOrder>;

export interface PagedOperator extends PrintedOperator {
  readonly changedAt: number;
}

interface Row extends PagedOperator {
  readonly numero: number;
  readonly nomeFolded: string;
}

/** Reads a page on a reading connection. */
export function operatorPage(
  db: Db,
  filter: OperatorFilter,
  asked: OperatorPageRequest,
): Page<PagedOperator> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = operatorPageQuery(filter, companyId, asked);
  const rows = db.prepare<Parameter[], Row>(sql).all(...parameters);
  const where = operatorConditions(filter, companyId);
  return pageOfRows(db, asked, rows, (last) => endAt(last, asked), {
    sql: `foreign_operator o INDEXED BY ${drivingIndex(filter)} WHERE ${where.sql}`,
    parameters: where.parameters,
  });
}

/** Every operator in an order; the rows are fetched one by one. */
export function operatorsInOrder(
  db: Db,
  filter: OperatorFilter,
  order: OperatorPageRequest['order'],
): Iterable<PagedOperator> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = operatorPageQuery(filter, companyId, { ...EVERY_ROW, order });
  return db.prepare<Parameter[], PagedOperator>(sql).iterate(...parameters);
}

function endAt(
  { nomeFolded, codigoPais, changedAt, numero, codigo }: Row,
  { order }: OperatorPageRequest,
): PageEnd {
  const code = [numero, codigo];
  switch (order.by) {
    case 'nome':
      return [nomeFolded, ...code];
    case 'codigoPais':
      return [codigoPais, ...code];
    case 'changedAt':
      return [changedAt, ...code];
    case 'codigo':
      return code;
  }
}

/** The query of a page, and of one operator behind it. */
export function operatorPageQuery(
  filter: OperatorFilter,
  companyId: number,
  { order, after, limit }: OperatorPageRequest,
): Query {
  const where = operatorConditions(filter, companyId);
  const columns = [...COLUMNS[order.by], ...CODE];
  if (after !== undefined)
    where.add(
      `(${columns.join(', ')}) ${order.isDescending ? '<' : '>'} (${after.map(() => '?').join(', ')})`,
      ...after,
    );
  const direction = order.isDescending ? ' DESC' : '';
  // The inner query orders keys; the rows with their texts are fetched one by one.
  const sql = `SELECT ${PRINTED_COLUMNS}, v.changed_at AS changedAt, v.numero, v.nome_folded AS nomeFolded
    FROM (SELECT o.id FROM foreign_operator o INDEXED BY ${indexFor(filter, order.by)} WHERE ${where.sql}
          ORDER BY ${columns.map((column) => column + direction).join(', ')} LIMIT ?) q
    CROSS JOIN foreign_operator v ON v.id = q.id`;
  return { sql, parameters: [...where.parameters, limit + 1] };
}

/** The order of countries has an index, where no filter has a better one. */
function indexFor(filter: OperatorFilter, by: OperatorOrder): string {
  const driving = drivingIndex(filter);
  return by === 'codigoPais' && driving === 'foreign_operator_by_numero'
    ? 'foreign_operator_by_country'
    : driving;
}
