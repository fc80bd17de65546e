/** Reads products in a Worker, as the text of a listing or of a page. */
import type { Db } from '../../db/open.ts';
import { resultText } from '../../reading/stream.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { ProductFilter } from './filter.ts';
import type { ProductOrder } from './model.ts';
import { productPage } from './page-list-query.ts';
import { printPageItem, printListItem } from './record.ts';
import { type Listing, listTexts } from '../listed.ts';
import { iterateProducts } from './list-query.ts';

export interface ProductPageRead {
  readonly kind: 'productPage';
  readonly filter: ProductFilter;
  readonly page: PageRequest<ProductOrder>;
}

/** Writes a page. `remoteStateOf` returns the reported state of a product at the requested remote. */
export const productPageTexts = (
  db: Db,
  { filter, page }: ProductPageRead,
  remoteStateOf?: (codigo: number) => object | null,
): Generator<string> =>
  resultText(productPage(db, filter, page), (result) =>
    pageText(page, result, (row) => {
      const item = printPageItem.text(row, { cpfCnpjRaiz: filter.cpfCnpjRaiz, seq: 0 });
      if (remoteStateOf === undefined) return item;
      return `${item.slice(0, -1)},"remote":${JSON.stringify(remoteStateOf(row.codigo))}}`;
    }),
  );

export type ProductListing = Listing<'products', ProductFilter>;

export const productTexts = (db: Db, filter: ProductFilter, form: Listing['form']): Generator<string> =>
  listTexts(iterateProducts(db, filter), printListItem, filter.cpfCnpjRaiz, form);
