/** How the chain is closed: hashes that anybody can work out again, and a seal on the last that only who has the keys can make. */
import type { Keys } from '../db/folder.ts';
import type { Page } from './store.ts';

/** Before the first page. */
export const NO_HASH: Uint8Array = new Uint8Array(32);

type Hashed = Pick<Page, 'firstSeq' | 'lastSeq' | 'at' | 'entries' | 'brokenAt' | 'sealed'>;

export function hashOf(
  before: Uint8Array,
  { firstSeq, lastSeq, at, entries, brokenAt, sealed }: Hashed,
): Uint8Array {
  // The letter tells a page of ours from one of an older version, which had no such number.
  return new Bun.CryptoHasher('sha256')
    .update(before)
    .update(
      `${sealed === null ? '' : `s${sealed} `}${firstSeq} ${lastSeq} ${at} ${brokenAt ?? ''} ${entries}`,
    )
    .digest();
}

/** A key of its own, so that a seal tells nothing of what else is done with the keys. */
export const auditKey = ({ secrets }: Keys): Uint8Array =>
  new Bun.CryptoHasher('sha256', secrets).update('catp audit').digest();

export const sealOf = (key: Uint8Array, hash: Uint8Array): Uint8Array =>
  new Bun.CryptoHasher('sha256', key).update(hash).digest();

export const isSame = (one: Uint8Array, other: Uint8Array | null): boolean =>
  other !== null && Buffer.compare(one, other) === 0;
