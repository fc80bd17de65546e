/** A page of links as it is read aside. */
import type { Db } from '../../db/open.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { LinkOrder } from './model.ts';
import { type LinkPageFilter, linkPage } from './page-list-query.ts';

export interface LinkPageRead {
  readonly kind: 'linkPage';
  readonly filter: LinkPageFilter;
  readonly page: PageRequest<LinkOrder>;
}

export function* linkPageText(db: Db, { filter, page }: LinkPageRead): Generator<string> {
  yield pageText(page, linkPage(db, filter, page), ({ id: _, ...link }) => JSON.stringify(link));
}
