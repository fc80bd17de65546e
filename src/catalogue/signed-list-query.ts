/** Products whose names may hold words, found by their signatures (migrations/0028): a tenth of the work of looking at each. */
import { type Signature, signatureOf } from '../validation/trigrams.ts';

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
