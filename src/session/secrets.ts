/** Client secrets: random, shown once, stored as a hash. */
import { isSameSecret } from '../system/same-secret.ts';

const CLIENT_ID_BYTES = 12;
const CLIENT_SECRET_BYTES = 32;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function newCredentials(): Credentials {
  return { clientId: wordOf(CLIENT_ID_BYTES), clientSecret: wordOf(CLIENT_SECRET_BYTES) };
}

/** A text that a command line does not take for an option: none that begins with `-`. */
function wordOf(bytes: number): string {
  const text = randomText(bytes);
  return text.startsWith('-') ? wordOf(bytes) : text;
}

export const randomText = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');

/** A secret has 256 random bits, so one round of SHA-256 is enough: there is nothing to guess. */
export const hashOf = (clientSecret: string): string =>
  new Bun.CryptoHasher('sha256').update(`catp|${clientSecret}`).digest('hex');

const INSTANCE_CHARACTERS = 8;

/** How an instance is named in its sessions: by the key that it shares with no other, of which this tells nothing. */
export const instanceNameOf = (ownKey: Uint8Array): string =>
  new Bun.CryptoHasher('sha256')
    .update('catp|instance|')
    .update(ownKey)
    .digest('base64url')
    .slice(0, INSTANCE_CHARACTERS);

const NOBODYS_HASH = hashOf(randomText(CLIENT_SECRET_BYTES));

/** Compares in the same time whether or not there is a key. */
export function isSecret(clientSecret: string, storedHash: string | undefined): boolean {
  const equal = isSameSecret(hashOf(clientSecret), storedHash ?? NOBODYS_HASH);
  return equal && storedHash !== undefined;
}
