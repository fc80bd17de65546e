/** Everything that is read in the Workers, kind by kind. */
import { Impact, type ImpactRead } from '../catalogue/attribute/activation/impact.ts';
import { type ListingRequest, listingChunks } from '../catalogue/listings.ts';
import type { Db } from '../db/open.ts';
import type { Texts } from './turns.ts';

export type KnownRead = ListingRequest | ImpactRead;

export function textsOf(db: Db, request: KnownRead): Texts {
  return request.kind === 'impact'
    ? new Impact(db, request.impact).text(request.form)
    : listingChunks(db, request);
}
