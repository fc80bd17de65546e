/**
 * What each user may do right now. Remembered in memory, and forgotten as soon as anything of it may have changed: by
 * this process, or by another one, for instance the command line.
 */
import type { Feed } from '../db/feed.ts';
import { latest } from '../system/latest.ts';
import { CATALOGUE_PROFILE, type Caller } from './model.ts';
import type { SessionStore } from './store.ts';
import type { Claims } from './tokens.ts';

/** A session names the key that opened it in its `jti`: `<client id>~<random>`. */
export const jtiOf = (clientId: string, random: string): string => `${clientId}~${random}`;

const clientIdOf = (jti: string): string => jti.slice(0, jti.lastIndexOf('~'));

/** The `jti` prefix of a session that was opened with a client certificate. */
export const CERTIFICATE = '';

/** Sessions whose callers are remembered, the latest used ones: a caller takes some hundred bytes, and a look-up is cheap. */
export const REMEMBERED_CALLERS = 10_000;

export class Registry {
  readonly #feed: Feed;
  readonly #store: SessionStore;
  readonly #callers = latest<string, Caller>(REMEMBERED_CALLERS);

  constructor(feed: Feed, store: SessionStore) {
    this.#feed = feed;
    this.#store = store;
    feed.subscribe('accounts', () => this.#callers.clear());
  }

  /** The caller behind verified claims; `undefined` when the user or the key is gone. */
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
    const clientId = clientIdOf(jti);
    const key = clientId === CERTIFICATE ? undefined : this.#store.findKey(clientId);
    if (user === undefined || (clientId !== CERTIFICATE && key?.documento !== documento)) return undefined;
    const companies = perfil === CATALOGUE_PROFILE ? this.#store.companiesOf(documento, perfil) : [];
    return { ...user, perfil, companies: new Set(companies) };
  }
}
