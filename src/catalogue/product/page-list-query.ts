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
  STRETCH_PRODUCTS,
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
  startOf,
  positionOrder,
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
  const positions = yield* positionsOf(db, filter, companyId, { ...request, limit: from + limit });
  const pagePositions = positions.slice(from, from + limit);
  const last = pagePositions.at(-1);
  const hasMore = last !== undefined && positions.length > from + limit;
  const { total, totalIsExact } =
    hasMore || request.after !== undefined || from > 0
      ? yield* countProducts(db, filter, companyId)
      : { total: pagePositions.length, totalIsExact: true };
  return {
    rows: [...fetchRows(db, filter, companyId, pagePositions)],
    next: hasMore ? endAt(last, request) : undefined,
    total: Math.max(total, pagePositions.length === 0 ? 0 : from + pagePositions.length),
    totalIsExact,
  };
}

/** Returns the positions of a page, and one more if the list continues. */
const positionsOf = (db: Db, filter: ProductFilter, companyId: number, request: ProductPageRequest) =>
  isWalked(filter, request)
    ? walk(db, filter, companyId, request)
    : readPositions(db, filter, companyId, request);

/** Number of positions per query when an order requires reading all products. */
const POSITIONS_PER_QUERY = 20_000;

/** Yields every product in an order; `undefined` lets other reads run. */
export function* productsInOrder(
  db: Db,
  filter: ProductFilter,
  order: ProductPageRequest['order'],
): Generator<ListedProduct | undefined> {
  if (order.by === 'codigo' && !order.isDescending) return yield* iterateProducts(db, filter);
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  for (let after: ProductPageRequest['after']; ;) {
    const page = { order, limit: POSITIONS_PER_QUERY, after, filterMark: '' };
    const positions = yield* positionsOf(db, filter, companyId, page);
    yield* fetchRows(db, filter, companyId, positions.slice(0, POSITIONS_PER_QUERY));
    const last = positions[POSITIONS_PER_QUERY - 1];
    if (last === undefined) return;
    after = endAt(last, page);
  }
}

function* fetchRows(
  db: Db,
  { cpfCnpjRaiz, dataReferencia }: ProductFilter,
  companyId: number,
  positions: readonly PagePosition[],
): Generator<ListedProduct> {
  const query = (id: number) =>
    productQuery({ cpfCnpjRaiz, ...(dataReferencia !== undefined && { dataReferencia }) }, companyId, {
      after: id - 1,
      upTo: id,
    });
  const row = db.prepare<Parameter[], ListedProduct>(query(0).sql);
  for (const { id } of positions) yield row.get(...query(id).parameters) as ListedProduct;
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
 * Reads the first matches of each stretch of products, or of all that the filter's index finds, as many as a
 * page needs, and keeps the first of them all.
 */
function* readPositions(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  request: ProductPageRequest,
): Generator<undefined, PagePosition[]> {
  const start = startOf(request, companyId);
  const query = (keys: KeyRange) => stretchQuery(filter, companyId, request, start, keys);
  const stretch = db.prepare<Parameter[], PagePosition>(query(keysOf(companyId)).sql);
  const first: PagePosition[] = [];
  const needed = request.limit + 1;
  const keepFirst = (): void => {
    first.sort(positionOrder(request.order.isDescending)).splice(needed);
  };
  for (const keys of stretches(db, filter, companyId)) {
    const positions = stretch.all(...query(keys).parameters);
    for (const position of positions) first.push(position);
    // Sorts only from time to time: a distant page also keeps the positions of all pages before it.
    if (first.length > 2 * needed) keepFirst();
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
  const afterStart = start === undefined ? '' : `AND (${key}, p.id) ${isDescending ? '<' : '>'} (?, ?)`;
  return {
    sql: `SELECT p.id AS id, ${key} AS key FROM ${sql} ${afterStart} ORDER BY key ${direction}, id ${direction} LIMIT ?`,
    parameters: [...parameters, ...(start === undefined ? [] : [start.key, start.id]), limit + 1],
  };
}

type Count = Pick<Page<never>, 'total' | 'totalIsExact'>;

/** Number of stretches to count, so that a count takes no longer than a page. */
const COUNTED_STRETCHES = 4;
/** Maximum count of matches. */
const COUNTED_MAX = COUNTED_STRETCHES * STRETCH_PRODUCTS;

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
    examinedCount += STRETCH_PRODUCTS;
    yield undefined;
  }
  return { total: Math.min(matchCount, COUNTED_MAX), totalIsExact: matchCount <= COUNTED_MAX };
}

/** Returns the number of products of a company, or of those in a situation, from the stored counts. */
const allOf = (db: Db, companyId: number, situacao: string | null = null): number =>
  db
    .prepare<[number, string | null], number>(
      'SELECT ifnull(sum(count), 0) FROM product_count WHERE company_id = ? AND situacao = ifnull(?, situacao)',
    )
    .pluck()
    .get(companyId, situacao) ?? 0;

/** Returns a stored count, or one that an index provides directly; `undefined` for any other filter. */
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
      ? countOf(db, 'product INDEXED BY product_by_ncm WHERE company_id = ? AND ncm = +?', [companyId, ncm])
      : undefined;
  return allOf(db, companyId, situacao === undefined ? null : SITUACOES[situacao]);
}
