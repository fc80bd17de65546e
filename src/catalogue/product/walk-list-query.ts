/**
 * Computes the position of a product in the order of a page, and walks an index with that order until a page
 * is full (contract section 14).
 */
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query } from '../list-query.ts';
import type { PageEnd, PageRequest } from '../paging/model.ts';
import { keyIn, keysOf, placeOf } from '../versioned/model.ts';
import { addAsked } from './asked-list-query.ts';
import type { ProductFilter } from './filter.ts';
import { LOOKED_THROUGH, looksThroughAll } from './list-query.ts';
import type { ProductOrder } from './model.ts';

export type ProductPageRequest = PageRequest<ProductOrder>;

/** Position of a product: its sort key, then its key. */
export interface PagePosition {
  readonly key: string | number;
  readonly id: number;
}

/** Returns what a cursor stores of the last position of a page. */
export const endAt = ({ key, id }: PagePosition, { order }: ProductPageRequest): PageEnd =>
  order.by === 'codigo' ? [placeOf(id)] : [key, placeOf(id)];

/** Returns the end of the previous page. */
export function beginningOf(
  { order, after }: ProductPageRequest,
  companyId: number,
): PagePosition | undefined {
  if (after === undefined) return undefined;
  const id = keyIn(companyId, Number(after.at(-1)));
  return { key: order.by === 'codigo' ? id : (after[0] ?? ''), id };
}

/** Compares texts as SQLite does: byte by byte. */
export function comparing(isDescending: boolean): (a: PagePosition, b: PagePosition) => number {
  const turned = isDescending ? -1 : 1;
  return (a, b) => turned * (compareKeys(a.key, b.key) || a.id - b.id);
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));

/** Returns true if an index has the order, and no other index would leave fewer rows. */
export const isWalked = (filter: ProductFilter, { order }: ProductPageRequest): boolean =>
  filter.dataReferencia === undefined && WAYS[order.by].length > 0 && looksThroughAll(filter);

/** Index walk through the products in an order. */
interface Way {
  readonly from: string;
  readonly key: string;
  /** Condition that a product has its position on this walk, and not on another. */
  readonly isHere: string;
}

const WAYS: Readonly<Record<ProductOrder, readonly Way[]>> = {
  codigo: [{ from: 'product p WHERE +p.company_id = ?', key: 'p.id', isHere: 'TRUE' }],
  denominacao: [],
  ncm: [{ from: 'product p INDEXED BY product_by_ncm WHERE p.company_id = ?', key: 'p.ncm', isHere: 'TRUE' }],
  // Products that never changed are only in the index by registration, which also has those that did.
  changedAt: [
    {
      from: 'product p INDEXED BY product_by_change WHERE p.changed_at <> p.registered_at AND p.company_id = ?',
      key: 'p.changed_at',
      isHere: 'TRUE',
    },
    {
      from: 'product p INDEXED BY product_by_registration WHERE p.company_id = ?',
      key: 'p.registered_at',
      isHere: 'p.changed_at = p.registered_at',
    },
  ],
};

interface Walked {
  readonly id: number;
  readonly key: string | number | null;
  readonly isFound: 0 | 1;
}

/** Yields to let other reads run, even for few matches. */
export function* walk(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  request: ProductPageRequest,
): Generator<undefined, PagePosition[]> {
  const positions: PagePosition[] = [];
  let walked = 0;
  for (const { sql, parameters } of walkQueries(filter, companyId, request))
    for (const { id, key, isFound } of db.prepare<Parameter[], Walked>(sql).iterate(...parameters)) {
      if (isFound === 1 && positions.push({ id, key: key ?? '' }) > request.limit) return positions;
      walked += 1;
      if (walked % LOOKED_THROUGH === 0) yield undefined;
    }
  return positions;
}

/** Returns the queries that find the products of an order piece by piece, with all its walks merged. */
export function walkQueries(filter: ProductFilter, companyId: number, request: ProductPageRequest): Query[] {
  const direction = request.order.isDescending ? 'DESC' : 'ASC';
  return piecesOf(request, companyId).map(([textOf, ...parameters]) => {
    const ways = WAYS[request.order.by].map(({ from, key, isHere }) => {
      const isFound = new Conditions();
      isFound.add(isHere);
      addAsked(isFound, filter, { t: 'p', companyId });
      return {
        sql: `SELECT p.id AS id, ${key} AS key, (${isFound.sql}) AS isFound FROM ${from} AND ${textOf(key)}`,
        parameters: [...isFound.parameters, companyId, ...parameters],
      };
    });
    return {
      sql: `${ways.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY key ${direction}, id ${direction}`,
      parameters: ways.flatMap((way) => way.parameters),
    };
  });
}

type Piece = readonly [textOf: (key: string) => string, ...parameters: Parameter[]];

/**
 * Returns the remaining rows with the start key, then all after it. Drafts without an NCM come before all
 * that have one.
 */
function piecesOf(request: ProductPageRequest, companyId: number): Piece[] {
  const { by, isDescending } = request.order;
  const start = beginningOf(request, companyId);
  if (by === 'codigo') {
    const { after, upTo } = keysOf(companyId);
    const range = isDescending ? [after, (start?.id ?? upTo + 1) - 1] : [start?.id ?? after, upTo];
    return [[() => 'p.id > ? AND p.id <= ?', ...range]];
  }
  if (start === undefined) return [[() => 'TRUE']];
  const behind = isDescending ? '<' : '>';
  const pieces: Piece[] = [
    start.key === ''
      ? [(key) => `${key} IS NULL AND p.id ${behind} ?`, start.id]
      : [(key) => `${key} = ? AND p.id ${behind} ?`, start.key, start.id],
    [(key) => `${key} ${behind} ?`, start.key],
  ];
  return by === 'ncm' && isDescending && start.key !== '' ? [...pieces, [(key) => `${key} IS NULL`]] : pieces;
}
