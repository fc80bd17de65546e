/** Everything of the catalogue that is read in pages, each as one text. */
import type { Db } from '../db/open.ts';
import { type OperatorPageRead, operatorPageText } from './foreign-operator/page.ts';
import { type ProductPageRead, productPageTexts } from './product/page.ts';

export type PageRead = ProductPageRead | OperatorPageRead;

export function* pageTexts(db: Db, request: PageRead): Generator<string> {
  if (request.kind === 'productPage') yield* productPageTexts(db, request);
  else yield operatorPageText(db, request);
}
