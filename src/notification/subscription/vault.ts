/**
 * Secrets at rest (contract section 9): AES-256-GCM with a key that lies beside the database, not in it. Each secret is
 * bound to its subscription and its member, so that a row cannot borrow another's.
 */
import { nodeCrypto } from '../../system/builtin.ts';
import { latest } from '../../system/latest.ts';
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

/** Secrets that are remembered as they were opened last. */
const OPENED_MAX = 1000;

export class Vault {
  readonly #key: Uint8Array;
  /** Under the subscription and the member that it was sealed for. */
  readonly #opened = latest<string, { readonly sealed: Uint8Array; readonly secret: string }>(OPENED_MAX);

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

  /** Deliveries ask for the same few again and again: opening one anew costs a twentieth of a delivery. */
  #open(subscriptionId: number, member: SecretMember, sealed: Uint8Array | null): string | null {
    if (sealed === null) return null;
    const name = `${subscriptionId} ${member}`;
    const known = this.#opened.get(name);
    if (known !== undefined && Buffer.compare(known.sealed, sealed) === 0) return known.secret;
    const secret = this.#unseal(subscriptionId, member, sealed);
    this.#opened.set(name, { sealed, secret });
    return secret;
  }

  #unseal(subscriptionId: number, member: SecretMember, sealed: Uint8Array): string {
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
