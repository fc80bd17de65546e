/** A page of operators as it is read aside. */
import type { Db } from '../../db/open.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { OperatorFilter } from './filter.ts';
import type { OperatorOrder } from './model.ts';
import { operatorPage } from './list-query.ts';
import { printPageItem } from './record.ts';

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
