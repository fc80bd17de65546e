/** Reads links in a Worker: one text each for an export, or a page. */
import type { Db } from '../../db/open.ts';
import { prettyRecord, type Listing } from '../listed.ts';
import { type LinkFilter, iterateLinks } from './list-query.ts';
import { exportRecord } from './record.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { LinkOrder } from './model.ts';
import { type LinkPageFilter, linkPage } from './page-list-query.ts';

export type LinkListing = Listing<'links', LinkFilter>;

export function* linkTexts(db: Db, filter: LinkFilter): Generator<string> {
  let seq = 0;
  for (const link of iterateLinks(db, filter)) {
    seq += 1;
    yield prettyRecord(exportRecord(filter.cpfCnpjRaiz, seq, link));
  }
}

export interface LinkPageRead {
  readonly kind: 'linkPage';
  readonly filter: LinkPageFilter;
  readonly page: PageRequest<LinkOrder>;
}

export function* linkPageText(db: Db, { filter, page }: LinkPageRead): Generator<string> {
  yield pageText(page, linkPage(db, filter, page), ({ id: _, ...link }) => JSON.stringify(link));
}
