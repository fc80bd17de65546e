/**
 * What texts hold, in 128 bits: each three neighbouring letters set one of them. A text that holds another has all of its
 * bits; one that has them all may hold it. So nothing is missed, and few texts are looked at for a word that is rare.
 */

export interface Signature {
  readonly low: bigint;
  readonly high: bigint;
}

const LENGTH = 3;

/** Where the bits are set; read as two signed integers, which is what SQLite's are. */
const WORDS = new Uint32Array(4);
const HALVES = new BigInt64Array(WORDS.buffer);
const BITS_OF_WORD = 32;
/** The highest seven bits of a hash say which of 128. */
const SHIFT = 25;

/** The bits that all of these texts set; none that is shorter than three letters sets any. */
export function signatureOf(texts: readonly string[]): Signature {
  WORDS.fill(0);
  for (const text of texts)
    for (let at = 0; at + LENGTH <= text.length; at += 1) {
      const bit = hashAt(text, at) >>> SHIFT;
      const word = Math.floor(bit / BITS_OF_WORD);
      WORDS[word] = (WORDS[word] ?? 0) | (1 << (bit % BITS_OF_WORD));
    }
  return { low: HALVES[0] as bigint, high: HALVES[1] as bigint };
}

/** The multipliers are odd and have as many bits as not: those of xxHash and of a finisher of Murmur's kind. */
function hashAt(text: string, at: number): number {
  const mixed =
    Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85ebca77) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2ae3d);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}
