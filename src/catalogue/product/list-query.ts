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

/** Only products with a greater `codigo` than `after`, and none greater than `upTo`. */
export interface CodigoRange {
  readonly after: number;
  readonly upTo: number;
}

/** The query of a filter; its rows are in the order of `codigo`. */
export function productQuery(filter: ProductFilter, range?: CodigoRange): Query {
  return filter.asOf === undefined ? currentQuery(filter, range) : asOfQuery(filter, filter.asOf, range);
}

/** Products that are looked through at a time: some 15 ms, however few of them are found; each stretch is planned anew. */
export const LOOKED_THROUGH = 5000;

/** The end of a stretch of so many products; nothing where fewer are left. */
export const STRETCH_END = `SELECT codigo FROM product INDEXED BY product_by_codigo
  WHERE cpf_cnpj_raiz = ? AND codigo > ? ORDER BY codigo LIMIT 1 OFFSET ${LOOKED_THROUGH - 1}`;

/**
 * Runs the query on a reading connection. What goes through all products of a company goes stretch by stretch, each of
 * which ends with `undefined`: others may have their turn there, although nothing was found.
 */
export function* iterateProducts(db: Db, filter: ProductFilter): Generator<PrintedProduct | undefined> {
  if (!looksThroughAll(filter)) {
    const { sql, parameters } = productQuery(filter);
    yield* db.prepare<Parameter[], PrintedProduct>(sql).iterate(...parameters);
    return;
  }
  const stretchEnd = db.prepare<[string, number], number>(STRETCH_END).pluck();
  const query = (range: CodigoRange) => productQuery(filter, range);
  const products = db.prepare<Parameter[], PrintedProduct>(query({ after: 0, upTo: 0 }).sql);
  for (let after = 0; ;) {
    const end = stretchEnd.get(filter.cpfCnpjRaiz, after);
    const upTo = end ?? Number.MAX_SAFE_INTEGER;
    yield* products.iterate(...query({ after, upTo }).parameters);
    if (end === undefined) return;
    yield undefined;
    after = end;
  }
}

/** Nothing drives but the company: also where only few are found, all of its products are looked at. */
function looksThroughAll(filter: ProductFilter): boolean {
  if (filter.codigo !== undefined) return false;
  return filter.asOf !== undefined || drivingFilter(filter) === undefined;
}

/** The most selective filter drives, by an index of its own; SQLite alone, without statistics, would often take another. */
function drivingFilter(filter: ProductFilter): Driving | undefined {
  if (filter.codigoInterno !== undefined) return 'codigoInterno';
  if (filter.ncm !== undefined) return 'ncm';
  if (isLinked(filter)) return 'link';
  if (filter.registeredFrom !== undefined || filter.registeredBefore !== undefined) return 'registration';
  if (filter.changedFrom !== undefined || filter.changedBefore !== undefined) return 'change';
  if (filter.situacao !== undefined) return 'situacao';
  return filter.modalidade === undefined ? undefined : 'modalidade';
}

type Driving = 'codigoInterno' | 'ncm' | 'link' | 'registration' | 'change' | 'situacao' | 'modalidade';

function addRange(range: CodigoRange | undefined, where: Conditions): void {
  if (range !== undefined) where.add('p.codigo > +? AND p.codigo <= +?', range.after, range.upTo);
}

function currentQuery(filter: ProductFilter, range: CodigoRange | undefined): Query {
  const where = new Conditions();
  const source = driveBy(filter, where);
  addRange(range, where);
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

/** The source that is driven, whose conditions are added. */
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
  const driving = drivingFilter(filter);
  if (driving === 'codigoInterno' && filter.codigoInterno !== undefined) {
    where.add('c.cpf_cnpj_raiz = ? AND c.codigo_interno = ?', cpfCnpjRaiz, filter.codigoInterno);
    return 'product_internal_code c CROSS JOIN product p ON p.id = c.product_id';
  }
  if (driving === 'link') {
    const linked = new Conditions();
    linked.add('l.cpf_cnpj_raiz = ?', cpfCnpjRaiz);
    addLinkColumns(filter, linked);
    where.add(
      `p.id IN (SELECT l.product_id FROM manufacturer_link l WHERE ${linked.sql} AND l.unlinked_at IS NULL)`,
      ...linked.parameters,
    );
    return 'product p';
  }
  return ofCompany(driving === undefined ? 'product_by_codigo' : `product_by_${driving}`);
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
function asOfQuery(
  filter: ProductFilter,
  { day, endsBefore }: NonNullable<ProductFilter['asOf']>,
  range: CodigoRange | undefined,
): Query {
  const where = new Conditions();
  where.add('p.cpf_cnpj_raiz = ?', filter.cpfCnpjRaiz);
  addRange(range, where);
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
