/** Everything that can be listed or exported, as the text of one JSON array, in chunks. */
import type { Db } from '../../db/open.ts';
import { type ConcessionActListing, concessionActTexts } from '../../catalogue/concession-act/listing.ts';
import { type OperatorListing, operatorTexts } from '../../catalogue/foreign-operator/listing.ts';
import { type LinkListing, linkTexts } from '../../catalogue/manufacturer-link/listing.ts';
import { type ProductListing, productTexts } from '../../catalogue/product/listing.ts';

export type ListingRequest = ProductListing | OperatorListing | LinkListing | ConcessionActListing;

const CHUNK_CHARACTERS = 64 * 1024;

const FRAMES = {
  list: { open: '[', comma: ',', close: ']', empty: undefined },
  export: { open: '[\n', comma: ',\n', close: '\n]', empty: '[]' },
} as const;

/** Yields nothing but empty texts, where others may have their turn, for an empty list, and `[]` for an empty export. */
export function* listingChunks(db: Db, request: ListingRequest): Generator<string> {
  const frame = FRAMES[request.form];
  let chunk: string = frame.open;
  let isEmpty = true;
  for (const text of recordTexts(db, request)) {
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

function recordTexts(db: Db, request: ListingRequest): Iterable<string> {
  switch (request.kind) {
    case 'products':
      return productTexts(db, request.filter, request.form);
    case 'operators':
      return operatorTexts(db, request.filter, request.form);
    case 'links':
      return linkTexts(db, request.filter);
    case 'concessionActs':
      return concessionActTexts(db, request.filter);
  }
}
