/**
 * What each user may do right now. Remembered in memory and forgotten as soon as anything of it may have changed: by
 * this process (`forget`), or by another one, for instance the command line (SQLite's data_version tells).
 */
import type { Clock } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { CATALOGUE_PROFILE, type Caller } from './model.ts';
import type { SessionStore } from './store.ts';
import type { Claims } from './tokens.ts';

/** A session names the key that opened it in its `jti`: `<client id>~<random>`. */
export const jtiOf = (clientId: string, random: string): string => `${clientId}~${random}`;

const clientIdOf = (jti: string): string => jti.slice(0, jti.lastIndexOf('~'));

/** The `jti` prefix of a session that was opened with a client certificate. */
export const CERTIFICATE = '';

export class Registry {
  readonly #store: SessionStore;
  readonly #dataVersion;
  readonly #clock: Clock;
  readonly #callers = new Map<string, Caller>();
  #seenVersion = -1;
  #seenAt = -1;

  constructor(db: Db, store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#dataVersion = db.prepare('PRAGMA data_version').pluck();
  }

  /** The caller behind verified claims; `undefined` when the user or the key is gone. */
  find(claims: Claims): Caller | undefined {
    this.#forgetIfChangedElsewhere();
    const known = this.#callers.get(claims.jti);
    if (known !== undefined) return known;
    const caller = this.#load(claims);
    if (caller !== undefined) this.#callers.set(claims.jti, caller);
    return caller;
  }

  forget(): void {
    this.#callers.clear();
  }

  #forgetIfChangedElsewhere(): void {
    // One look per millisecond is as good as one per request, and cheaper under load.
    const now = this.#clock.test ? -1 : this.#clock.now();
    if (now !== -1 && now === this.#seenAt) return;
    this.#seenAt = now;
    const version = this.#dataVersion.get() as number;
    if (version !== this.#seenVersion) this.forget();
    this.#seenVersion = version;
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
