/**
 * Signatures of texts in 128 bits: each three neighbouring letters set one bit. A text that contains a word
 * has all bits of the word; a text with all these bits may contain it. So a search by bits misses no match,
 * and reads few texts for a rare word.
 */

export interface Signature {
  readonly low: bigint;
  readonly high: bigint;
}

const LENGTH = 3;

/** The 128 bits. They are read as two signed integers, the type that SQLite has. */
const WORDS = new Uint32Array(4);
const HALVES = new BigInt64Array(WORDS.buffer);
const BITS_OF_WORD = 32;
/** The highest seven bits of a hash select one of 128. */
const SHIFT = 25;

/** Returns the bits that these texts set. A text shorter than three letters sets none. */
export function signatureOf(texts: readonly string[]): Signature {
  WORDS.fill(0);
  for (const text of texts)
    for (let offset = 0; offset + LENGTH <= text.length; offset += 1) {
      const bit = hashAt(text, offset) >>> SHIFT;
      const word = Math.floor(bit / BITS_OF_WORD);
      WORDS[word] = (WORDS[word] ?? 0) | (1 << (bit % BITS_OF_WORD));
    }
  return { low: HALVES[0] as bigint, high: HALVES[1] as bigint };
}

/**
 * Hashes three letters. The multipliers are odd and half of their bits are set: those of xxHash and of a
 * Murmur finisher.
 */
function hashAt(text: string, offset: number): number {
  const mixed =
    Math.imul(text.charCodeAt(offset), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(offset + 1), 0x85ebca77) ^
    Math.imul(text.charCodeAt(offset + 2), 0xc2b2ae3d);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}
