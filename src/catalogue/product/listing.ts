/** Products of a listing, one text each; an empty one where others may have their turn. */
import type { Db } from '../../db/open.ts';
import { type Listing, listTexts } from '../listed.ts';
import type { ProductFilter } from './filter.ts';
import { iterateProducts } from './list-query.ts';
import { printListItem } from './record.ts';

export type ProductListing = Listing<'products', ProductFilter>;

export const productTexts = (db: Db, filter: ProductFilter, form: Listing['form']): Generator<string> =>
  listTexts(iterateProducts(db, filter), printListItem, filter.cpfCnpjRaiz, form);
