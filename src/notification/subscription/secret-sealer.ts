/** Secrets at rest (contract section 9), each bound to its subscription and its member. */
import { seal, unseal } from '../../db/seal.ts';
import { latest } from '../../system/latest.ts';
import type { Secrets } from './model.ts';

export type SecretMember = keyof Secrets;

/** As they are kept: nonce, ciphertext and tag in one piece. */
export interface SealedSecrets {
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

/** Secrets that are remembered as they were opened last. */
const OPENED_MAX = 1000;

export class SecretSealer {
  readonly #key: Uint8Array;
  /** Under the subscription and the member that it was sealed for. */
  readonly #opened = latest<string, { readonly sealed: Uint8Array; readonly secret: string }>(OPENED_MAX);

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  seal(subscriptionId: number, member: SecretMember, secret: string): Uint8Array {
    return seal(this.#key, purpose(subscriptionId, member), secret);
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
    const what = `${member} da assinatura ${subscriptionId}`;
    const secret = unseal(this.#key, purpose(subscriptionId, member), sealed, what);
    this.#opened.set(name, { sealed, secret });
    return secret;
  }
}

const purpose = (subscriptionId: number, member: SecretMember): string =>
  `catp subscription ${subscriptionId} ${member}`;
