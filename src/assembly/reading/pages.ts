/** Everything of the catalogue that is read aside and answered as one text: pages, and what is counted. */
import type { Db } from '../../db/open.ts';
import { type OperatorPageRead, operatorPageText } from '../../catalogue/foreign-operator/page.ts';
import { type LinkPageRead, linkPageText } from '../../catalogue/manufacturer-link/page.ts';
import {
  type DuplicatesRead,
  type ProductPageRead,
  duplicateTexts,
  productPageTexts,
} from '../../catalogue/product/page.ts';
import { type SummaryRead, summaryTexts } from '../../catalogue/summary/page.ts';

export type PageRead = ProductPageRead | OperatorPageRead | LinkPageRead | DuplicatesRead | SummaryRead;

export function* pageTexts(db: Db, request: PageRead): Generator<string> {
  switch (request.kind) {
    case 'productPage':
      return yield* productPageTexts(db, request);
    case 'operatorPage':
      return yield operatorPageText(db, request);
    case 'linkPage':
      return yield linkPageText(db, request);
    case 'duplicates':
      return yield* duplicateTexts(db, request);
    case 'summary':
      return yield* summaryTexts(db, request);
  }
}
