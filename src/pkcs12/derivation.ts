/**
 * Derives keys from a password (RFC 7292, appendix B; RFC 8018) and limits the cost. Derivation blocks the
 * calling thread.
 */
import { nodeCrypto } from '../system/builtin.ts';

/** Limit of the iterations of all keys of one file together (contract section 16). */
export const ITERATIONS_MAX = 600_000;

/** A file exceeds the limit. `iterations`: the total of all known keys. */
export class TooCostly extends Error {
  readonly iterations: number;

  constructor(iterations: number) {
    super(`${iterations} iterations`);
    this.iterations = iterations;
  }
}

/** Adds up the cost of the keys of one file. */
export class Cost {
  #iterations = 0;

  add(iterations: number): void {
    this.#iterations += iterations;
  }

  /** Checks the limit before any derivation. Throws `TooCostly`. */
  check(): void {
    if (this.#iterations > ITERATIONS_MAX) throw new TooCostly(this.#iterations);
  }
}

export type Digest = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';

/** Purposes of a derived key. */
export const PURPOSE = { key: 1, iv: 2, seal: 3 } as const;

export interface Derivation {
  readonly digest: Digest;
  readonly salt: Uint8Array;
  readonly iterations: number;
}

/** Encodes a password for PKCS #12: two bytes per character, with two zeros at the end. */
export const passwordBytes = (password: string): Buffer => Buffer.from(`${password}\0`, 'utf16le').swap16();

/** Derives a key (RFC 7292, appendix B.2). */
export function pkcs12Key(
  password: Uint8Array,
  { digest, salt, iterations }: Derivation,
  purpose: (typeof PURPOSE)[keyof typeof PURPOSE],
  bytes: number,
): Buffer {
  const { createHash } = nodeCrypto();
  const blockBytes = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const filled = (part: Uint8Array): Buffer =>
    part.length === 0
      ? Buffer.alloc(0)
      : Buffer.alloc(Math.ceil(part.length / blockBytes) * blockBytes, part);
  const diversifier = Buffer.alloc(blockBytes, purpose);
  const input = Buffer.concat([filled(salt), filled(password)]);
  const parts: Buffer[] = [];
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 0) {
    let hash = createHash(digest).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round += 1) hash = createHash(digest).update(hash).digest();
    parts.push(hash);
    const addend = Buffer.alloc(blockBytes, hash);
    for (let offset = 0; offset < input.length; offset += blockBytes)
      addOne(input.subarray(offset, offset + blockBytes), addend);
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

/** Computes `block + addend + 1`, truncated to its length. */
function addOne(block: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let offset = block.length - 1; offset >= 0; offset -= 1) {
    carry += (block[offset] ?? 0) + (addend[offset] ?? 0);
    block[offset] = carry & 255;
    carry >>= 8;
  }
}
