/** Links of an export, one text each. */
import type { Db } from '../../db/open.ts';
import { prettyRecord } from '../listed.ts';
import { type LinkFilter, iterateLinks } from './list-query.ts';
import { exportRecord } from './record.ts';
import type { Listing } from '../listed.ts';

export type LinkListing = Listing<'links', LinkFilter>;

export function* linkTexts(db: Db, filter: LinkFilter): Generator<string> {
  let seq = 0;
  for (const link of iterateLinks(db, filter)) {
    seq += 1;
    yield prettyRecord(exportRecord(filter.cpfCnpjRaiz, seq, link));
  }
}
