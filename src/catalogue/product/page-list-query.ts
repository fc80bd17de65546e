/**
 * A page of products as SQL (contract section 14). First the keys of its products are found in the order that is asked for:
 * by walking an index that has that order, or by looking through what the filter leaves. Then their rows are fetched.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, type Parameter, type Query, companyIdOf } from '../list-query.ts';
import type { Page } from '../paging/model.ts';
import { asOfQuery } from './as-of-list-query.ts';
import { type ProductFilter, type KeyRange } from './asked-list-query.ts';
import { countProducts } from './count-list-query.ts';
import { currentSource, keysOf, looksThroughAll, productQuery, stretches } from './list-query.ts';
import type { ProductOrder } from './model.ts';
import { type Asked, type Place, beginningOf, comparing, endAt } from './place-list-query.ts';
import type { PrintedProduct } from './record.ts';
import { isWalked, walk } from './walk-list-query.ts';

export type PagedProduct = PrintedProduct & { readonly changedAt: number };

/** Reads a page on a reading connection; yields where others may have their turn. */
export function* productPage(
  db: Db,
  filter: ProductFilter,
  asked: Asked,
): Generator<undefined, Page<PagedProduct>> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const places = isWalked(filter, asked)
    ? yield* walk(db, filter, companyId, asked)
    : yield* lookThrough(db, filter, companyId, asked);
  const shown = places.slice(0, asked.limit);
  const last = shown.at(-1);
  const hasMore = last !== undefined && places.length > shown.length;
  const { total, isExact } =
    hasMore || asked.after !== undefined
      ? yield* countProducts(db, filter, companyId)
      : { total: shown.length, isExact: true };
  return {
    rows: fetchRows(db, filter, companyId, shown),
    next: hasMore ? endAt(last, asked) : undefined,
    total: Math.max(total, shown.length),
    totalIsExact: isExact,
  };
}

function fetchRows(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  places: readonly Place[],
): PagedProduct[] {
  const { cpfCnpjRaiz, asOf } = filter;
  const query = ({ id }: Place) =>
    productQuery({ cpfCnpjRaiz, ...(asOf && { asOf }) }, companyId, { after: id - 1, upTo: id });
  const [first] = places;
  if (first === undefined) return [];
  const row = db.prepare<Parameter[], PrintedProduct>(query(first).sql);
  const changedAt = db.prepare<[number], number>('SELECT changed_at FROM product WHERE id = ?').pluck();
  return places.map((place) => ({
    ...(row.get(...query(place).parameters) as PrintedProduct),
    changedAt: changedAt.get(place.id) as number,
  }));
}

/** What a product is ordered by; a draft without an NCM stands before all that have one. */
const KEYS: Readonly<Record<ProductOrder, { readonly current: string; readonly asOf: string }>> = {
  codigo: { current: '0', asOf: '0' },
  denominacao: { current: 'p.denominacao_folded', asOf: 'folded(denominacao)' },
  ncm: { current: "ifnull(p.ncm, '')", asOf: "ifnull(ncm, '')" },
  changedAt: { current: 'p.changed_at', asOf: 'changedAt' },
};

/** Of each stretch of products, or of all that the filter's index finds, as many as a page takes: the first of them stay. */
function* lookThrough(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  asked: Asked,
): Generator<undefined, Place[]> {
  const start = beginningOf(asked, companyId);
  const query = (keys: KeyRange) => stretchQuery(filter, companyId, asked, start, keys);
  const stretch = db.prepare<Parameter[], Place>(query(keysOf(companyId)).sql);
  const ranges = looksThroughAll(filter) ? stretches(db, companyId) : [keysOf(companyId)];
  let first: Place[] = [];
  for (const keys of ranges) {
    const found = stretch.all(...query(keys).parameters);
    if (found.length > 0)
      first = [...first, ...found].sort(comparing(asked.order.isDescending)).slice(0, asked.limit + 1);
    yield undefined;
  }
  return first;
}

/** The first products of a range of keys, in the order of the page, behind its beginning. */
export function stretchQuery(
  filter: ProductFilter,
  companyId: number,
  { order, limit }: Asked,
  start: Place | undefined,
  keys: KeyRange,
): Query {
  const direction = order.isDescending ? 'DESC' : 'ASC';
  const { from, key, id, parameters } = candidates(filter, companyId, order.by, keys);
  const behind = start === undefined ? '' : `AND (${key}, ${id}) ${order.isDescending ? '<' : '>'} (?, ?)`;
  return {
    sql: `SELECT ${id} AS id, ${key} AS key FROM ${from} ${behind} ORDER BY key ${direction}, id ${direction} LIMIT ?`,
    parameters: [...parameters, ...(start === undefined ? [] : [start.key, start.id]), limit + 1],
  };
}

function candidates(filter: ProductFilter, companyId: number, by: ProductOrder, keys: KeyRange) {
  if (filter.asOf !== undefined) {
    const { sql, parameters } = asOfQuery(filter, filter.asOf, companyId, keys);
    return { from: `(${sql}) WHERE TRUE`, key: KEYS[by].asOf, id: 'id', parameters };
  }
  const { source, where } = currentSource(filter, companyId, keys);
  const { parameters } = where;
  return { from: `${source} WHERE ${where.sql}`, key: KEYS[by].current, id: 'p.id', parameters };
}
