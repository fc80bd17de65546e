/**
 * Computes the position of a product in the order of a page, and walks an index with that order until a page
 * is full (contract section 14).
 */
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query } from '../list-query.ts';
import type { PageEnd, PageRequest } from '../paging/model.ts';
import { keyIn, keysOf, numberInCompany } from '../versioned/model.ts';
import { addConditions } from './filter-list-query.ts';
import type { ProductFilter } from './filter.ts';
import { STRETCH_PRODUCTS, readsAll } from './list-query.ts';
import type { ProductOrder } from './model.ts';

export type ProductPageRequest = PageRequest<ProductOrder>;

/** Position of a product: its sort key, then its key. */
export interface PagePosition {
  readonly key: string | number;
  readonly id: number;
}

/** Returns what a cursor stores of the last position of a page. */
export const endAt = ({ key, id }: PagePosition, { order }: ProductPageRequest): PageEnd =>
  order.by === 'codigo' ? [numberInCompany(id)] : [key, numberInCompany(id)];

/** Returns the end of the previous page. */
export function startOf({ order, after }: ProductPageRequest, companyId: number): PagePosition | undefined {
  if (after === undefined) return undefined;
  const id = keyIn(companyId, Number(after.at(-1)));
  return { key: order.by === 'codigo' ? id : (after[0] ?? ''), id };
}

/** Compares texts as SQLite does: byte by byte. */
export function positionOrder(isDescending: boolean): (a: PagePosition, b: PagePosition) => number {
  const sign = isDescending ? -1 : 1;
  return (a, b) => sign * (compareKeys(a.key, b.key) || a.id - b.id);
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));

/** Returns true if an index has the order, and no other index would leave fewer rows. */
export const isWalked = (filter: ProductFilter, { order }: ProductPageRequest): boolean =>
  filter.dataReferencia === undefined && WALKS[order.by].length > 0 && readsAll(filter);

/** Index walk through the products in an order. */
interface IndexWalk {
  readonly from: string;
  readonly key: string;
  /** SQL condition: the product has its position on this walk, and not on another. */
  readonly condition: string;
}

const WALKS: Readonly<Record<ProductOrder, readonly IndexWalk[]>> = {
  codigo: [{ from: 'product p WHERE +p.company_id = +?', key: 'p.id', condition: 'TRUE' }],
  denominacao: [],
  ncm: [
    { from: 'product p INDEXED BY product_by_ncm WHERE p.company_id = +?', key: 'p.ncm', condition: 'TRUE' },
  ],
  // Products that never changed are only in the index by registration, which also has those that did.
  changedAt: [
    {
      from: 'product p INDEXED BY product_by_change WHERE p.changed_at <> p.registered_at AND p.company_id = +?',
      key: 'p.changed_at',
      condition: 'TRUE',
    },
    {
      from: 'product p INDEXED BY product_by_registration WHERE p.company_id = +?',
      key: 'p.registered_at',
      condition: 'p.changed_at = p.registered_at',
    },
  ],
};

interface WalkedRow {
  readonly id: number;
  readonly key: string | number | null;
  readonly isMatch: 0 | 1;
}

/** Yields to let other reads run, even for few matches. */
export function* walk(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  request: ProductPageRequest,
): Generator<undefined, PagePosition[]> {
  const positions: PagePosition[] = [];
  let walkedCount = 0;
  for (const { sql, parameters } of walkQueries(filter, companyId, request))
    for (const { id, key, isMatch } of db.prepare<Parameter[], WalkedRow>(sql).iterate(...parameters)) {
      if (isMatch === 1 && positions.push({ id, key: key ?? '' }) > request.limit) return positions;
      walkedCount += 1;
      if (walkedCount % STRETCH_PRODUCTS === 0) yield undefined;
    }
  return positions;
}

/** Returns the queries that find the products of an order piece by piece, with all its walks merged. */
export function walkQueries(filter: ProductFilter, companyId: number, request: ProductPageRequest): Query[] {
  const direction = request.order.isDescending ? 'DESC' : 'ASC';
  return piecesOf(request, companyId).map(([textOf, ...parameters]) => {
    const walks = WALKS[request.order.by].map(({ from, key, condition }) => {
      const isMatch = new Conditions();
      isMatch.add(condition);
      addConditions(isMatch, filter, { t: 'p', companyId });
      return {
        sql: `SELECT p.id AS id, ${key} AS key, (${isMatch.sql}) AS isMatch FROM ${from} AND ${textOf(key)}`,
        parameters: [...isMatch.parameters, companyId, ...parameters],
      };
    });
    return {
      sql: `${walks.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY key ${direction}, id ${direction}`,
      parameters: walks.flatMap((walk) => walk.parameters),
    };
  });
}

type Piece = readonly [textOf: (key: string) => string, ...parameters: Parameter[]];

/**
 * Splits the order into ranges: the remaining rows with the start key, then all after it. Drafts without an
 * NCM come before all that have one.
 */
function piecesOf(request: ProductPageRequest, companyId: number): Piece[] {
  const { by, isDescending } = request.order;
  const start = startOf(request, companyId);
  if (by === 'codigo') {
    const { after, upTo } = keysOf(companyId);
    const range = isDescending ? [after, (start?.id ?? upTo + 1) - 1] : [start?.id ?? after, upTo];
    return [[() => 'p.id > ? AND p.id <= ?', ...range]];
  }
  if (start === undefined) return [[() => 'TRUE']];
  const comparison = isDescending ? '<' : '>';
  const pieces: Piece[] = [
    start.key === ''
      ? [(key) => `${key} IS NULL AND p.id ${comparison} ?`, start.id]
      : [(key) => `${key} = +? AND p.id ${comparison} ?`, start.key, start.id],
    [(key) => `${key} ${comparison} ?`, start.key],
  ];
  return by === 'ncm' && isDescending && start.key !== '' ? [...pieces, [(key) => `${key} IS NULL`]] : pieces;
}
