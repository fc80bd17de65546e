/** The list of products as SQL (contract section 5): which index drives it, and what is asked of each row. */
import type { Day, EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query, foldedOf } from '../list-query.ts';
import type { Situacao } from './model.ts';
import type { PrintedProduct } from './record.ts';

/** What is asked of the products of a company; absent members ask nothing. */
export interface ProductFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigo?: number;
  readonly codigoInterno?: string;
  readonly descricao?: string;
  readonly denominacao?: string;
  readonly ncm?: string;
  readonly registeredFrom?: EpochMs;
  readonly registeredBefore?: EpochMs;
  readonly changedFrom?: EpochMs;
  readonly changedBefore?: EpochMs;
  readonly situacao?: Situacao;
  readonly withoutDeactivated?: boolean;
  readonly modalidade?: string;
  readonly paisOrigem?: string;
  readonly cpfCnpjFabricante?: string;
  readonly operadorEstrangeiroCodigo?: string;
  /** Products as they stood at the end of this day, which ends before `endsBefore`. */
  readonly asOf?: { readonly day: Day; readonly endsBefore: EpochMs };
}

/** The query of a filter; its rows are in the order of `codigo`. */
export function productQuery(filter: ProductFilter): Query {
  return filter.asOf === undefined ? currentQuery(filter) : asOfQuery(filter, filter.asOf);
}

/** Runs the query on a reading connection. */
export function iterateProducts(db: Db, filter: ProductFilter): IterableIterator<PrintedProduct> {
  const { sql, parameters } = productQuery(filter);
  return db.prepare<Parameter[], PrintedProduct>(sql).iterate(...parameters);
}

function currentQuery(filter: ProductFilter): Query {
  const where = new Conditions();
  const source = driveBy(filter, where);
  where.when(filter.codigo, 'p.codigo = ?');
  where.when(filter.ncm, 'p.ncm = ?');
  where.when(filter.situacao, 'p.situacao = ?');
  if (filter.withoutDeactivated === true) where.add("p.situacao <> 'DESATIVADO'");
  where.when(filter.modalidade, 'p.modalidade = ?');
  addPeriods(filter, where);
  where.when(foldedOf(filter.denominacao), 'instr(p.denominacao_folded, ?) > 0');
  where.when(foldedOf(filter.descricao), 'instr(p.descricao_folded, ?) > 0');
  addLinks(filter, where, 'l.unlinked_at IS NULL', []);
  // The inner query orders small rows; the texts of a version are fetched one by one, so memory stays bounded.
  const sql = `SELECT q.codigo, v.family, v.rectification, q.situacao, v.denominacao, v.descricao, v.modalidade, v.ncm, v.lists
    FROM (SELECT p.codigo, p.situacao, p.current_version FROM ${source} WHERE ${where.sql} ORDER BY p.codigo LIMIT -1) q
    CROSS JOIN product_version v ON v.id = q.current_version`;
  return { sql, parameters: where.parameters };
}

/**
 * The most selective filter drives, by an index of its own; SQLite alone, without statistics, would often take another.
 * Adds the conditions that the chosen source needs.
 */
function driveBy(filter: ProductFilter, where: Conditions): string {
  const { cpfCnpjRaiz } = filter;
  const ofCompany = (index: string): string => {
    where.add('p.cpf_cnpj_raiz = ?', cpfCnpjRaiz);
    return `product p INDEXED BY ${index}`;
  };
  if (filter.codigo !== undefined) {
    const source = ofCompany('product_by_codigo');
    where.when(filter.codigoInterno, HAS_INTERNAL_CODE);
    return source;
  }
  if (filter.codigoInterno !== undefined) {
    where.add('c.cpf_cnpj_raiz = ? AND c.codigo_interno = ?', cpfCnpjRaiz, filter.codigoInterno);
    return 'product_internal_code c CROSS JOIN product p ON p.id = c.product_id';
  }
  if (filter.ncm !== undefined) return ofCompany('product_by_ncm');
  if (isLinked(filter)) {
    const linked = new Conditions();
    linked.add('l.cpf_cnpj_raiz = ?', cpfCnpjRaiz);
    addLinkColumns(filter, linked);
    where.add(
      `p.id IN (SELECT l.product_id FROM manufacturer_link l WHERE ${linked.sql} AND l.unlinked_at IS NULL)`,
      ...linked.parameters,
    );
    return 'product p';
  }
  if (filter.registeredFrom !== undefined || filter.registeredBefore !== undefined)
    return ofCompany('product_by_registration');
  if (filter.changedFrom !== undefined || filter.changedBefore !== undefined)
    return ofCompany('product_by_change');
  if (filter.situacao !== undefined) return ofCompany('product_by_situacao');
  if (filter.modalidade !== undefined) return ofCompany('product_by_modalidade');
  return ofCompany('product_by_codigo');
}

const HAS_INTERNAL_CODE = `EXISTS (SELECT 1 FROM product_internal_code c
  WHERE c.cpf_cnpj_raiz = p.cpf_cnpj_raiz AND c.codigo_interno = ? AND c.product_id = p.id)`;

function isLinked({ paisOrigem, cpfCnpjFabricante, operadorEstrangeiroCodigo }: ProductFilter): boolean {
  return (paisOrigem ?? cpfCnpjFabricante ?? operadorEstrangeiroCodigo) !== undefined;
}

/** One of the link filters, the most selective, to drive a query. */
function addLinkColumns(filter: ProductFilter, where: Conditions): void {
  const { cpfCnpjRaiz, cpfCnpjFabricante, operadorEstrangeiroCodigo, paisOrigem } = filter;
  if (cpfCnpjFabricante !== undefined) where.add('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  else if (operadorEstrangeiroCodigo !== undefined)
    where.add(HAS_OPERATOR, operadorEstrangeiroCodigo, cpfCnpjRaiz, operadorEstrangeiroCodigo);
  else where.when(paisOrigem, 'l.codigo_pais = ?');
}

/** An operator is named by its code or by its TIN. */
const HAS_OPERATOR = `l.codigo_operador IN
  (SELECT ? UNION SELECT o.codigo FROM foreign_operator o WHERE o.cpf_cnpj_raiz = ? AND o.tin = ?)`;

function addPeriods(filter: ProductFilter, where: Conditions): void {
  where.when(filter.registeredFrom, 'p.registered_at >= ?');
  where.when(filter.registeredBefore, 'p.registered_at < ?');
  where.when(filter.changedFrom, 'p.changed_at >= ?');
  where.when(filter.changedBefore, 'p.changed_at < ?');
}

/** Each link filter alone: the product has some link like that, in force by `inForce`. */
function addLinks(
  filter: ProductFilter,
  where: Conditions,
  inForce: string,
  when: readonly Parameter[],
): void {
  const has = (condition: string, ...parameters: Parameter[]): void =>
    where.add(
      `EXISTS (SELECT 1 FROM manufacturer_link l WHERE l.product_id = p.id AND ${inForce} AND ${condition})`,
      ...when,
      ...parameters,
    );
  const { cpfCnpjRaiz, paisOrigem, cpfCnpjFabricante, operadorEstrangeiroCodigo: operator } = filter;
  if (paisOrigem !== undefined) has('l.codigo_pais = ?', paisOrigem);
  if (cpfCnpjFabricante !== undefined) has('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  if (operator !== undefined) has(HAS_OPERATOR, operator, cpfCnpjRaiz, operator);
}

/** The situation at the end of a day that ends before the parameter, which is taken twice. */
const SITUACAO_THEN = `CASE WHEN v.deactivated_at < ? THEN 'DESATIVADO' WHEN v.draft_until >= ? THEN 'RASCUNHO' ELSE 'ATIVADO' END`;

/** As of a day everything is asked of the version then in force. */
function asOfQuery(filter: ProductFilter, { day, endsBefore }: NonNullable<ProductFilter['asOf']>): Query {
  const where = new Conditions();
  where.add('p.cpf_cnpj_raiz = ?', filter.cpfCnpjRaiz);
  where.when(filter.codigo, 'p.codigo = ?');
  addPeriods(filter, where);
  where.add('w.from_day <= ? AND w.until_day > ?', day, day);
  where.when(filter.ncm, 'v.ncm = ?');
  where.when(filter.modalidade, 'v.modalidade = ?');
  if (filter.situacao !== undefined)
    where.add(`${SITUACAO_THEN} = ?`, endsBefore, endsBefore, filter.situacao);
  where.when(foldedOf(filter.denominacao), 'instr(folded(v.denominacao), ?) > 0');
  where.when(foldedOf(filter.descricao), 'instr(folded(v.descricao), ?) > 0');
  where.when(
    filter.codigoInterno,
    `EXISTS (SELECT 1 FROM json_each(v.lists, '$.codigosInterno') i WHERE i.value = ?)`,
  );
  addLinks(filter, where, 'l.starts_on <= ? AND (l.ends_on IS NULL OR l.ends_on > ?)', [day, day]);
  const sql = `SELECT p.codigo, v.family, v.rectification, ${SITUACAO_THEN} AS situacao, v.denominacao, v.descricao,
      v.modalidade, v.ncm, v.lists
    FROM product p INDEXED BY product_by_codigo
    CROSS JOIN product_validity w ON w.product_id = p.id
    CROSS JOIN product_version v ON v.id = w.version_id
    WHERE ${where.sql} ORDER BY p.codigo`;
  return { sql, parameters: [endsBefore, endsBefore, ...where.parameters] };
}
