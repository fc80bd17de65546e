/** Products of a listing, one text each; an empty one where others may have their turn. */
import type { Db } from '../../db/open.ts';
import type { Listing } from '../listing/service.ts';
import { listTexts } from '../listed.ts';
import type { ProductFilter } from './filter.ts';
import { iterateProducts } from './list-query.ts';
import { printListItem } from './record.ts';

export type ProductListing = Listing<'products', ProductFilter>;

export const productTexts = (db: Db, filter: ProductFilter, form: 'list' | 'export'): Generator<string> =>
  listTexts(iterateProducts(db, filter), printListItem, filter.cpfCnpjRaiz, form);
