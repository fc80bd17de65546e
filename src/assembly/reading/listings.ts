/** Yields every list and export as the chunks of one JSON array. */
import { type ConcessionActListing, concessionActTexts } from '../../catalogue/concession-act/listing.ts';
import { type OperatorListing, operatorTexts } from '../../catalogue/foreign-operator/listing.ts';
import type { Listing } from '../../catalogue/listed.ts';
import { type LinkListing, linkTexts } from '../../catalogue/manufacturer-link/listing.ts';
import { type ProductListing, productTexts } from '../../catalogue/product/page.ts';
import type { Db } from '../../db/open.ts';
import { resolveFilter } from './to-mend.ts';

const CHUNK_CHARACTERS = 64 * 1024;

/** Text around the records. `empty` is the whole text when there are none; `undefined` means no text. */
const FRAMES = {
  list: { open: '[', comma: ',', close: ']', empty: undefined },
  export: { open: '[\n', comma: ',\n', close: '\n]', empty: '[]' },
} as const;

export const LISTINGS = {
  *products(db: Db, { filter, form }: ProductListing) {
    const { filter: sqlFilter } = yield* resolveFilter(db, filter);
    yield* arrayChunks(productTexts(db, sqlFilter, form), form);
  },
  operators: (db: Db, { filter, form }: OperatorListing) =>
    arrayChunks(operatorTexts(db, filter, form), form),
  links: (db: Db, { filter, form }: LinkListing) => arrayChunks(linkTexts(db, filter), form),
  concessionActs: (db: Db, { filter, form }: ConcessionActListing) =>
    arrayChunks(concessionActTexts(db, filter), form),
};

export type ListingRequest = Parameters<(typeof LISTINGS)[keyof typeof LISTINGS]>[1];

export const listingChunks = (db: Db, request: ListingRequest): Generator<string> =>
  (LISTINGS[request.kind] as (db: Db, request: ListingRequest) => Generator<string>)(db, request);

/**
 * Yields the array in chunks, and empty texts where other reads may run. An empty list has no text, and an
 * empty export is `[]`.
 */
function* arrayChunks(records: Iterable<string>, form: Listing['form']): Generator<string> {
  const frame = FRAMES[form];
  let chunk: string = frame.open;
  let isEmpty = true;
  for (const text of records) {
    if (text === '') {
      yield '';
      continue;
    }
    chunk += isEmpty ? text : frame.comma + text;
    isEmpty = false;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (!isEmpty) yield chunk + frame.close;
  else if (frame.empty !== undefined) yield frame.empty;
}
