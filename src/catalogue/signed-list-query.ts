/**
 * Finds products whose names may contain words, by their signatures (migrations/0028): a tenth of the work
 * of reading each product.
 */
import type { Db } from '../db/open.ts';
import { type Signature, signatureOf } from '../validation/trigrams.ts';

/** Number of signatures in one stretch: some 3 ms. */
const STRETCH = 50_000;

const STRETCH_OF_SIGNED = `SELECT product_id FROM product_signature WHERE product_id > ? AND product_id <= ?
  ORDER BY product_id LIMIT 1 OFFSET ${STRETCH - 1}`;

interface Keys {
  readonly after: number;
  readonly upTo: number;
}

/** Yields keys in stretches of that many signatures, for any gaps between keys. */
export function* signedStretches(db: Db, keys: Keys): Generator<Keys> {
  const stretchEnd = db.prepare<[number, number], number>(STRETCH_OF_SIGNED).pluck();
  const { upTo } = keys;
  for (let after: number | undefined = keys.after; after !== undefined;) {
    const end: number | undefined = stretchEnd.get(after, upTo);
    yield { after, upTo: end ?? upTo };
    after = end;
  }
}

/**
 * Returns the bits that a product's signature must have; `undefined`: the words have no bits, as short ones
 * do.
 */
export function maskOf(words: readonly string[]): Signature | undefined {
  const mask = signatureOf(words);
  return mask.low === 0n && mask.high === 0n ? undefined : mask;
}

const PLACES = { from: '?', until: '?', low: '?', high: '?' };

/** Returns the text after FROM; unnamed parameters are in the order from, until, low, low, high, high. */
export const signedProducts = ({ from, until, low, high } = PLACES): string =>
  `product_signature s CROSS JOIN product p ON p.id = s.product_id
   WHERE s.product_id > ${from} AND s.product_id <= ${until}
     AND (s.low & ${low}) = ${low} AND (s.high & ${high}) = ${high}`;
