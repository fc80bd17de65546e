/** Products in an order that an index has (contract section 14): walked until a page is full. */
import type { Db } from '../../db/open.ts';
import { Conditions, type Parameter, type Query } from '../list-query.ts';
import { type ProductFilter, addAsked } from './asked-list-query.ts';
import { LOOKED_THROUGH, keysOf, looksThroughAll } from './list-query.ts';
import { type Asked, type Place, beginningOf, comparing } from './place-list-query.ts';

/** An index has the order, and no other index would leave less to look through. */
export const isWalked = (filter: ProductFilter, { order }: Asked): boolean =>
  filter.asOf === undefined && order.by !== 'denominacao' && looksThroughAll(filter);

/** A way through the products in the order of an index, piece by piece. */
interface Way {
  readonly from: string;
  readonly key: string;
  /** What of the way is a product at its place, and not one that stands elsewhere on another way. */
  readonly isHere: string;
  readonly pieces: readonly Query[];
}

interface Walked extends Place {
  readonly isFound: 0 | 1;
}

/** Yields where others may have their turn, however few are found. */
export function* walk(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  asked: Asked,
): Generator<undefined, Place[]> {
  const compare = comparing(asked.order.isDescending);
  const ways = waysOf(asked, companyId).map((way) => walkedOn(db, filter, companyId, way, asked));
  const found: Place[] = [];
  try {
    const heads = ways.map((way) => way.next());
    for (let walked = 1; found.length <= asked.limit; walked += 1) {
      let next = -1;
      for (const [at, head] of heads.entries()) {
        if (head.done === true) continue;
        const best = heads[next];
        if (best === undefined || best.done === true || compare(head.value, best.value) < 0) next = at;
      }
      const head = heads[next];
      if (head === undefined || head.done === true) break;
      if (head.value.isFound === 1) found.push(head.value);
      heads[next] = (ways[next] as Generator<Walked, undefined>).next();
      if (walked % LOOKED_THROUGH === 0) yield undefined;
    }
  } finally {
    for (const way of ways) way.return(undefined);
  }
  return found;
}

function* walkedOn(
  db: Db,
  filter: ProductFilter,
  companyId: number,
  way: Way,
  asked: Asked,
): Generator<Walked, undefined> {
  for (const query of wayQueries(filter, companyId, way, asked))
    yield* db.prepare<Parameter[], Walked>(query.sql).iterate(...query.parameters);
}

/** The queries of the ways of a page, for whoever asks how they are served. */
export const walkQueries = (filter: ProductFilter, companyId: number, asked: Asked): Query[] =>
  waysOf(asked, companyId).flatMap((way) => wayQueries(filter, companyId, way, asked));

function wayQueries(filter: ProductFilter, companyId: number, way: Way, { order }: Asked): Query[] {
  const isAsked = new Conditions();
  isAsked.add(way.isHere);
  addAsked(filter, companyId, isAsked);
  const direction = order.isDescending ? 'DESC' : 'ASC';
  const ordered = order.by === 'codigo' ? '' : `${way.key} ${direction}, `;
  return way.pieces.map((piece) => ({
    sql: `SELECT p.id AS id, ${order.by === 'codigo' ? '0' : `ifnull(${way.key}, '')`} AS key, (${isAsked.sql}) AS isFound
      FROM ${way.from} AND ${piece.sql} ORDER BY ${ordered}p.id ${direction}`,
    parameters: [...isAsked.parameters, ...piece.parameters],
  }));
}

function waysOf(asked: Asked, companyId: number): readonly Way[] {
  const { by, isDescending } = asked.order;
  const start = beginningOf(asked, companyId);
  const on = (index: string, extra = ''): string =>
    `product p INDEXED BY ${index} WHERE p.company_id = ${companyId}${extra}`;
  if (by === 'codigo') {
    const { after, upTo } = keysOf(companyId);
    const [low, high] = isDescending ? [after, (start?.id ?? upTo + 1) - 1] : [start?.id ?? after, upTo];
    const pieces = [{ sql: 'p.id > ? AND p.id <= ?', parameters: [low, high] }];
    return [{ from: 'product p WHERE TRUE', key: '0', isHere: 'TRUE', pieces }];
  }
  if (by === 'ncm') {
    const pieces = ncmPieces(start, isDescending);
    return [{ from: on('product_by_ncm'), key: 'p.ncm', isHere: 'TRUE', pieces }];
  }
  // What never changed stands in the index by registration alone, and there too stands what did.
  return [
    {
      from: on('product_by_change', ' AND p.changed_at <> p.registered_at'),
      key: 'p.changed_at',
      isHere: 'TRUE',
      pieces: piecesOf('p.changed_at', start, isDescending),
    },
    {
      from: on('product_by_registration'),
      key: 'p.registered_at',
      isHere: 'p.changed_at = p.registered_at',
      pieces: piecesOf('p.registered_at', start, isDescending),
    },
  ];
}

/** The rest of those that stand with the beginning, then all behind. */
function piecesOf(column: string, start: Place | undefined, isDescending: boolean): Query[] {
  if (start === undefined) return [{ sql: 'TRUE', parameters: [] }];
  const behind = isDescending ? '<' : '>';
  return [
    { sql: `${column} = ? AND p.id ${behind} ?`, parameters: [start.key, start.id] },
    { sql: `${column} ${behind} ?`, parameters: [start.key] },
  ];
}

/** Drafts without an NCM stand before all that have one. */
function ncmPieces(start: Place | undefined, isDescending: boolean): Query[] {
  const without: Query = { sql: 'p.ncm IS NULL', parameters: [] };
  const behind = isDescending ? '<' : '>';
  if (start === undefined) {
    const withOne: Query = { sql: "p.ncm > ''", parameters: [] };
    return isDescending ? [withOne, without] : [without, withOne];
  }
  if (start.key === '') {
    const rest: Query = { sql: `p.ncm IS NULL AND p.id ${behind} ?`, parameters: [start.id] };
    return isDescending ? [rest] : [rest, { sql: "p.ncm > ''", parameters: [] }];
  }
  const pieces = piecesOf('p.ncm', start, isDescending);
  return isDescending ? [...pieces, without] : pieces;
}
