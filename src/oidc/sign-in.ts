/** A sign-in by the provider, from its start to the code that a page trades (contract section 27). */
import { type Clock, MINUTE_MS, type RealTime } from '../clock.ts';
import { seal, unseal } from '../db/seal.ts';
import { DomainError } from '../errors.ts';
import type { User } from '../session/model.ts';
import { lruCache } from '../system/lru-cache.ts';
import type { ProviderClaims, ProviderSettings, StartedSignIn } from './model.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { Provider } from './provider.ts';
import { ProviderRefusal } from './refusal.ts';

export interface ProviderSignInParts {
  readonly settings: ProviderSettings;
  readonly realTime: RealTime;
  /** Real time, also with a test clock. */
  readonly wallClock: Pick<Clock, 'now'>;
  /** Seals what the browser keeps. */
  readonly key: Uint8Array;
  /** Returns the user that an administrator bound to an identity. */
  readonly boundUser: (issuer: string, sub: string) => User | undefined;
  readonly findUser: (documento: string) => User | undefined;
  /** Throws `DomainError` when that user may not open a session. */
  readonly judge: (user: User) => void;
}

/** Time that a person has at the provider. */
export const START_LIFETIME_MS = 10 * MINUTE_MS;

/** Number of used states that are kept, the latest ones. */
const REMEMBERED_STATES = 10_000;

const PURPOSE = 'catp oidc sign-in';

export class ProviderSignIn {
  readonly #parts: ProviderSignInParts;
  readonly #provider: Provider;
  readonly #codes: OneTimeCodes<User>;
  readonly #usedStates = lruCache<string, true>(REMEMBERED_STATES);

  constructor(parts: ProviderSignInParts) {
    this.#parts = parts;
    this.#provider = new Provider(parts);
    this.#codes = new OneTimeCodes(parts.realTime);
  }

  /** True when people reach this instance by HTTPS. */
  get isSecure(): boolean {
    return this.#parts.settings.home.startsWith('https:');
  }

  /**
   * Begins. Returns the address at the provider, and the ticket that the browser keeps. Throws
   * `ProviderRefusal`.
   */
  async begin(): Promise<{ readonly address: string; readonly ticket: string }> {
    const started = { ...this.#provider.newChecks(), startedAt: this.#parts.wallClock.now() };
    const address = await this.#provider.authorizationAddress(started);
    const sealed = seal(this.#parts.key, PURPOSE, JSON.stringify(started));
    return { address, ticket: Buffer.from(sealed).toString('base64url') };
  }

  /**
   * Ends what the browser brings back from the provider. Returns the code that its page trades. Throws
   * `ProviderRefusal`.
   */
  async finish(query: URLSearchParams, ticket: string | undefined, leaves: AbortSignal): Promise<string> {
    const started = this.#startedIn(ticket);
    const states = query.getAll('state');
    if (started === undefined)
      throw new ProviderRefusal('notStarted', 'este navegador não trouxe o começo de uma entrada');
    const { state, startedAt } = started;
    if (states.length !== 1 || states[0] !== state)
      throw new ProviderRefusal('notStarted', 'o state que voltou não é o que foi');
    if (this.#parts.wallClock.now() - startedAt > START_LIFETIME_MS)
      throw new ProviderRefusal('notStarted', 'a entrada começou há mais de 10 minutos');
    if (this.#usedStates.has(state))
      throw new ProviderRefusal('notStarted', 'a resposta do provedor já foi usada');
    this.#usedStates.set(state, true);
    const { documentClaim } = this.#parts.settings;
    const claims = await this.#provider.claims(query, started, [documentClaim], leaves);
    return this.#codes.make(this.#userOf(claims), state);
  }

  /** Returns the user of a code. `undefined`: it is unknown, used, expired, or of another browser. */
  trade(code: string, ticket: string | undefined): User | undefined {
    return this.#codes.take(code, this.#startedIn(ticket)?.state);
  }

  /** Returns the address that ends the session at the provider. `undefined`: it has none, or is away. */
  endAddress(): Promise<string | undefined> {
    return this.#provider.endAddress();
  }

  #startedIn(ticket: string | undefined): StartedSignIn | undefined {
    if (ticket === undefined) return undefined;
    try {
      const text = unseal(this.#parts.key, PURPOSE, Buffer.from(ticket, 'base64url'), 'A entrada');
      return JSON.parse(text) as StartedSignIn; // only this class seals it
    } catch {
      return undefined; // made up, or of another instance
    }
  }

  #userOf(claims: ProviderClaims): User {
    const { boundUser, findUser, judge, settings } = this.#parts;
    const { iss, sub } = claims;
    const claim = claims[settings.documentClaim];
    const documento = documentoIn(claim);
    const user = boundUser(iss, sub) ?? (documento === undefined ? undefined : findUser(documento));
    const received = { issuer: iss, sub, ...(documento !== undefined && { cpf: documento }) };
    if (user === undefined)
      throw new ProviderRefusal('unknownPerson', reasonOfClaim(settings.documentClaim, claim), received);
    try {
      judge(user);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new ProviderRefusal('noAccess', error.message, { cpf: user.documento });
    }
    return user;
  }
}

/** Returns the CPF of a claim, which may have punctuation. `undefined`: it is no CPF. */
function documentoIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const digits = claim.replaceAll(/[.\-\s]/g, '');
  return /^\d{11}$/.test(digits) ? digits : undefined;
}

/** A number has lost the zeros at its start. */
function reasonOfClaim(name: string, claim: unknown): string {
  if (claim === undefined) return `o claim ${name} não veio, e a identidade não está ligada a um usuário`;
  if (documentoIn(claim) !== undefined) return `o claim ${name} traz um CPF que não é de um usuário daqui`;
  return `o claim ${name} não traz um CPF como texto, e a identidade não está ligada a um usuário`;
}
