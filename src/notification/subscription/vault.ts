/**
 * Secrets at rest (contract section 9): AES-256-GCM with a key that lies beside the database, not in it. Each secret is
 * bound to its subscription and its member, so that a row cannot borrow another's.
 */
import { nodeCrypto } from '../../system/builtin.ts';
import type { Secrets } from './model.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SecretMember = keyof Secrets;

/** As they are kept: nonce, ciphertext and tag in one piece. */
export interface SealedSecrets {
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

export class Vault {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  seal(subscriptionId: number, member: SecretMember, secret: string): Uint8Array {
    const { createCipheriv, randomBytes } = nodeCrypto();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(purpose(subscriptionId, member));
    return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Both secrets of a subscription. Throws when they were sealed with another key or for another subscription. */
  open(subscriptionId: number, sealed: SealedSecrets): Secrets {
    return {
      chaveSecreta: this.#open(subscriptionId, 'chaveSecreta', sealed.chaveSecreta),
      chaveAutenticacao: this.#open(subscriptionId, 'chaveAutenticacao', sealed.chaveAutenticacao),
    };
  }

  #open(subscriptionId: number, member: SecretMember, sealed: Uint8Array | null): string | null {
    if (sealed === null) return null;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = nodeCrypto().createDecipheriv(ALGORITHM, this.#key, nonce, options);
    decipher.setAAD(purpose(subscriptionId, member));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new Error(
        `${member} da assinatura ${subscriptionId} não pôde ser decifrada: o arquivo de chaves não é o deste banco de dados.`,
        { cause: error },
      );
    }
  }
}

const purpose = (subscriptionId: number, member: SecretMember): Uint8Array =>
  Buffer.from(`catp subscription ${subscriptionId} ${member}`);
