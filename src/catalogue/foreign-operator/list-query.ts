/** The list of operators as SQL (contract section 4): which index drives it, and what is asked of each row. */
import type { Db } from '../../db/open.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf, foldedOf } from '../list-query.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { contentSelected } from '../members/member.ts';
import type { OperatorFilter } from './filter.ts';
import type { PrintedOperator } from './record.ts';

export const PRINTED_COLUMNS = `v.codigo, v.codigo_pais AS codigoPais, v.situacao, v.family, v.rectification,
  ${contentSelected(OPERATOR, 'v')}`;

/** The query of a filter of the company with that number; its rows are in the order of the number in `codigo`. */
export function operatorQuery(filter: OperatorFilter, companyId: number): Query {
  const where = operatorConditions(filter, companyId);
  // The inner query orders keys; the rows with their texts are fetched one by one, so memory stays bounded.
  const sql = `SELECT ${PRINTED_COLUMNS}
    FROM (SELECT o.id FROM foreign_operator o INDEXED BY ${drivingIndex(filter)}
          WHERE ${where.sql} ORDER BY o.numero, o.codigo LIMIT -1) q
    CROSS JOIN foreign_operator v ON v.id = q.id`;
  return { sql, parameters: where.parameters };
}

/** What a filter asks of an operator `o`. */
export function operatorConditions(filter: OperatorFilter, companyId: number): Conditions {
  const where = new Conditions();
  where.add('o.company_id = ?', companyId);
  where.when(filter.codigo, 'o.codigo = ?');
  where.when(filter.tin, 'o.tin = ?');
  where.when(filter.codigoInterno, 'o.codigo_interno = ?');
  where.when(filter.paisOrigem, 'o.codigo_pais = ?');
  if (filter.withoutDeactivated) where.add("o.situacao = 'ATIVADO'");
  where.when(foldedOf(filter.nome), 'instr(o.nome_folded, ?) > 0');
  return where;
}

/** The most selective filter drives; SQLite alone, without statistics, would often take another. */
export function drivingIndex({ codigo, tin, codigoInterno, paisOrigem }: OperatorFilter): string {
  if (codigo !== undefined) return 'foreign_operator_by_codigo';
  if (tin !== undefined) return 'foreign_operator_by_tin';
  if (codigoInterno !== undefined) return 'foreign_operator_by_internal_code';
  return paisOrigem !== undefined ? 'foreign_operator_by_country' : 'foreign_operator_by_numero';
}

/** Runs the query on a reading connection. */
export function iterateOperators(db: Db, filter: OperatorFilter): IterableIterator<PrintedOperator> {
  const { sql, parameters } = operatorQuery(filter, companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY);
  return db.prepare<Parameter[], PrintedOperator>(sql).iterate(...parameters);
}
