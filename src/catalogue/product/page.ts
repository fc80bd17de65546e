/** Reads products in a Worker: one text each for a listing, a page, or a page of duplicates. */
import type { Db } from '../../db/open.ts';
import { resultText } from '../../reading/stream.ts';
import { cursorOf } from '../paging/cursor.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import { contentHashOf } from './content.ts';
import type { ProductFilter } from './filter.ts';
import { type ComparedProduct, duplicatesOf } from './duplicate-list-query.ts';
import type { DuplicatesBy, ProductOrder } from './model.ts';
import { productPage } from './page-list-query.ts';
import { contentOf, printPageItem, printListItem } from './record.ts';
import { type Listing, listTexts } from '../listed.ts';
import { iterateProducts } from './list-query.ts';

export interface ProductPageRead {
  readonly kind: 'productPage';
  readonly filter: ProductFilter;
  readonly page: PageRequest<ProductOrder>;
}

/** Writes a page. `elsewhereOf` returns the reported state of a product at the requested remote. */
export const productPageTexts = (
  db: Db,
  { filter, page }: ProductPageRead,
  elsewhereOf?: (codigo: number) => object | null,
): Generator<string> =>
  resultText(productPage(db, filter, page), (result) =>
    pageText(page, result, (row) => {
      const item = printPageItem.text(row, { cpfCnpjRaiz: filter.cpfCnpjRaiz, seq: 0 });
      if (elsewhereOf === undefined) return item;
      return `${item.slice(0, -1)},"remote":${JSON.stringify(elsewhereOf(row.codigo))}}`;
    }),
  );

export interface DuplicatesRead {
  readonly kind: 'duplicates';
  readonly cpfCnpjRaiz: string;
  readonly by: DuplicatesBy;
  readonly page: PageRequest;
}

const KEYS: Readonly<Record<DuplicatesBy, (product: ComparedProduct) => string | number>> = {
  content: (product) => contentHashOf(contentOf(product)),
  denominacao: ({ denominacaoFolded }) => denominacaoFolded,
};

export function duplicateTexts(db: Db, { cpfCnpjRaiz, by, page }: DuplicatesRead): Generator<string> {
  const { after, limit } = page;
  return resultText(duplicatesOf(db, { cpfCnpjRaiz, after, limit, keyOf: KEYS[by] }), (duplicates) => {
    const items = duplicates.slice(0, limit);
    const last = items.at(-1);
    const end =
      last !== undefined && duplicates.length > limit ? [last.ncm, last.codigos[0] ?? 0] : undefined;
    return JSON.stringify({ items, next: cursorOf(page, end) });
  });
}

export type ProductListing = Listing<'products', ProductFilter>;

export const productTexts = (db: Db, filter: ProductFilter, form: Listing['form']): Generator<string> =>
  listTexts(iterateProducts(db, filter), printListItem, filter.cpfCnpjRaiz, form);
