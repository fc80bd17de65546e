/** A page of products, and one of those that repeat, as they are read aside. */
import type { Db } from '../../db/open.ts';
import { cursorOf } from '../paging/cursor.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import { contentHashOf } from './content.ts';
import type { ProductFilter } from './filter.ts';
import { type ComparedProduct, duplicatesOf } from './duplicate-list-query.ts';
import type { DuplicatesBy, ProductOrder } from './model.ts';
import { productPage } from './page-list-query.ts';
import { contentOf, printPageItem } from './record.ts';

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
      yield pageText(page, step.value, (row) =>
        printPageItem.text(row, { cpfCnpjRaiz: filter.cpfCnpjRaiz, seq: 0 }),
      );
      return;
    }
    yield '';
  }
}

export interface DuplicatesRead {
  readonly kind: 'duplicates';
  readonly cpfCnpjRaiz: string;
  readonly by: DuplicatesBy;
  readonly page: PageRequest;
}

const KEYS: Readonly<Record<DuplicatesBy, (product: ComparedProduct) => string | number>> = {
  content: (product) => contentHashOf(contentOf(product)),
  name: ({ denominacaoFolded }) => denominacaoFolded,
};

export function* duplicateTexts(db: Db, { cpfCnpjRaiz, by, page }: DuplicatesRead): Generator<string> {
  const { after, limit } = page;
  const reading = duplicatesOf(db, { cpfCnpjRaiz, after, limit, keyOf: KEYS[by] });
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done !== true) {
      yield '';
      continue;
    }
    const items = step.value.slice(0, limit);
    const last = items.at(-1);
    const end =
      last !== undefined && step.value.length > limit ? [last.ncm, last.codigos[0] ?? 0] : undefined;
    yield JSON.stringify({ items, next: cursorOf(page, end) });
    return;
  }
}
