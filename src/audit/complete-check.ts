/** Verifies the whole trail of a folder with the keys in it. A server does it in the background. */
import { findKeys } from '../db/folder.ts';
import type { Db } from '../db/open.ts';
import { OuterSeal } from './outer-seal.ts';
import { auditKey } from './seal.ts';
import { type Verification, verifyAudit } from './verify.ts';

export interface TrailRead {
  readonly kind: 'trail';
  /** The data folder. */
  readonly folder: string;
}

/** Verifies with the keys in the folder. Without keys the seals are not verified. */
export function verifyFolder(
  db: Db,
  folder: string,
  { withSeal = true }: { readonly withSeal?: boolean } = {},
): Verification & { readonly hasKeys: boolean } {
  const keys = findKeys(folder);
  const key = keys === undefined || keys === 'damaged' ? undefined : auditKey(keys);
  const verification = verifyAudit(db, {
    key,
    outer: withSeal ? key && new OuterSeal(folder, key) : undefined,
  });
  return { ...verification, hasKeys: key !== undefined };
}

export function* trailText(db: Db, { folder }: TrailRead): Generator<string> {
  yield JSON.stringify(verifyFolder(db, folder).fault ?? null);
}
