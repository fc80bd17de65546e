/** Reads operators in a Worker: one text each for a listing, or a page. */
import type { Db } from '../../db/open.ts';
import { type Listing, listTexts } from '../listed.ts';
import type { OperatorFilter } from './filter.ts';
import { iterateOperators, operatorPage } from './list-query.ts';
import { printRecord, printPageItem } from './record.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { OperatorOrder } from './model.ts';

export type OperatorListing = Listing<'operators', OperatorFilter>;

export const operatorTexts = (db: Db, filter: OperatorFilter, form: Listing['form']): Generator<string> =>
  listTexts(iterateOperators(db, filter), printRecord, filter.cpfCnpjRaiz, form);

export interface OperatorPageRead {
  readonly kind: 'operatorPage';
  readonly filter: OperatorFilter;
  readonly page: PageRequest<OperatorOrder>;
}

export function* operatorPageText(db: Db, { filter, page }: OperatorPageRead): Generator<string> {
  const { cpfCnpjRaiz } = filter;
  yield pageText(page, operatorPage(db, filter, page), (row) =>
    printPageItem.text(row, { cpfCnpjRaiz, seq: 0 }),
  );
}
