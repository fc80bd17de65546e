/**
 * Reads the current rights of each user. A cache in memory is cleared as soon as they may have changed, in
 * this process or in another one, for instance the command line.
 */
import type { EpochMs } from '../clock.ts';
import type { Feed } from '../db/feed.ts';
import type { Right } from '../right.ts';
import { lruCache } from '../system/lru-cache.ts';
import { COMMAND_LINE, type Caller, SYSTEM } from './model.ts';
import type { PasswordStore } from './password-store.ts';
import type { SessionStore } from './store.ts';
import type { Claims } from './tokens.ts';

/**
 * Returns the `jti` of a session, which names its opener, its instance and its moment: `<client
 * id>~<instance>.<random>.<moment>`; every other kind of opener has its mark before the name.
 * Instances that share the key of tokens accept each other's sessions, except those of an administrator. An
 * access key belongs to its own instance, and is revoked only by it.
 */
export const jtiOf = ({ kind, name }: Opener, instance: string, random: string, openedAt: EpochMs): string =>
  `${MARKS[kind]}${name}~${instance}.${random}.${openedAt.toString(36)}`;

export function openingOf(jti: string) {
  const end = jti.lastIndexOf('~');
  const [instance = '', , openedAt = ''] = jti.slice(end + 1).split('.');
  return { opener: openerIn(jti.slice(0, end)), instance, openedAt: Number.parseInt(openedAt, 36) };
}

/** The kinds of sign-in: a program has a key or a certificate, a person a password or a provider. */
type OpenerKind = 'key' | 'certificate' | 'password' | 'provider';

/**
 * The opener of a session. `name`, which is the `key` of the audit: the Client-Id, the serial number of the
 * certificate, or the name of the kind of a person's sign-in.
 */
export interface Opener {
  readonly kind: OpenerKind;
  readonly name: string;
}

/** The openers of people, which have no name of their own. */
export const PERSONAL_OPENERS = {
  password: { kind: 'password', name: 'senha' },
  provider: { kind: 'provider', name: 'oidc' },
} as const satisfies Partial<Record<OpenerKind, Opener>>;

/** Returns true for a session that a person opened, by password or provider (contract section 27). */
export const isPersonal = ({ kind }: Opener): boolean => Object.hasOwn(PERSONAL_OPENERS, kind);

/** Returns the subject that ends all sessions of a user that the provider opened. */
export const providerSessionsOf = (documento: string): string => `${MARKS.provider}${documento}`;

/** First character in a `jti`, which no Client-Id has. */
const MARKS = { key: '', certificate: ':', password: '!', provider: '+' } as const satisfies Record<
  OpenerKind,
  string
>;
const MARKED_KINDS = ['certificate', 'password', 'provider'] as const satisfies readonly OpenerKind[];

function openerIn(text: string): Opener {
  const kind = MARKED_KINDS.find((one) => text.startsWith(MARKS[one]));
  return kind === undefined ? { kind: 'key', name: text } : { kind, name: text.slice(MARKS[kind].length) };
}

/**
 * Maximum number of cached callers, the latest used ones: a caller takes some hundred bytes, and a look-up is
 * cheap.
 */
export const REMEMBERED_CALLERS = 10_000;

const NO_COMPANIES: ReadonlyMap<string, Right> = new Map();

/** The end of a whole session, or of rights of its caller. */
export type Loss =
  | { readonly kind: 'session' }
  | {
      readonly kind: 'rights';
      /** The companies that the caller no longer represents. */
      readonly companies: readonly string[];
      /** The caller is no longer an administrator. */
      readonly administrador: boolean;
    };

/** A watched session: a long request runs for it. */
interface Watch {
  readonly claims: Claims;
  readonly companies: readonly string[];
  readonly administrador: boolean;
  readonly onLoss: (loss: Loss) => void;
}

export class Registry {
  readonly #feed: Feed;
  readonly #store: SessionStore;
  readonly #passwords: Pick<PasswordStore, 'findChange'>;
  readonly #instance: string;
  readonly #callers = lruCache<string, Caller>(REMEMBERED_CALLERS);
  readonly #watches = new Set<Watch>();
  /** Counts the changes of accounts. */
  #changes = 0;

  /** `instance`: the name of this instance in its sessions. */
  constructor(
    feed: Feed,
    store: SessionStore,
    passwords: Pick<PasswordStore, 'findChange'>,
    instance: string,
  ) {
    this.#feed = feed;
    this.#store = store;
    this.#passwords = passwords;
    this.#instance = instance;
    feed.subscribe('accounts', () => this.#reloadCallers());
  }

  /**
   * Returns the caller of verified claims. `undefined`: the session has ended, or its user or its key of this
   * instance no longer exists.
   */
  find(claims: Claims): Caller | undefined {
    this.#feed.checkForChanges();
    const cached = this.#callers.get(claims.jti);
    if (cached !== undefined) return cached;
    const caller = this.#load(claims);
    if (caller !== undefined) this.#callers.set(claims.jti, caller);
    return caller;
  }

  /** Returns true for the session of an administrator; in a transaction after the changes of its earlier units. */
  isAdministrator(claims: Claims): boolean {
    const caller = this.#feed.isChanging('accounts') ? this.#read(claims) : this.find(claims);
    return caller?.administrador === true;
  }

  /**
   * Calls `onLoss` once, when the caller's session ends, or the caller stops representing one of its current
   * companies or being an administrator (contract section 16, "A right ends everywhere at once"). Returns a
   * function that stops the watch.
   */
  watch(claims: Claims, onLoss: (loss: Loss) => void): () => void {
    const { companies = NO_COMPANIES, administrador = false } = this.find(claims) ?? {};
    const watch = { claims, companies: [...companies.keys()], administrador, onLoss };
    this.#watches.add(watch);
    return () => void this.#watches.delete(watch);
  }

  #reloadCallers(): void {
    this.#callers.clear();
    this.#changes += 1;
    for (const one of this.#watches) {
      const caller = this.#read(one.claims);
      const currentCompanies = caller?.companies ?? NO_COMPANIES;
      const companies = one.companies.filter((company) => !currentCompanies.has(company));
      const administrador = one.administrador && caller?.administrador === false;
      if (caller !== undefined && companies.length === 0 && !administrador) continue;
      this.#watches.delete(one);
      one.onLoss(caller === undefined ? { kind: 'session' } : { kind: 'rights', companies, administrador });
    }
  }

  /** Number of cached callers. */
  get size(): number {
    return this.#callers.size;
  }

  /**
   * Loads a caller. For a request that continues while accounts change, its companies are those of this
   * moment; in a transaction they include the changes of its earlier units.
   */
  #load(claims: Claims): Caller | undefined {
    const caller = this.#read(claims);
    if (caller === undefined) return undefined;
    let { companies } = caller;
    let lastChanges = this.#changes;
    const currentCompanies = (): ReadonlyMap<string, Right> => {
      if (this.#feed.isChanging('accounts')) return this.#read(claims)?.companies ?? NO_COMPANIES;
      if (lastChanges !== this.#changes) {
        lastChanges = this.#changes;
        companies = this.#read(claims)?.companies ?? NO_COMPANIES;
      }
      return companies;
    };
    return Object.defineProperty({ ...caller }, 'companies', { get: currentCompanies, enumerable: true });
  }

  #read({ documento, perfil, jti }: Claims): Caller | undefined {
    const { opener, instance, openedAt } = openingOf(jti);
    const caller = this.#store.findCaller(documento, perfil, opener.kind === 'provider');
    const isOurs = instance === this.#instance;
    const hasOwnKey = opener.kind === 'key' && isOurs;
    const key = hasOwnKey ? this.#store.findKey(opener.name) : undefined;
    const hasKey = !hasOwnKey || key?.documento === documento;
    if (caller === undefined || !hasKey || (caller.administrador && !isOurs)) return undefined;
    if (this.#store.endedAt(jti) !== undefined) return undefined;
    const subjects = [documento, ...(opener.kind === 'provider' ? [providerSessionsOf(documento)] : [])];
    // The negated comparison also ends sessions of older versions, whose `jti` has no moment.
    for (const subject of subjects)
      if (!(openedAt > (this.#store.endedAt(subject) ?? Number.NEGATIVE_INFINITY))) return undefined;
    if (isPersonal(opener) && this.#isEndedByPassword(documento, jti, openedAt)) return undefined;
    const madeBy = key?.madeBy ?? documento;
    const isKeyOfAnother = ![documento, SYSTEM, COMMAND_LINE].includes(madeBy);
    return { ...caller, key: opener.name, isKeyOfAnother };
  }
  /** Returns true when a later change of the password ended a session of its person (contract section 27). */
  #isEndedByPassword(documento: string, jti: string, openedAt: EpochMs): boolean {
    const change = this.#passwords.findChange(documento);
    return change !== undefined && change.setIn !== jti && openedAt <= change.setAt;
  }
}
