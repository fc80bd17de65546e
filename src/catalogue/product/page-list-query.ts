/**
 * Builds a page of products as SQL (contract section 14). First it finds the keys in the requested order: by
 * walking an index with that order, or by reading all rows that match the filter. Then it fetches the rows.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, type Parameter, type Query, companyIdOf, countOf } from '../list-query.ts';
import type { Page } from '../paging/model.ts';
import { type KeyRange, SITUACOES, keysOf } from '../versioned/model.ts';
import type { ProductFilter } from './filter.ts';
import {
  LOOKED_THROUGH,
  type ListedProduct,
  iterateProducts,
  productQuery,
  productSource,
  stretches,
} from './list-query.ts';
import type { ProductOrder } from './model.ts';
import {
  type ProductPageRequest,
  type PagePosition,
  beginningOf,
  comparing,
  endAt,
  isWalked,
  walk,
} from './walk-list-query.ts';

/** Reads a page on a read connection; yields to let other reads run. */
export function* productPage(
  db: Db,
  filter: ProductFilter,
  request: ProductPageRequest,
): Generator<undefined, Page<ListedProduct>> {
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const { from = 0, limit } = request;
  const places = yield* placesOf(db, filter, companyId, { ...request, limit: from + limit });
  const pagePlaces = places.slice(from, from + limit);
  const last = pagePlaces.at(-1);
  const hasMore = last !== undefined && places.length > from + limit;
  const { total, totalIsExact } =
    hasMore || request.after !== undefined || from > 0
      ? yield* countProducts(db, filter, companyId)
      : { total: pagePlaces.length, totalIsExact: true };
  return {
    rows: [...fetchRows(db, filter, companyId, pagePlaces)],
    next: hasMore ? endAt(last, request) : undefined,
    total: Math.max(total, pagePlaces.length === 0 ? 0 : from + pagePlaces.length),
    totalIsExact,
  };
}

/** Returns the positions of a page, and one more if others follow. */
const placesOf = (db: Db, filter: ProductFilter, companyId: number, request: ProductPageRequest) =>
  isWalked(filter, request)
    ? walk(db, filter, companyId, request)
    : lookThrough(db, filter, companyId, request);

/** Number of positions per query when an order requires reading all products. */
const PLACES_AT_ONCE = 20_000;

/** Yields every product in an order; `undefined` lets other reads run. */
export function* productsInOrder(
  db: Db,
  filter: ProductFilter,
  order: ProductPageRequest['order'],
): Generator<ListedProduct | undefined> {
  if (order.by === 'codigo' && !order.isDescending) return yield* iterateProducts(db, filter);
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  for (let after: ProductPageRequest['after']; ;) {
    const page = { order, limit: PLACES_AT_ONCE, after, asked: '' };
    const places = yield* placesOf(db, filter, companyId, page);
    yield* fetchRows(db, filter, companyId, places.slice(0, PLACES_AT_ONCE));
    const last = places[PLACES_AT_ONCE - 1];
    if (last === undefined) return;
    after = endAt(last, page);
  }
}

function* fetchRows(
  db: Db,
  { cpfCnpjRaiz, dataReferencia }: ProductFilter,
  companyId: number,
  places: readonly PagePosition[],
): Generator<ListedProduct> {
  const query = (id: number) =>
    productQuery({ cpfCnpjRaiz, ...(dataReferencia !== undefined && { dataReferencia }) }, companyId, {
      after: id - 1,
      upTo: id,
    });
  const row = db.prepare<Parameter[], ListedProduct>(query(0).sql);
  for (const { id } of places) yield row.get(...query(id).parameters) as ListedProduct;
}

/** Sort key of a product; a draft without an NCM comes before all that have one. */
const KEYS: Readonly<Record<ProductOrder, string>> = {
  codigo: 'p.id',
  denominacao: 'p.denominacao_folded',
  ncm: "ifnull(p.ncm, '')",
  changedAt: 'p.changed_at',
};
const KEYS_AS_OF = { ...KEYS, denominacao: 'folded(p.denominacao)', changedAt: 'p.changedAt' };

/**
 * Reads from each stretch of products, or from all that the filter's index finds, as many as a page needs,
 * and keeps the first of them.
 */
function* lookThrough(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  request: ProductPageRequest,
): Generator<undefined, PagePosition[]> {
  const start = beginningOf(request, companyId);
  const query = (keys: KeyRange) => stretchQuery(filter, companyId, request, start, keys);
  const stretch = db.prepare<Parameter[], PagePosition>(query(keysOf(companyId)).sql);
  const first: PagePosition[] = [];
  const least = request.limit + 1;
  const keepFirst = (): void => {
    first.sort(comparing(request.order.isDescending)).splice(least);
  };
  for (const keys of stretches(db, filter, companyId)) {
    const places = stretch.all(...query(keys).parameters);
    for (const place of places) first.push(place);
    // Sorts from time to time: a distant page keeps as many as come before it.
    if (first.length > 2 * least) keepFirst();
    yield undefined;
  }
  keepFirst();
  return first;
}

/** Returns the first products of a range of keys, in the order of the page, after its beginning. */
export function stretchQuery(
  filter: ProductFilter,
  companyId: number,
  { order: { by, isDescending }, limit }: ProductPageRequest,
  start: PagePosition | undefined,
  keys: KeyRange,
): Query {
  const direction = isDescending ? 'DESC' : 'ASC';
  const key = (filter.dataReferencia === undefined ? KEYS : KEYS_AS_OF)[by];
  const { sql, parameters } = productSource(filter, companyId, keys);
  const behind = start === undefined ? '' : `AND (${key}, p.id) ${isDescending ? '<' : '>'} (?, ?)`;
  return {
    sql: `SELECT p.id AS id, ${key} AS key FROM ${sql} ${behind} ORDER BY key ${direction}, id ${direction} LIMIT ?`,
    parameters: [...parameters, ...(start === undefined ? [] : [start.key, start.id]), limit + 1],
  };
}

type Count = Pick<Page<never>, 'total' | 'totalIsExact'>;

/** Number of stretches to count, so that a count takes no longer than a page. */
const COUNTED_STRETCHES = 4;
/** Maximum count of matches. */
const COUNTED_MAX = COUNTED_STRETCHES * LOOKED_THROUGH;

/** Counts the matches of a filter: exactly if an index can, else as an estimate when it takes long. */
function* countProducts(db: Db, filter: ProductFilter, companyId: number): Generator<undefined, Count> {
  const exact = exactCount(db, filter, companyId);
  if (exact !== undefined) return { total: exact, totalIsExact: true };
  let [matchCount, examinedCount] = [0, 0];
  for (const keys of stretches(db, filter, companyId)) {
    if (examinedCount === COUNTED_MAX) {
      // Assumes that the rest of the company resembles its beginning.
      const total = Math.round((matchCount / examinedCount) * allOf(db, companyId));
      return { total: Math.max(matchCount, total), totalIsExact: false };
    }
    const { sql, parameters } = productSource(filter, companyId, keys);
    matchCount += countOf(db, `(SELECT 1 FROM ${sql} LIMIT ${COUNTED_MAX + 1})`, parameters);
    examinedCount += LOOKED_THROUGH;
    yield undefined;
  }
  return { total: Math.min(matchCount, COUNTED_MAX), totalIsExact: matchCount <= COUNTED_MAX };
}

/** Returns the number of products of a company, or of those in a situation, from the kept counts. */
const allOf = (db: Db, companyId: number, situacao: string | null = null): number =>
  db
    .prepare<[number, string | null], number>(
      'SELECT ifnull(sum(count), 0) FROM product_count WHERE company_id = ? AND situacao = ifnull(?, situacao)',
    )
    .pluck()
    .get(companyId, situacao) ?? 0;

/** Returns counts that are kept, or that an index provides directly; `undefined` for any other filter. */
function exactCount(
  db: Db,
  { cpfCnpjRaiz: _, ncm, situacao, among, ...others }: ProductFilter,
  companyId: number,
): number | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  // Products that were resolved before exist.
  if (among !== undefined) return (ncm ?? situacao) === undefined ? among.length : undefined;
  if (ncm !== undefined)
    return situacao === undefined
      ? countOf(db, 'product INDEXED BY product_by_ncm WHERE company_id = ? AND ncm = ?', [companyId, ncm])
      : undefined;
  return allOf(db, companyId, situacao === undefined ? null : SITUACOES[situacao]);
}
