/** The list of products as SQL (contract section 5): which index drives it, and what is asked of each row. */
import type { Db } from '../../db/open.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import { KEYS_OF_COMPANY, keyIn } from '../versioned/model.ts';
import { asOfQuery } from './as-of-list-query.ts';
import {
  HAS_INTERNAL_CODE,
  IS_OF_INTERNAL_CODES,
  type KeyRange,
  type ProductFilter,
  addAsked,
  addLinkColumns,
  isLinked,
  printed,
  withAnyZeros,
} from './asked-list-query.ts';
import type { PrintedProduct } from './record.ts';

export type { ProductFilter } from './asked-list-query.ts';

/** The query of a filter of the company with that number; its rows are in the order of `codigo`. */
export function productQuery(filter: ProductFilter, companyId: number, keys = keysOf(companyId)): Query {
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
  const query = (range: KeyRange) => productQuery(filter, companyId, range);
  const products = db.prepare<Parameter[], PrintedProduct>(query({ after: 0, upTo: 0 }).sql);
  for (const range of stretches(db, companyId)) {
    yield* products.iterate(...query(range).parameters);
    yield undefined;
  }
}

/** All keys of a company, so many products at a time. */
export function* stretches(db: Db, companyId: number): Generator<KeyRange> {
  const stretchEnd = db.prepare<[number, number], number>(STRETCH_END).pluck();
  const { after: first, upTo } = keysOf(companyId);
  for (let after = first; ;) {
    const end = stretchEnd.get(after, upTo);
    yield { after, upTo: end ?? upTo };
    if (end === undefined) return;
    after = end;
  }
}

export const keysOf = (companyId: number): KeyRange => ({
  after: keyIn(companyId, 0),
  upTo: keyIn(companyId, KEYS_OF_COMPANY - 1),
});

/** Nothing drives but the company: also where only few are found, all of its products are looked at. */
export function looksThroughAll(filter: ProductFilter): boolean {
  if (filter.codigo !== undefined) return false;
  return filter.asOf !== undefined || drivingFilter(filter) === undefined;
}

/** The most selective filter drives, by an index of its own; SQLite alone, without statistics, would often take another. */
function drivingFilter(filter: ProductFilter): Driving | undefined {
  if (filter.codigo !== undefined) return undefined;
  if (filter.codigoInterno !== undefined) return 'codigoInterno';
  if (filter.internalCode !== undefined) return 'internalCode';
  if (filter.ncm !== undefined) return 'ncm';
  if (isLinked(filter)) return 'link';
  if (filter.registeredFrom !== undefined || filter.registeredBefore !== undefined) return 'registration';
  if (filter.changedFrom !== undefined || filter.changedBefore !== undefined) return 'change';
  if (filter.deactivatedBySystem === true) return 'situacao';
  // Most are ATIVADO: that they are is no help.
  return filter.situacao === undefined || filter.situacao === 'ATIVADO' ? undefined : 'situacao';
}

type Driving = 'codigoInterno' | 'internalCode' | 'ncm' | 'link' | 'registration' | 'change' | 'situacao';

function currentQuery(filter: ProductFilter, companyId: number, keys: KeyRange): Query {
  const { source, where, isDriven } = currentSource(filter, companyId, keys);
  const { parameters } = where;
  if (!isDriven)
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

/** The products `p` of a filter as they are now: what is gone through to find them, and what is asked of each. */
export function currentSource(filter: ProductFilter, companyId: number, keys: KeyRange) {
  const driving = drivingFilter(filter);
  const where = new Conditions();
  const source = driving === undefined ? 'product p' : driveBy(driving, filter, companyId, where);
  where.add('p.id > +? AND p.id <= +?', keys.after, keys.upTo);
  where.when(filter.codigo, `p.id = ${companyId} * ${KEYS_OF_COMPANY} + ?`);
  if (driving !== 'codigoInterno') where.when(filter.codigoInterno, HAS_INTERNAL_CODE);
  if (filter.internalCode !== undefined)
    where.add(IS_OF_INTERNAL_CODES, companyId, JSON.stringify(withAnyZeros(filter.internalCode)));
  where.when(filter.ncm, 'p.ncm = ?');
  addAsked(filter, companyId, where);
  return { source, where, isDriven: driving !== undefined };
}

/** The source that is driven, whose conditions are added. */
function driveBy(driving: Driving, filter: ProductFilter, companyId: number, where: Conditions): string {
  switch (driving) {
    case 'codigoInterno':
      where.add('c.company_id = ?', companyId);
      where.when(filter.codigoInterno, 'c.codigo_interno = ?');
      return 'product_internal_code c CROSS JOIN product p ON p.id = c.product_id';
    // Asked of every product anyway, by its key.
    case 'internalCode':
      return 'product p';
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
