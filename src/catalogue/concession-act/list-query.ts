/** Selects the concession acts of a company as SQL (contract section 4). */
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
import type { ConcessionAct } from './model.ts';

/** Filter of a company's acts; an absent member filters nothing. */
export interface ConcessionActFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigoProduto?: number;
}

/** Returns the query of a filter; its rows are in the order of the primary key. */
export function concessionActQuery({ codigoProduto }: ConcessionActFilter, companyId: number): Query {
  const where = new Conditions();
  if (codigoProduto !== undefined) where.add('product_id = +?', keyIn(companyId, codigoProduto));
  else where.add('product_id > ? AND product_id < ?', keyIn(companyId, 0), keyIn(companyId + 1, 0));
  const sql = `SELECT product_id % ${KEYS_OF_COMPANY} AS codigoProduto, numero_ato AS numeroAto, numero_item AS numeroItem
    FROM concession_act WHERE ${where.sql} ORDER BY product_id, numero_ato, numero_item`;
  return { sql, parameters: where.parameters };
}

/** Runs the query on a read connection. */
export function* iterateConcessionActs(db: Db, filter: ConcessionActFilter): Generator<ConcessionAct> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz);
  if (companyId === undefined) return;
  const { sql, parameters } = concessionActQuery(filter, companyId);
  yield* db.prepare<Parameter[], ConcessionAct>(sql).iterate(...parameters);
}
