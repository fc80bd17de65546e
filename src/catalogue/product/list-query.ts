/** Builds the list of products as SQL (contract section 5), for now or for the end of a day. */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Statement } from '../../db/statement.ts';
import { endOfDay } from '../../validation/calendar.ts';
import { Conditions, NO_COMPANY, type Parameter, type Query, companyIdOf, countOf } from '../list-query.ts';
import { contentSelected } from '../members/member.ts';
import { PRODUCT } from '../members/product.ts';
import { KEYS_OF_COMPANY, type KeyRange, keysOf } from '../versioned/model.ts';
import { addConditions, directFilter, drivingSource, keyOf, situacaoOnDay } from './filter-list-query.ts';
import type { ProductFilter } from './filter.ts';
import type { PrintedProduct } from './record.ts';

export interface ListedProduct extends PrintedProduct {
  readonly changedAt: number;
}

/** Columns that a record prints from a row `t`; its change time and situation are selected separately. */
const printedColumns = (t: string, key = `${t}.id`): string =>
  `${key} % ${KEYS_OF_COMPANY} AS codigo, ${t}.family, ${t}.rectification, ${contentSelected(PRODUCT, t)}`;

const currentColumns = (t: string): string =>
  `${printedColumns(t)}, ${t}.changed_at AS changedAt, ${t}.situacao`;

const SELECT_P = `SELECT ${currentColumns('p')}`;
const SELECT_V = `SELECT ${currentColumns('v')}`;

/** Returns the query of a filter for the company with that number; its rows are in the order of `codigo`. */
export function productQuery(filter: ProductFilter, companyId: number, keys = keysOf(companyId)): Query {
  const { dataReferencia } = filter;
  if (dataReferencia !== undefined) return asOfQuery(filter, dataReferencia, companyId, keys);
  const { sql: source, parameters } = productSource(filter, companyId, keys);
  // The inner query orders keys; the rows with their texts are fetched one by one, so memory stays bounded.
  const sql = readsAll(filter)
    ? `${SELECT_P} FROM ${source} ORDER BY p.id`
    : `${SELECT_V} FROM (SELECT p.id FROM ${source} ORDER BY p.id LIMIT -1) q
       CROSS JOIN product v ON v.id = q.id`;
  return { sql, parameters };
}

/**
 * Returns the products `p` of a filter, unordered: the text after FROM. For a day they have the columns of
 * the list.
 */
export function productSource(filter: ProductFilter, companyId: number, keys: KeyRange): Query {
  const { dataReferencia } = filter;
  if (dataReferencia !== undefined) {
    const { sql, parameters } = asOfQuery(filter, dataReferencia, companyId, keys);
    return { sql: `(${sql}) p WHERE TRUE`, parameters };
  }
  const where = new Conditions();
  where.add(...(drivingSource(filter, companyId) ?? ['product p WHERE TRUE']));
  where.add('p.id > +? AND p.id <= +?', keys.after, keys.upTo);
  addConditions(where, filter, { t: 'p', companyId });
  return where;
}

/**
 * For a day the filter applies to the version then in force: the current one, or at most one past version.
 * Both walks are already in key order, and are merged.
 */
function asOfQuery(filter: ProductFilter, day: Day, companyId: number, keys: KeyRange): Query {
  const endsBefore = endOfDay(day);
  const inForce = (t: 'p' | 'v', source: string, ...until: Day[]): Query => {
    const key = keyOf(t);
    const where = new Conditions();
    where.add(
      `SELECT ${key} AS id, ${printedColumns(t, key)}, p.changed_at AS changedAt, ${situacaoOnDay(t)} AS situacao FROM ${source}`,
      endsBefore,
      ...until,
    );
    where.add(`${key} > +? AND ${key} <= +?`, keys.after, keys.upTo);
    where.add(`${t}.starts_on <= ?`, day);
    // A draft is edited in place: its content on a day is unknown, so it is absent until its activation.
    where.add(`(${t}.draft_until IS NULL OR ${t}.draft_until < ?)`, endsBefore);
    addConditions(where, filter, { t, companyId, day });
    return where;
  };
  const current = inForce('p', 'product p WHERE TRUE');
  const past = inForce(
    'v',
    `product_version v INDEXED BY product_version_in_force CROSS JOIN product p ON p.id = v.record_id
      WHERE v.until_day > ? AND v.until_day IS NOT NULL`,
    day,
  );
  return {
    sql: `${current.sql} UNION ALL ${past.sql} ORDER BY id`,
    parameters: [...current.parameters, ...past.parameters],
  };
}

/** Returns true if no filter has an index: all products of the company are read, even for few matches. */
export const readsAll = (filter: ProductFilter): boolean =>
  filter.dataReferencia === undefined
    ? drivingSource(filter, NO_COMPANY) === undefined
    : filter.codigo === undefined;

/**
 * Counts the products that the index of the filter leads to, at most `limit`. `undefined`: no filter leads to
 * single products. The other filters may leave fewer.
 */
export function countDirect(db: Db, filter: ProductFilter, limit: number): number | undefined {
  const direct = directFilter(filter);
  if (direct === undefined) return undefined;
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { sql, parameters } = productSource(direct, companyId, keysOf(companyId));
  return countOf(db, `(SELECT 1 FROM ${sql} LIMIT ${limit})`, parameters);
}

/**
 * Runs the query on a read connection. A query over all products of a company runs in stretches; each ends
 * with `undefined`, which lets other reads run, even without matches.
 */
export function* iterateProducts(db: Db, filter: ProductFilter): Generator<ListedProduct | undefined> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const inStretches = readsAll(filter);
  let products: Statement<Parameter[], ListedProduct> | undefined;
  for (const keys of stretches(db, filter, companyId)) {
    const { sql, parameters } = productQuery(filter, companyId, keys);
    products ??= db.prepare<Parameter[], ListedProduct>(sql);
    yield* products.iterate(...parameters);
    if (inStretches) yield undefined;
  }
}

/** Products read at a time: some 15 ms, even for few matches; each stretch is a new query. */
export const STRETCH_PRODUCTS = 5000;

/** Selects the end of a stretch of this size; no row if fewer products remain. */
export const STRETCH_END = `SELECT id FROM product
  WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ${STRETCH_PRODUCTS - 1}`;

/** Yields the keys of a company: all at once if an index finds few products, else in stretches. */
export function* stretches(db: Db, filter: ProductFilter, companyId: number): Generator<KeyRange> {
  const { after: first, upTo } = keysOf(companyId);
  if (!readsAll(filter)) return yield { after: first, upTo };
  const stretchEnd = db.prepare<[number, number], number>(STRETCH_END).pluck();
  for (let after = first; ;) {
    const end = stretchEnd.get(after, upTo);
    yield { after, upTo: end ?? upTo };
    if (end === undefined) return;
    after = end;
  }
}
