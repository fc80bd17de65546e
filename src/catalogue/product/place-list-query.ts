/** Where a product stands in the order of a page (contract section 14). */
import type { PageEnd, PageRequest } from '../paging/model.ts';
import { keyIn, placeOf } from '../versioned/model.ts';
import type { ProductOrder } from './model.ts';

export type Asked = PageRequest<ProductOrder>;

/** A product on its place: what it is ordered by, then its key. */
export interface Place {
  readonly key: string | number;
  readonly id: number;
}

/** What a cursor keeps of the last place of a page. */
export const endAt = ({ key, id }: Place, { order }: Asked): PageEnd =>
  order.by === 'codigo' ? [placeOf(id)] : [key, placeOf(id)];

/** Where the page before ended. */
export function beginningOf({ order, after }: Asked, companyId: number): Place | undefined {
  if (after === undefined) return undefined;
  const codigo = keyIn(companyId, Number(after.at(-1)));
  return order.by === 'codigo' ? { key: 0, id: codigo } : { key: after[0] ?? 0, id: codigo };
}

/** Texts as SQLite compares them: byte by byte. */
export function comparing(isDescending: boolean): (a: Place, b: Place) => number {
  const turned = isDescending ? -1 : 1;
  return (a, b) => turned * (compareKeys(a.key, b.key) || a.id - b.id);
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
