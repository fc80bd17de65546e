/**
 * Encrypts secrets at rest: AES-256-GCM with a key that is stored next to the database, not in it. Each is
 * bound to its purpose, so that no row can use the secret of another.
 */
import { nodeCrypto } from '../system/builtin.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the stored form: nonce, ciphertext and tag in one piece. */
export function seal(key: Uint8Array, purpose: string, secret: string): Uint8Array {
  const { createCipheriv, randomBytes } = nodeCrypto();
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a secret. Throws when it was sealed with another key or for another purpose. `what` names it in
 * Portuguese.
 */
export function unseal(key: Uint8Array, purpose: string, sealed: Uint8Array, what: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = nodeCrypto().createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString('utf8');
  } catch (error) {
    throw new Error(`${what} não pôde ser decifrada: o arquivo de chaves não é o deste banco de dados.`, {
      cause: error,
    });
  }
}
