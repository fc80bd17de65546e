/** Products of a listing, one text each; an empty one where others may have their turn. */
import type { Db } from '../../db/open.ts';
import { prettyRecord } from '../pretty.ts';
import type { ProductFilter } from './filter.ts';
import { iterateProducts } from './list-query.ts';
import { exportRecord, listItemText } from './record.ts';
import type { Listing } from '../listing/service.ts';

export type ProductListing = Listing<'products', ProductFilter>;

export function* productTexts(db: Db, filter: ProductFilter, form: 'list' | 'export'): Generator<string> {
  let seq = 0;
  for (const product of iterateProducts(db, filter)) {
    if (product === undefined) {
      yield '';
      continue;
    }
    seq += 1;
    yield form === 'list'
      ? listItemText(filter.cpfCnpjRaiz, seq, product)
      : prettyRecord(exportRecord(filter.cpfCnpjRaiz, seq, product));
  }
}
