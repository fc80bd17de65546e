/** Encrypts secrets at rest (contract section 9). Each is bound to its subscription and its member. */
import { seal, unseal } from '../../db/seal.ts';
import { lruCache } from '../../system/lru-cache.ts';
import type { Secrets } from './model.ts';

export type SecretMember = keyof Secrets;

/** The stored form: nonce, ciphertext and tag in one value. */
export interface SealedSecrets {
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

/** Limit of opened secrets in the cache. */
const CACHED_MAX = 1000;

export class SecretSealer {
  readonly #key: Uint8Array;
  /** A cache of opened secrets, keyed by subscription and member. */
  readonly #cache = lruCache<string, { readonly sealed: Uint8Array; readonly secret: string }>(CACHED_MAX);

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  seal(subscriptionId: number, member: SecretMember, secret: string): Uint8Array {
    return seal(this.#key, purpose(subscriptionId, member), secret);
  }

  /**
   * Opens both secrets of a subscription. Throws when they were sealed with another key or for another
   * subscription.
   */
  open(subscriptionId: number, sealed: SealedSecrets): Secrets {
    return {
      chaveSecreta: this.#open(subscriptionId, 'chaveSecreta', sealed.chaveSecreta),
      chaveAutenticacao: this.#open(subscriptionId, 'chaveAutenticacao', sealed.chaveAutenticacao),
    };
  }

  /**
   * Opens one secret, from the cache if possible: deliveries use the same few, and opening one costs a
   * twentieth of a delivery.
   */
  #open(subscriptionId: number, member: SecretMember, sealed: Uint8Array | null): string | null {
    if (sealed === null) return null;
    const name = `${subscriptionId} ${member}`;
    const cached = this.#cache.get(name);
    if (cached !== undefined && Buffer.compare(cached.sealed, sealed) === 0) return cached.secret;
    const what = `${member} da assinatura ${subscriptionId}`;
    const secret = unseal(this.#key, purpose(subscriptionId, member), sealed, what);
    this.#cache.set(name, { sealed, secret });
    return secret;
  }
}

const purpose = (subscriptionId: number, member: SecretMember): string =>
  `catp subscription ${subscriptionId} ${member}`;
