/**
 * What each user may do right now. Remembered in memory, and forgotten as soon as anything of it may have changed: by
 * this process, or by another one, for instance the command line.
 */
import type { EpochMs } from '../clock.ts';
import type { Feed } from '../db/feed.ts';
import { latest } from '../system/latest.ts';
import type { Caller } from './model.ts';
import type { SessionStore } from './store.ts';
import type { Claims } from './tokens.ts';

/**
 * A session names in its `jti` what opened it, the instance that did, and when: `<client id>~<instance>.<random>.<moment>`, or
 * with a certificate `:<serial>~<instance>.<random>.<moment>`. Instances that share the key of tokens take each other's
 * sessions, but those of an administrator; a key lies with its own instance, and is revoked there.
 */
export const jtiOf = (opener: string, instance: string, random: string, openedAt: EpochMs): string =>
  `${opener}~${instance}.${random}.${openedAt.toString(36)}`;

export function openingOf(jti: string) {
  const end = jti.lastIndexOf('~');
  const [instance = '', , openedAt = ''] = jti.slice(end + 1).split('.');
  return { opener: jti.slice(0, end), instance, openedAt: Number.parseInt(openedAt, 36) };
}

/** No Client-Id begins so. */
const CERTIFICATE = ':';

export const certificateOpener = (serial: string): string => CERTIFICATE + serial;

export const isCertificate = (opener: string): boolean => opener.startsWith(CERTIFICATE);

/** Sessions whose callers are remembered, the latest used ones: a caller takes some hundred bytes, and a look-up is cheap. */
export const REMEMBERED_CALLERS = 10_000;

const NO_COMPANIES: ReadonlySet<string> = new Set();

/** Something that goes on for a session. */
interface Watched {
  readonly claims: Claims;
  readonly companies: ReadonlySet<string>;
  readonly lost: () => void;
}

export class Registry {
  readonly #feed: Feed;
  readonly #store: SessionStore;
  readonly #instance: string;
  readonly #callers = latest<string, Caller>(REMEMBERED_CALLERS);
  readonly #watched = new Set<Watched>();
  /** Counts the changes of accounts. */
  #changes = 0;

  /** `instance`: how this one is named in its sessions. */
  constructor(feed: Feed, store: SessionStore, instance: string) {
    this.#feed = feed;
    this.#store = store;
    this.#instance = instance;
    feed.subscribe('accounts', () => this.#forget());
  }

  /** The caller behind verified claims; `undefined` when the session has ended, the user is gone, or a key of this instance. */
  find(claims: Claims): Caller | undefined {
    this.#feed.look();
    const known = this.#callers.get(claims.jti);
    if (known !== undefined) return known;
    const caller = this.#load(claims);
    if (caller !== undefined) this.#callers.set(claims.jti, caller);
    return caller;
  }

  /**
   * Calls `lost`, once, when the caller's session ends or the caller no longer represents a company that it does now (contract
   * section 16, "A right ends everywhere at once"). Returns how to end that.
   */
  watch(claims: Claims, lost: () => void): () => void {
    const watched = { claims, companies: this.#read(claims)?.companies ?? NO_COMPANIES, lost };
    this.#watched.add(watched);
    return () => void this.#watched.delete(watched);
  }

  #forget(): void {
    this.#callers.clear();
    this.#changes += 1;
    for (const one of this.#watched) {
      const now = this.#read(one.claims);
      if (now !== undefined && one.companies.isSubsetOf(now.companies)) continue;
      this.#watched.delete(one);
      one.lost();
    }
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  /** The caller of a request that goes on while accounts change: its companies are those of the moment in which they are read. */
  #load(claims: Claims): Caller | undefined {
    const caller = this.#read(claims);
    if (caller === undefined) return undefined;
    let { companies } = caller;
    let seen = this.#changes;
    const current = (): ReadonlySet<string> => {
      if (seen !== this.#changes) {
        seen = this.#changes;
        companies = this.#read(claims)?.companies ?? NO_COMPANIES;
      }
      return companies;
    };
    return Object.defineProperty({ ...caller }, 'companies', { get: current, enumerable: true });
  }

  #read({ documento, perfil, jti }: Claims): Caller | undefined {
    const caller = this.#store.findCaller(documento, perfil);
    const { opener, instance, openedAt } = openingOf(jti);
    const byCertificate = isCertificate(opener);
    const isOurs = instance === this.#instance;
    const key = byCertificate || !isOurs ? undefined : this.#store.findKey(opener);
    const hasKey = byCertificate || !isOurs || key?.documento === documento;
    if (caller === undefined || !hasKey || (caller.administrador && !isOurs)) return undefined;
    if (this.#store.endedAt(jti) !== undefined) return undefined;
    // Compared so, because a session from before moments were named has none.
    if (!(openedAt > (this.#store.endedAt(documento) ?? Number.NEGATIVE_INFINITY))) return undefined;
    const isKeyOfAnother = isPerson(key?.madeBy ?? '') && key?.madeBy !== documento;
    return { ...caller, key: byCertificate ? opener.slice(CERTIFICATE.length) : opener, isKeyOfAnother };
  }
}

const isPerson = (name: string): boolean => /^\d/.test(name);
