/** Client secrets: random, shown once, stored as a hash. */
import { isSameSecret } from '../system/same-secret.ts';

const CLIENT_ID_BYTES = 12;
const CLIENT_SECRET_BYTES = 32;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function newCredentials(): Credentials {
  return { clientId: optionSafeText(CLIENT_ID_BYTES), clientSecret: optionSafeText(CLIENT_SECRET_BYTES) };
}

/** Returns a random text that no command line takes for an option: it never begins with `-`. */
function optionSafeText(bytes: number): string {
  const text = randomText(bytes);
  return text.startsWith('-') ? optionSafeText(bytes) : text;
}

export const randomText = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');

/** Hashes a secret with one round of SHA-256, which is enough for 256 random bits: guessing is impossible. */
export const hashOf = (clientSecret: string): string =>
  new Bun.CryptoHasher('sha256').update(`catp|${clientSecret}`).digest('hex');

const INSTANCE_CHARACTERS = 8;

/**
 * Returns the name of an instance in its sessions. It is a hash of the key that only this instance has: the
 * key cannot be computed from it.
 */
export const instanceNameOf = (ownKey: Uint8Array): string =>
  new Bun.CryptoHasher('sha256')
    .update('catp|instance|')
    .update(ownKey)
    .digest('base64url')
    .slice(0, INSTANCE_CHARACTERS);

const UNUSED_HASH = hashOf(randomText(CLIENT_SECRET_BYTES));

/** Compares in constant time, with or without a stored key. */
export function isSecret(clientSecret: string, storedHash: string | undefined): boolean {
  const equal = isSameSecret(hashOf(clientSecret), storedHash ?? UNUSED_HASH);
  return equal && storedHash !== undefined;
}
