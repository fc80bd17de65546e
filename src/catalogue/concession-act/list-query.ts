/** The concession acts of a company as SQL (contract section 4). */
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query } from '../list-query.ts';
import type { ConcessionAct } from './model.ts';

/** What is asked of the acts of a company; an absent member asks nothing. */
export interface ConcessionActFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigoProduto?: number;
}

/** The query of a filter; its rows are in the order of the primary key. */
export function concessionActQuery({ cpfCnpjRaiz, codigoProduto }: ConcessionActFilter): Query {
  const where = new Conditions();
  where.add('cpf_cnpj_raiz = ?', cpfCnpjRaiz);
  where.when(codigoProduto, 'codigo_produto = ?');
  const sql = `SELECT codigo_produto AS codigoProduto, numero_ato AS numeroAto, numero_item AS numeroItem
    FROM concession_act WHERE ${where.sql} ORDER BY codigo_produto, numero_ato, numero_item`;
  return { sql, parameters: where.parameters };
}

/** Runs the query on a reading connection. */
export function iterateConcessionActs(db: Db, filter: ConcessionActFilter): IterableIterator<ConcessionAct> {
  const { sql, parameters } = concessionActQuery(filter);
  return db.prepare<Parameter[], ConcessionAct>(sql).iterate(...parameters);
}
