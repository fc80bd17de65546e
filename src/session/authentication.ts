/** Signs users in (contract section 2): by access key, or with a client certificate (section 16). */
import { type Clock, type EpochMs, HOUR_MS, SECOND_MS } from '../clock.ts';
import { DomainError, ShortRefusal } from '../errors.ts';
import { AUTHENTICATION_FAILURES, KEY_REASONS } from './codes.ts';
import {
  type Opener,
  PERSONAL_OPENERS,
  isPersonal,
  jtiOf,
  openingOf,
  providerSessionsOf,
} from './registry.ts';
import type { Writer } from '../db/writer.ts';
import {
  type AccessKey,
  CATALOGUE_PROFILE,
  type CertificateHolder,
  type Profile,
  type User,
  admits,
  companyRootOf,
  isCompanyDocument,
  isProfile,
} from './model.ts';
import { hashOf, isSecret, randomText } from './secrets.ts';
import { SignInPace } from './sign-in-pace.ts';
import type { PasswordStore } from './password-store.ts';
import type { SessionStore } from './store.ts';
import type { Throttle } from './throttle.ts';
import {
  type Claims,
  type CsrfToken,
  SESSION_LIFETIME_MS,
  TOKEN_LIFETIME_MS,
  type Tokens,
} from './tokens.ts';

export type Environment = 'homologacao' | 'validacao' | 'producao';

export interface Session {
  readonly documento: string;
  readonly jwt: string;
  readonly csrf: CsrfToken;
}

/** Secrets of some keys by Client-Id. They override the stored ones. `undefined`: no secret opens the key. */
export type OwnSecrets = ReadonlyMap<string, string | undefined>;

export interface AuthenticationDependencies {
  readonly store: SessionStore;
  readonly passwords: Pick<PasswordStore, 'findChange'>;
  readonly writer: Writer;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly throttle: Throttle;
  readonly ambiente: Environment;
  /** The name of this instance in its sessions. */
  readonly instance: string;
  /** Shortest time between two authentications of one user, in ms. 0: no limit. */
  readonly intervalMs: number;
  /** Set by `dev` only: these secrets stay valid after a reset and after the restore of any snapshot. */
  readonly ownSecrets?: OwnSecrets | undefined;
}

const SESSION_RANDOM_BYTES = 12;

export class Authentication {
  readonly #store: SessionStore;
  readonly #passwords: Pick<PasswordStore, 'findChange'>;
  readonly #writer: Writer;
  readonly #tokens: Tokens;
  readonly #clock: Clock;
  readonly #throttle: Throttle;
  readonly #ambiente: Environment;
  readonly #instance: string;
  readonly #ownSecrets: OwnSecrets | undefined;
  readonly #pace: SignInPace;

  constructor({
    store,
    passwords,
    writer,
    tokens,
    clock,
    throttle,
    ambiente,
    instance,
    intervalMs,
    ownSecrets,
  }: AuthenticationDependencies) {
    this.#store = store;
    this.#passwords = passwords;
    this.#writer = writer;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#throttle = throttle;
    this.#ambiente = ambiente;
    this.#instance = instance;
    this.#ownSecrets = ownSecrets;
    this.#pace = new SignInPace(intervalMs);
  }

  resetPace(): void {
    this.#pace.forget();
  }

  /** Signs in the holder of an access key. Throws `ShortRefusal`, or 403 for a party of the wrong kind. */
  async withKey(
    roleType: string | null,
    clientId: string,
    clientSecret: string,
    address: string,
    isPage = false,
  ): Promise<Session> {
    const perfil = profileOf(roleType);
    const { key, user } = await this.#keyOf(clientId, clientSecret, address);
    const session = await this.#open(
      user,
      perfil,
      { kind: 'key', name: key.clientId },
      isPage,
      key.expiresAt ?? undefined,
    );
    await this.#noteUse(key);
    return session;
  }

  /** Signs in the holder of a client certificate. `undefined`: the request has no usable one. */
  async withCertificate(
    roleType: string | null,
    holder: CertificateHolder | undefined,
    isPage = false,
  ): Promise<Session> {
    const perfil = profileOf(roleType);
    if (holder === undefined) throw failure('PLAT-ER2001');
    const { documento } = holder;
    const user = this.#store.findUser(documento);
    if (user === undefined) {
      if (isCompanyDocument(documento) && !admits(perfil, documento)) throw failure('PLAT-ER2008');
      throw failure('PLAT-ER2013');
    }
    if (user.administrador && !holder.mayAdminister) throw failure('PLAT-ER2001');
    return this.#open(user, perfil, { kind: 'certificate', name: holder.serial }, isPage);
  }

  /**
   * Opens a session for a person whose password or provider proved who it is (contract section 27). Throws
   * `ShortRefusal`, or 403 for a party of the wrong kind.
   */
  ofPerson(user: User, kind: keyof typeof PERSONAL_OPENERS, isPage: boolean): Promise<Session> {
    return this.#open(user, CATALOGUE_PROFILE, PERSONAL_OPENERS[kind], isPage);
  }

  /** Throws the errors that `ofPerson` would throw. */
  judgePerson(user: User, kind: keyof typeof PERSONAL_OPENERS): void {
    this.#requireProfile(user, CATALOGUE_PROFILE, PERSONAL_OPENERS[kind]);
  }

  /** Returns the moment at which a session of a person would begin now. */
  momentOf(user: User, kind: keyof typeof PERSONAL_OPENERS): EpochMs {
    return this.#openingMoment(user, PERSONAL_OPENERS[kind]);
  }

  /** Returns true when the sessions of a person that began at `moment` have been ended. */
  hasEnded({ documento }: User, kind: keyof typeof PERSONAL_OPENERS, moment: EpochMs): boolean {
    return moment <= this.#lastEnd(documento, PERSONAL_OPENERS[kind]);
  }

  /**
   * Returns new tokens of the same session. They end an hour from now, but no later than the key that opened
   * it and 12 h after the sign-in. `claims` belong to a caller whom the guard has admitted. Throws `Error`
   * when the user was removed meanwhile.
   */
  async renew(claims: Claims): Promise<Session> {
    const { documento, perfil, jti, pageSignedInAt } = claims;
    const user = this.#store.findUser(documento);
    if (user === undefined) throw new Error('a session of a user who is gone');
    const { opener, openedAt, instance } = openingOf(jti);
    const key = opener.kind === 'key' ? this.#store.findKey(opener.name) : undefined;
    const ends = [
      (pageSignedInAt ?? openedAt) + SESSION_LIFETIME_MS,
      key?.expiresAt ?? Number.POSITIVE_INFINITY,
      // Another instance may have revoked its key: this instance does not extend its sessions.
      instance === this.#instance ? Number.POSITIVE_INFINITY : claims.expiresAt,
    ];
    const session = { jti, ...(pageSignedInAt !== undefined && { pageSignedInAt }) };
    return this.#tokensOf(user, perfil, session, ends);
  }

  async #keyOf(
    clientId: string,
    clientSecret: string,
    address: string,
  ): Promise<{ key: AccessKey; user: User }> {
    const key = this.#store.findKey(clientId);
    const isRight = isSecret(clientSecret, this.#hashOf(clientId, key?.secretHash));
    const isExpired = (key?.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#clock.now();
    const user = isRight && !isExpired && key !== undefined ? this.#store.findUser(key.documento) : undefined;
    // Read for every key, so that an unknown key takes as long as a wrong secret.
    const unknownReason = this.#store.wasRevoked(clientId) ? KEY_REASONS.revoked : KEY_REASONS.unknown;
    if (key === undefined || user === undefined) {
      await this.#throttle.recordFailure(clientId, address);
      const wrongReason = isExpired ? KEY_REASONS.expired : KEY_REASONS.wrong;
      throw failure('PLAT-ER8008', key === undefined ? unknownReason : wrongReason);
    }
    this.#throttle.recordSuccess(clientId, address);
    return { key, user };
  }

  #hashOf(clientId: string, stored: string | undefined): string | undefined {
    if (this.#ownSecrets?.has(clientId) !== true) return stored;
    const own = this.#ownSecrets.get(clientId);
    return own === undefined ? undefined : hashOf(own);
  }

  /**
   * Stores the use of a key at most once per hour. A failed write does not refuse the sign-in, so that the
   * session can at least read.
   */
  async #noteUse({ clientId, lastUsedAt }: AccessKey): Promise<void> {
    const hour = Math.floor(this.#clock.now() / HOUR_MS) * HOUR_MS;
    if (hour === lastUsedAt) return;
    await this.#writer.write(() => this.#store.putUse(clientId, hour)).catch(() => undefined);
  }

  async #open(
    user: User,
    perfil: Profile,
    opener: Opener,
    isPage: boolean,
    until = Number.POSITIVE_INFINITY,
  ): Promise<Session> {
    this.#requireProfile(user, perfil, opener);
    if (!isPersonal(opener) && !this.#pace.admits(user.documento, this.#clock.now()))
      throw failure('PLAT-ER2033');
    const openedAt = this.#openingMoment(user, opener);
    const jti = jtiOf(opener, this.#instance, randomText(SESSION_RANDOM_BYTES), openedAt);
    return this.#tokensOf(
      user,
      perfil,
      { jti, ...(isPage && { pageSignedInAt: this.#tokens.pageSignIn() }) },
      [until],
    );
  }

  /** Returns now, or the moment after the last end of sessions of the user if the clock was set back. */
  #openingMoment({ documento }: User, opener: Opener): EpochMs {
    return Math.max(this.#clock.now(), this.#lastEnd(documento, opener) + 1);
  }

  /** Returns the last moment at which sessions of a user by that opener were ended. */
  #lastEnd(documento: string, opener: Opener): EpochMs {
    const ends = [
      this.#store.endedAt(documento),
      opener.kind === 'provider' ? this.#store.endedAt(providerSessionsOf(documento)) : undefined,
      isPersonal(opener) ? this.#passwords.findChange(documento)?.setAt : undefined,
    ];
    return Math.max(...ends.map((end) => end ?? Number.NEGATIVE_INFINITY));
  }

  /** `ends`: moments at which every token of the session expires. */
  async #tokensOf(
    user: User,
    perfil: Profile,
    session: Pick<Claims, 'jti' | 'pageSignedInAt'>,
    ends: readonly EpochMs[],
  ): Promise<Session> {
    const end = Math.min(this.#tokens.now(session) + TOKEN_LIFETIME_MS, ...ends);
    const times = { ...session, expiresAt: Math.floor(end / SECOND_MS) * SECOND_MS };
    const jwt = await this.#tokens.sign(user, perfil, times);
    return { documento: user.documento, jwt, csrf: this.#tokens.newCsrf(times) };
  }

  #requireProfile(user: User, perfil: Profile, opener: Opener): void {
    if (!user.administrador && !isAdmitted(user, this.#ambiente)) throw wrongKindOfParty(this.#ambiente);
    if (isCompanyDocument(user.documento) && !admits(perfil, user.documento)) throw failure('PLAT-ER2008');
    if (user.administrador || user.tipo !== 'PRIV') return;
    const represented = this.#store.representedBy(user.documento, perfil);
    const isCompanyCertificate = opener.kind === 'certificate' && isCompanyDocument(user.documento);
    if (isCompanyCertificate && !represented.includes(companyRootOf(user.documento)))
      throw failure('PLAT-ER2023');
    const hasGroup = opener.kind === 'provider' && this.#store.hasGroupRight(user.documento);
    if (represented.length === 0 && !hasGroup) throw failure('PLAT-ER2013');
  }
}

function profileOf(roleType: string | null): Profile {
  const text = roleType?.trim() ?? '';
  if (text === '') throw failure('PUCX-ER0101');
  if (!isProfile(text)) throw failure('PUCX-ER0102');
  return text;
}

/**
 * Checks the environment: homologation is for public parties, validation for private ones, production for
 * both (contract section 1).
 */
function isAdmitted(user: User, ambiente: Environment): boolean {
  if (ambiente === 'producao') return true;
  return ambiente === 'homologacao' ? user.tipo === 'PUBL' : user.tipo === 'PRIV';
}

function wrongKindOfParty(ambiente: Environment): DomainError {
  const admitted = ambiente === 'homologacao' ? 'órgãos públicos' : 'intervenientes privados';
  return new DomainError('forbidden', `O ambiente ${ambiente} atende somente ${admitted}.`);
}

function failure(code: keyof typeof AUTHENTICATION_FAILURES, reason?: string): ShortRefusal {
  return new ShortRefusal(code, AUTHENTICATION_FAILURES[code], reason);
}
