/** Runs a sign-in by the provider, from its start to the code that a page exchanges (contract section 27). */
import { type Clock, type EpochMs, MINUTE_MS, type RealTime } from '../clock.ts';
import { seal, unseal } from '../db/seal.ts';
import { DomainError } from '../errors.ts';
import type { User } from '../session/model.ts';
import { hasValidCheckDigits } from '../validation/check-digits.ts';
import { lruCache } from '../system/lru-cache.ts';
import type { ProviderClaims, ProviderSettings, StartedSignIn } from './model.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { Provider } from './provider.ts';
import { ProviderRefusal } from './refusal.ts';

export interface ProviderSignInOptions {
  readonly settings: ProviderSettings;
  readonly realTime: RealTime;
  /** Real time, also with a test clock. */
  readonly wallClock: Pick<Clock, 'now'>;
  /** Seals what the browser keeps. */
  readonly key: Uint8Array;
  /** Returns the user that an administrator bound to an identity. */
  readonly boundUser: (issuer: string, sub: string) => User | undefined;
  readonly findUser: (documento: string) => User | undefined;
  readonly createUser: (person: NewPerson) => Promise<User>;
  /** Gives a user the rights of these groups of the provider, and removes those of other groups. */
  readonly putGroups: (documento: string, names: readonly string[]) => Promise<void>;
  /** Throws `DomainError` when that user may not open a session. */
  readonly judge: (user: User) => void;
  /** Returns the moment of a sign-in: later than every end of sessions of that user so far. */
  readonly momentOf: (user: User) => EpochMs;
  /** Returns true when the sessions that the provider opened for that user until `moment` were ended. */
  readonly hasEnded: (user: User, moment: EpochMs) => boolean;
}

/** A person whom the provider identified, before the page has a session. */
interface SignedInPerson {
  readonly user: User;
  readonly moment: EpochMs;
}

export interface NewPerson {
  readonly documento: string;
  readonly nome: string;
}

/** Maximum time between the start of a sign-in and the return from the provider. */
export const START_LIFETIME_MS = 10 * MINUTE_MS;

/** Maximum number of used states in memory, the latest ones. */
const REMEMBERED_STATES = 10_000;

const PURPOSE = 'catp oidc sign-in';

export class ProviderSignIn {
  readonly #settings: ProviderSettings;
  readonly #wallClock: Pick<Clock, 'now'>;
  readonly #key: Uint8Array;
  readonly #boundUser: (issuer: string, sub: string) => User | undefined;
  readonly #findUser: (documento: string) => User | undefined;
  readonly #createUser: (person: NewPerson) => Promise<User>;
  readonly #putGroups: (documento: string, names: readonly string[]) => Promise<void>;
  readonly #judge: (user: User) => void;
  readonly #momentOf: (user: User) => EpochMs;
  readonly #hasEnded: (user: User, moment: EpochMs) => boolean;
  readonly #provider: Provider;
  readonly #codes: OneTimeCodes<SignedInPerson>;
  readonly #usedStates = lruCache<string, true>(REMEMBERED_STATES);

  constructor({
    settings,
    realTime,
    wallClock,
    key,
    boundUser,
    findUser,
    createUser,
    putGroups,
    judge,
    momentOf,
    hasEnded,
  }: ProviderSignInOptions) {
    this.#settings = settings;
    this.#wallClock = wallClock;
    this.#key = key;
    this.#boundUser = boundUser;
    this.#findUser = findUser;
    this.#createUser = createUser;
    this.#putGroups = putGroups;
    this.#judge = judge;
    this.#momentOf = momentOf;
    this.#hasEnded = hasEnded;
    this.#provider = new Provider(settings, realTime);
    this.#codes = new OneTimeCodes(realTime);
  }

  /** True when people reach this instance by HTTPS. */
  get isSecure(): boolean {
    return this.#settings.address.startsWith('https:');
  }

  /**
   * Begins a sign-in. Returns the address at the provider, and the ticket that the browser keeps. Throws
   * `ProviderRefusal`.
   */
  async begin(): Promise<{ readonly address: string; readonly ticket: string }> {
    const startedSignIn = { ...this.#provider.newChecks(), startedAt: this.#wallClock.now() };
    const address = await this.#provider.authorizationAddress(startedSignIn);
    const sealed = seal(this.#key, PURPOSE, JSON.stringify(startedSignIn));
    return { address, ticket: Buffer.from(sealed).toString('base64url') };
  }

  /**
   * Completes a sign-in with the answer that the browser brings from the provider. Returns the code that the page
   * exchanges. Throws `ProviderRefusal`.
   */
  async finish(query: URLSearchParams, ticket: string | undefined, signal: AbortSignal): Promise<string> {
    const startedSignIn = this.#signInOf(ticket);
    const states = query.getAll('state');
    if (startedSignIn === undefined)
      throw new ProviderRefusal(
        'notStarted',
        'este navegador não traz os dados de uma entrada que ele tenha começado',
      );
    const { state, startedAt } = startedSignIn;
    if (states.length !== 1 || states[0] !== state)
      throw new ProviderRefusal('notStarted', 'o state que voltou não é o que foi');
    if (this.#wallClock.now() - startedAt > START_LIFETIME_MS)
      throw new ProviderRefusal('notStarted', 'a entrada começou há mais de 10 minutos');
    if (this.#usedStates.has(state))
      throw new ProviderRefusal('notStarted', 'a resposta do provedor já foi usada');
    this.#usedStates.set(state, true);
    const { documentClaim, groupsClaim, createsUsers } = this.#settings;
    const names = [
      documentClaim,
      ...(groupsClaim === '' ? [] : [groupsClaim]),
      ...(createsUsers ? [NAME_CLAIM] : []),
    ];
    const claims = await this.#provider.claims(query, startedSignIn, names, signal);
    return this.#codes.make(await this.#personOf(claims), state);
  }

  /**
   * Returns the user of a code. `undefined`: it is unknown, used, expired, or of another browser, or the sessions of
   * the user were ended after the sign-in.
   */
  trade(code: string, ticket: string | undefined): User | undefined {
    const person = this.#codes.take(code, this.#signInOf(ticket)?.state);
    if (person === undefined || this.#hasEnded(person.user, person.moment)) return undefined;
    return person.user;
  }

  /** Returns the address that ends the session at the provider. `undefined`: it has none, or is away. */
  endAddress(): Promise<string | undefined> {
    return this.#provider.endAddress();
  }

  #signInOf(ticket: string | undefined): StartedSignIn | undefined {
    if (ticket === undefined) return undefined;
    try {
      const text = unseal(this.#key, PURPOSE, Buffer.from(ticket, 'base64url'), 'A entrada');
      return JSON.parse(text) as StartedSignIn; // only this class seals it
    } catch {
      return undefined; // forged, or of another instance
    }
  }

  async #personOf(claims: ProviderClaims): Promise<SignedInPerson> {
    const { iss, sub } = claims;
    const claim = claims[this.#settings.documentClaim];
    const documento = documentoIn(claim);
    const user =
      this.#boundUser(iss, sub) ??
      (documento === undefined ? undefined : this.#findUser(documento)) ??
      (await this.#newUser(documento, claims));
    const received = {
      issuer: shortText(iss),
      sub: shortText(sub),
      ...(documento !== undefined && { cpf: documento }),
    };
    if (user === undefined)
      throw new ProviderRefusal(
        'unknownPerson',
        reasonOfClaim(this.#settings.documentClaim, claim),
        received,
      );
    const moment = this.#momentOf(user); // before a wait in which its identity may be unbound
    await this.#putGroups(user.documento, groupsIn(claims, this.#settings.groupsClaim));
    try {
      this.#judge(user);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new ProviderRefusal('noAccess', error.message, { cpf: user.documento });
    }
    return { user, moment };
  }

  /** Creates a user for an unknown person if the setting says so. `undefined`: it does not, or the CPF is invalid. */
  async #newUser(documento: string | undefined, claims: ProviderClaims): Promise<User | undefined> {
    if (!this.#settings.createsUsers || documento === undefined || !hasValidCheckDigits(documento))
      return undefined;
    return this.#createUser({ documento, nome: nameIn(claims[NAME_CLAIM], documento) });
  }
}

/** The claim of OpenID Connect with the whole name. */
const NAME_CLAIM = 'name';

const NAME_MAX = 150;

/** Returns the name of a person in one line, or its CPF. */
function nameIn(claim: unknown, documento: string): string {
  const name = typeof claim === 'string' ? claim.replaceAll(/[\p{C}\s]+/gu, ' ').trim() : '';
  return name === '' ? documento : name.slice(0, NAME_MAX);
}

/** Returns the names of the groups. A text is one group; a missing claim means none. */
function groupsIn(claims: ProviderClaims, name: string): readonly string[] {
  const claim = name === '' ? undefined : claims[name];
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((one): one is string => typeof one === 'string') : [];
}

/** Maximum length in the page and the log. The specification allows 255 characters for a `sub`. */
const EXCERPT_MAX_CHARACTERS = 300;

const shortText = (text: string): string => text.slice(0, EXCERPT_MAX_CHARACTERS);

/** Returns the CPF of a claim, which may have punctuation. `undefined`: it is no CPF. */
function documentoIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const digits = claim.replaceAll(/[.\-\s]/g, '');
  return /^\d{11}$/.test(digits) ? digits : undefined;
}

/** Explains why a claim named no user. A CPF as a number is refused: it has lost its leading zeros. */
function reasonOfClaim(name: string, claim: unknown): string {
  if (claim === undefined) return `o claim ${name} não veio, e a identidade não está ligada a um usuário`;
  if (documentoIn(claim) !== undefined)
    return `o claim ${name} traz um CPF que não é de um usuário desta instância`;
  return `o claim ${name} não traz um CPF como texto, e a identidade não está ligada a um usuário`;
}
