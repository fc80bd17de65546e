/** Products whose names may hold words, found by their signatures (migrations/0028): a tenth of the work of looking at each. */
import type { Db } from '../db/open.ts';
import { type Signature, signatureOf } from '../validation/trigrams.ts';

/** Signatures that are gone through at a time: some 3 ms. */
const STRETCH = 50_000;

const STRETCH_OF_SIGNED = `SELECT product_id FROM product_signature WHERE product_id > ? AND product_id <= ?
  ORDER BY product_id LIMIT 1 OFFSET ${STRETCH - 1}`;

interface Keys {
  readonly after: number;
  readonly upTo: number;
}

/** Keys in stretches of so many signatures, however far apart they are. */
export function* signedStretches(db: Db, keys: Keys): Generator<Keys> {
  const stretchEnd = db.prepare<[number, number], number>(STRETCH_OF_SIGNED).pluck();
  const { upTo } = keys;
  for (let after: number | undefined = keys.after; after !== undefined;) {
    const end: number | undefined = stretchEnd.get(after, upTo);
    yield { after, upTo: end ?? upTo };
    after = end;
  }
}

/** The bits that a product's signature must have; `undefined`: the words say nothing of it, as short ones do. */
export function maskOf(words: readonly string[]): Signature | undefined {
  const mask = signatureOf(words);
  return mask.low === 0n && mask.high === 0n ? undefined : mask;
}

const PLACES = { from: '?', until: '?', low: '?', high: '?' };

/** What follows FROM; where the parameters have no names they stand in the order from, until, low, low, high, high. */
export const signedProducts = ({ from, until, low, high } = PLACES): string =>
  `product_signature s CROSS JOIN product p ON p.id = s.product_id
   WHERE s.product_id > ${from} AND s.product_id <= ${until}
     AND (s.low & ${low}) = ${low} AND (s.high & ${high}) = ${high}`;
