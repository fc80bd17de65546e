/** A page of products as it is read aside. */
import type { Db } from '../../db/open.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { ProductFilter } from './list-query.ts';
import type { ProductOrder } from './model.ts';
import { productPage } from './page-list-query.ts';
import { pageItemText } from './record.ts';

export interface ProductPageRead {
  readonly kind: 'productPage';
  readonly filter: ProductFilter;
  readonly page: PageRequest<ProductOrder>;
}

/** One text; empty ones before it where others may have their turn. */
export function* productPageTexts(db: Db, { filter, page }: ProductPageRead): Generator<string> {
  const reading = productPage(db, filter, page);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done === true) {
      yield pageText(page, step.value, (row) => pageItemText(filter.cpfCnpjRaiz, row, row.changedAt));
      return;
    }
    yield '';
  }
}
