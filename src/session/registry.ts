/**
 * What each user may do right now. Remembered in memory, and forgotten as soon as anything of it may have changed: by
 * this process, or by another one, for instance the command line.
 */
import type { Feed } from '../db/feed.ts';
import { latest } from '../system/latest.ts';
import { CATALOGUE_PROFILE, type Caller } from './model.ts';
import type { SessionStore } from './store.ts';
import type { Claims } from './tokens.ts';

/**
 * A session names in its `jti` the key that opened it, and the instance that did: `<client id>~<instance>.<random>`. Instances
 * that share the key of tokens take each other's sessions; a key lies with its own instance, and is revoked there.
 */
export const jtiOf = (clientId: string, instance: string, random: string): string =>
  `${clientId}~${instance}.${random}`;

function openedBy(jti: string): { readonly clientId: string; readonly instance: string } {
  const end = jti.lastIndexOf('~');
  return { clientId: jti.slice(0, end), instance: jti.slice(end + 1, jti.lastIndexOf('.')) };
}

/** The `jti` prefix of a session that was opened with a client certificate. */
export const CERTIFICATE = '';

/** Sessions whose callers are remembered, the latest used ones: a caller takes some hundred bytes, and a look-up is cheap. */
export const REMEMBERED_CALLERS = 10_000;

export class Registry {
  readonly #feed: Feed;
  readonly #store: SessionStore;
  readonly #instance: string;
  readonly #callers = latest<string, Caller>(REMEMBERED_CALLERS);

  /** `instance`: how this one is named in its sessions. */
  constructor(feed: Feed, store: SessionStore, instance: string) {
    this.#feed = feed;
    this.#store = store;
    this.#instance = instance;
    feed.subscribe('accounts', () => this.#callers.clear());
  }

  /** The caller behind verified claims; `undefined` when the user is gone, or a key of this instance. */
  find(claims: Claims): Caller | undefined {
    this.#feed.look();
    const known = this.#callers.get(claims.jti);
    if (known !== undefined) return known;
    const caller = this.#load(claims);
    if (caller !== undefined) this.#callers.set(claims.jti, caller);
    return caller;
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  #load({ documento, perfil, jti }: Claims): Caller | undefined {
    const user = this.#store.findUser(documento);
    const { clientId, instance } = openedBy(jti);
    const needsKey = clientId !== CERTIFICATE && instance === this.#instance;
    const hasKey = !needsKey || this.#store.findKey(clientId)?.documento === documento;
    if (user === undefined || !hasKey) return undefined;
    const companies = perfil === CATALOGUE_PROFILE ? this.#store.companiesOf(documento, perfil) : [];
    return { ...user, perfil, companies: new Set(companies) };
  }
}
