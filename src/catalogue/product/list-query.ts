/** The list of products as SQL (contract section 5): which index drives it, and what is asked of each row. */
import type { Day, EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query, companyIdOf, foldedOf } from '../list-query.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
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

/** Only products of these keys: greater than `after`, none greater than `upTo`. */
export interface KeyRange {
  readonly after: number;
  readonly upTo: number;
}

/** What a record shows of a row `t`; its situation is asked for besides. */
const printed = (
  t: string,
  key = `${t}.id`,
): string => `${key} % ${KEYS_OF_COMPANY} AS codigo, ${t}.family, ${t}.rectification,
  ${t}.denominacao, ${t}.descricao, ${t}.modalidade, ${t}.ncm, ${t}.atributos,
  ${t}.atributos_multivalorados AS atributosMultivalorados, ${t}.atributos_compostos AS atributosCompostos,
  ${t}.atributos_compostos_multivalorados AS atributosCompostosMultivalorados, ${t}.codigos_interno AS codigosInterno`;

/** The keys of a company that has no number, because it does not exist. */
const NO_COMPANY = 0;

/** The query of a filter of the company with that number; its rows are in the order of `codigo`. */
export function productQuery(filter: ProductFilter, companyId: number, range?: KeyRange): Query {
  const keys = range ?? { after: keyIn(companyId, 0), upTo: keyIn(companyId, KEYS_OF_COMPANY - 1) };
  return filter.asOf === undefined
    ? currentQuery(filter, companyId, keys)
    : asOfQuery(filter, filter.asOf, companyId, keys);
}

/** Products that are looked through at a time: some 15 ms, however few of them are found; each stretch is planned anew. */
export const LOOKED_THROUGH = 5000;

/** The end of a stretch of so many products; nothing where fewer are left. */
export const STRETCH_END = `SELECT id FROM product
  WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ${LOOKED_THROUGH - 1}`;

/**
 * Runs the query on a reading connection. What goes through all products of a company goes stretch by stretch, each of
 * which ends with `undefined`: others may have their turn there, although nothing was found.
 */
export function* iterateProducts(db: Db, filter: ProductFilter): Generator<PrintedProduct | undefined> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  if (!looksThroughAll(filter)) {
    const { sql, parameters } = productQuery(filter, companyId);
    yield* db.prepare<Parameter[], PrintedProduct>(sql).iterate(...parameters);
    return;
  }
  const stretchEnd = db.prepare<[number, number], number>(STRETCH_END).pluck();
  const query = (range: KeyRange) => productQuery(filter, companyId, range);
  const products = db.prepare<Parameter[], PrintedProduct>(query({ after: 0, upTo: 0 }).sql);
  const last = keyIn(companyId, KEYS_OF_COMPANY - 1);
  for (let after = keyIn(companyId, 0); ;) {
    const end = stretchEnd.get(after, last);
    yield* products.iterate(...query({ after, upTo: end ?? last }).parameters);
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
  if (filter.codigo !== undefined) return undefined;
  if (filter.codigoInterno !== undefined) return 'codigoInterno';
  if (filter.ncm !== undefined) return 'ncm';
  if (isLinked(filter)) return 'link';
  if (filter.registeredFrom !== undefined || filter.registeredBefore !== undefined) return 'registration';
  if (filter.changedFrom !== undefined || filter.changedBefore !== undefined) return 'change';
  // Most are ATIVADO: that they are is no help.
  return filter.situacao === undefined || filter.situacao === 'ATIVADO' ? undefined : 'situacao';
}

type Driving = 'codigoInterno' | 'ncm' | 'link' | 'registration' | 'change' | 'situacao';

function currentQuery(filter: ProductFilter, companyId: number, keys: KeyRange): Query {
  const driving = drivingFilter(filter);
  const where = new Conditions();
  const source = driving === undefined ? 'product p' : driveBy(driving, filter, companyId, where);
  where.add('p.id > +? AND p.id <= +?', keys.after, keys.upTo);
  where.when(filter.codigo, `p.id = ${companyId} * ${KEYS_OF_COMPANY} + ?`);
  if (driving !== 'codigoInterno') where.when(filter.codigoInterno, HAS_INTERNAL_CODE);
  where.when(filter.ncm, 'p.ncm = ?');
  where.when(filter.situacao, 'p.situacao = ?');
  if (filter.withoutDeactivated === true) where.add("p.situacao <> 'DESATIVADO'");
  where.when(filter.modalidade, 'p.modalidade = ?');
  addPeriods(filter, where);
  where.when(foldedOf(filter.denominacao), 'instr(p.denominacao_folded, ?) > 0');
  where.when(foldedOf(filter.descricao), 'instr(p.descricao_folded, ?) > 0');
  addLinks(filter, companyId, where, 'l.unlinked_at IS NULL', []);
  const { parameters } = where;
  if (driving === undefined)
    return {
      sql: `SELECT ${printed('p')}, p.situacao FROM ${source} WHERE ${where.sql} ORDER BY p.id`,
      parameters,
    };
  // The inner query orders keys; the rows with their texts are fetched one by one, so memory stays bounded.
  const sql = `SELECT ${printed('v')}, v.situacao
    FROM (SELECT p.id FROM ${source} WHERE ${where.sql} ORDER BY p.id LIMIT -1) q
    CROSS JOIN product v ON v.id = q.id`;
  return { sql, parameters };
}

/** The source that is driven, whose conditions are added. */
function driveBy(driving: Driving, filter: ProductFilter, companyId: number, where: Conditions): string {
  switch (driving) {
    case 'codigoInterno':
      where.add('c.company_id = ?', companyId);
      where.when(filter.codigoInterno, 'c.codigo_interno = ?');
      return 'product_internal_code c CROSS JOIN product p ON p.id = c.product_id';
    case 'link': {
      const linked = new Conditions();
      addLinkColumns(filter, companyId, linked);
      linked.add('l.product_id > ? AND l.product_id < ?', keyIn(companyId, 0), keyIn(companyId + 1, 0));
      where.add(
        `p.id IN (SELECT l.product_id FROM manufacturer_link l WHERE ${linked.sql} AND l.unlinked_at IS NULL)`,
        ...linked.parameters,
      );
      return 'product p';
    }
    case 'change': {
      // What never changed stands in the index by registration alone.
      const [changed, unchanged] = [new Conditions(), new Conditions()];
      addBounds('changed_at', filter, changed);
      addBounds('registered_at', filter, unchanged);
      where.add(
        `p.id IN (SELECT id FROM product INDEXED BY product_by_change
            WHERE company_id = ? AND changed_at <> registered_at AND ${changed.sql}
          UNION ALL SELECT id FROM product INDEXED BY product_by_registration WHERE company_id = ? AND ${unchanged.sql})`,
        ...[companyId, ...changed.parameters, companyId, ...unchanged.parameters],
      );
      return 'product p';
    }
    case 'situacao':
      where.add("p.company_id = ? AND p.situacao <> 'ATIVADO'", companyId);
      return 'product p INDEXED BY product_by_situacao';
    default:
      where.add('p.company_id = ?', companyId);
      return `product p INDEXED BY product_by_${driving}`;
  }
}

/** The period of the last change, asked of a column. */
function addBounds(column: string, { changedFrom, changedBefore }: ProductFilter, where: Conditions): void {
  where.when(changedFrom, `${column} >= ?`);
  where.when(changedBefore, `${column} < ?`);
}

const HAS_INTERNAL_CODE = `EXISTS (SELECT 1 FROM product_internal_code c
  WHERE c.company_id = p.company_id AND c.codigo_interno = ? AND c.product_id = p.id)`;

function isLinked({ paisOrigem, cpfCnpjFabricante, operadorEstrangeiroCodigo }: ProductFilter): boolean {
  return (paisOrigem ?? cpfCnpjFabricante ?? operadorEstrangeiroCodigo) !== undefined;
}

/** One of the link filters, the most selective, to drive a query. */
function addLinkColumns(filter: ProductFilter, companyId: number, where: Conditions): void {
  const { cpfCnpjFabricante, operadorEstrangeiroCodigo, paisOrigem } = filter;
  if (cpfCnpjFabricante !== undefined) where.add('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  else if (operadorEstrangeiroCodigo !== undefined)
    where.add(HAS_OPERATOR, operadorEstrangeiroCodigo, companyId, operadorEstrangeiroCodigo);
  else where.when(paisOrigem, 'l.codigo_pais = ?');
}

/** An operator is named by its code or by its TIN. */
const HAS_OPERATOR = `l.codigo_operador IN
  (SELECT ? UNION ALL SELECT o.codigo FROM foreign_operator o INDEXED BY foreign_operator_by_tin WHERE o.company_id = ? AND o.tin = ?)`;

function addPeriods(filter: ProductFilter, where: Conditions): void {
  where.when(filter.registeredFrom, 'p.registered_at >= ?');
  where.when(filter.registeredBefore, 'p.registered_at < ?');
  where.when(filter.changedFrom, 'p.changed_at >= ?');
  where.when(filter.changedBefore, 'p.changed_at < ?');
}

/** Each link filter alone: the product has some link like that, in force by `inForce`. */
function addLinks(
  filter: ProductFilter,
  companyId: number,
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
  const { paisOrigem, cpfCnpjFabricante, operadorEstrangeiroCodigo: operator } = filter;
  if (paisOrigem !== undefined) has('l.codigo_pais = ?', paisOrigem);
  if (cpfCnpjFabricante !== undefined) has('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  if (operator !== undefined) has(HAS_OPERATOR, operator, companyId, operator);
}

/** The situation of a row at the end of a day that ends before the parameter, which is taken twice. */
const situacaoThen = (t: string): string =>
  `CASE WHEN ${t}.deactivated_at < ? THEN 'DESATIVADO' WHEN ${t}.draft_until >= ? THEN 'RASCUNHO' ELSE 'ATIVADO' END`;

/**
 * As of a day everything is asked of the version then in force: the current one, or else at most one of the past. The two
 * walks are in the order of keys already, and are merged.
 */
function asOfQuery(
  filter: ProductFilter,
  { day, endsBefore }: NonNullable<ProductFilter['asOf']>,
  companyId: number,
  keys: KeyRange,
): Query {
  const asOf = (t: 'p' | 'v', key: string, where: Conditions): Query => {
    where.add(`${key} > +? AND ${key} <= +?`, keys.after, keys.upTo);
    where.when(filter.codigo, `${key} = ${companyId} * ${KEYS_OF_COMPANY} + ?`);
    where.add(`${t}.starts_on <= ?`, day);
    addPeriods(filter, where);
    where.when(filter.ncm, `${t}.ncm = ?`);
    where.when(filter.modalidade, `${t}.modalidade = ?`);
    if (filter.situacao !== undefined)
      where.add(`${situacaoThen(t)} = ?`, endsBefore, endsBefore, filter.situacao);
    for (const text of ['denominacao', 'descricao'] as const)
      where.when(
        foldedOf(filter[text]),
        `instr(${t === 'p' ? `p.${text}_folded` : `folded(v.${text})`}, ?) > 0`,
      );
    where.when(
      filter.codigoInterno,
      `EXISTS (SELECT 1 FROM json_each(${t}.codigos_interno) i WHERE i.value = ?)`,
    );
    const inForce = 'l.starts_on <= ? AND (l.ends_on IS NULL OR l.ends_on > ?)';
    addLinks(filter, companyId, where, inForce, [day, day]);
    const sql = `SELECT ${key} AS id, ${printed(t, key)}, ${situacaoThen(t)} AS situacao`;
    return { sql, parameters: [endsBefore, endsBefore, ...where.parameters] };
  };
  const [now, then] = [new Conditions(), new Conditions()];
  const current = asOf('p', 'p.id', now);
  then.add('v.until_day > ? AND v.until_day IS NOT NULL', day);
  const past = asOf('v', 'v.record_id', then);
  const sql = `${current.sql} FROM product p WHERE ${now.sql} UNION ALL
    ${past.sql} FROM product_version v INDEXED BY product_version_in_force
      CROSS JOIN product p ON p.id = v.record_id WHERE ${then.sql} ORDER BY id`;
  return { sql, parameters: [...current.parameters, ...past.parameters] };
}
