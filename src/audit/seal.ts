/** Protects the chain: hashes that anybody can recompute, and a seal on the last one that needs the keys. */
import type { Keys } from '../db/folder.ts';
import type { Page } from './store.ts';

/** The hash before the first page. */
export const NO_HASH: Uint8Array = new Uint8Array(32);

type HashedMembers = Pick<Page, 'firstSeq' | 'lastSeq' | 'at' | 'entries' | 'brokenAt' | 'sealed'>;

export function hashOf(
  before: Uint8Array,
  { firstSeq, lastSeq, at, entries, brokenAt, sealed }: HashedMembers,
): Uint8Array {
  // The letter distinguishes our pages from those of an older version, which had no such number.
  return new Bun.CryptoHasher('sha256')
    .update(before)
    .update(
      `${sealed === null ? '' : `s${sealed} `}${firstSeq} ${lastSeq} ${at} ${brokenAt ?? ''} ${entries}`,
    )
    .digest();
}

/** Derives a separate key, so that seals and other uses of the keys are independent of each other. */
export const auditKey = ({ secrets }: Keys): Uint8Array =>
  new Bun.CryptoHasher('sha256', secrets).update('catp audit').digest();

export const sealOf = (key: Uint8Array, hash: Uint8Array): Uint8Array =>
  new Bun.CryptoHasher('sha256', key).update(hash).digest();

export const isSame = (hash: Uint8Array, otherHash: Uint8Array | null): boolean =>
  otherHash !== null && Buffer.compare(hash, otherHash) === 0;
