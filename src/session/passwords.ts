/** Manages sign-in by password, invitations and changes of a password (contract section 27). */
import { type Actor, CHANGED_SECRET } from '../change.ts';
import { type Clock, type EpochMs, HOUR_MS, type RealTime } from '../clock.ts';
import type { Transaction } from '../db/writer.ts';
import { DomainError, ShortRefusal, notFound, unprocessable } from '../errors.ts';
import { momentText } from '../validation/calendar.ts';
import { type ChangeAccounts, type RecordChange } from './account-changes.ts';
import { problem } from './account-refusals.ts';
import type { Authentication, Session } from './authentication.ts';
import { ACCOUNT_CODES, AUTHENTICATION_FAILURES, type AccountRule, PASSWORD_REASONS } from './codes.ts';
import { SYSTEM, type User, isCompanyDocument } from './model.ts';
import type { PasswordHashes } from './password-hashes.ts';
import { passwordProblems } from './password-rules.ts';
import type { PasswordStore, StoredInvitation } from './password-store.ts';
import { RateLimit } from './rate-limit.ts';
import { hashOf, randomText } from './secrets.ts';
import type { SessionStore } from './store.ts';
import type { Throttle } from './throttle.ts';

const INVITATION_MS = 72 * HOUR_MS;
const TOKEN_BYTES = 32;

/** Maximum number of invitations to one address by e-mail, per hour of real time. */
export const FORGOTTEN_AN_HOUR = 5;

/** The `key` in the audit for a person who has an invitation and no session. */
const INVITATION_KEY = 'convite';

export interface PasswordsDependencies {
  readonly change: ChangeAccounts;
  readonly store: SessionStore;
  readonly passwords: PasswordStore;
  readonly hashes: PasswordHashes;
  readonly throttle: Throttle;
  readonly clock: Clock;
  /** Setting `senha.permitida`. */
  readonly areAllowed: boolean;
  readonly realTime: RealTime;
  /** Queues an invitation to an address. `undefined`: this instance sends no e-mail. */
  readonly queueInvitation: QueueInvitation | undefined;
}

export type QueueInvitation = (tx: Transaction, to: InvitedAddress) => void;

export interface InvitedAddress {
  readonly documento: string;
  readonly email: string;
  /** Path of the page, with the secret of the invitation as its fragment. */
  readonly path: string;
  readonly until: EpochMs;
}

/** Returns the address of the page of an invitation. No server or proxy on the way sees the secret in it. */
export const invitationPath = ({ token }: Pick<Invitation, 'token'>): string => `/convite#${token}`;

export interface Invitation {
  /** The secret half of its address, which is not stored. */
  readonly token: string;
  readonly until: EpochMs;
}

export interface PasswordSignIn {
  /** CPF, with or without its punctuation, or e-mail. */
  readonly login: string;
  readonly senha: string;
}

export class Passwords {
  readonly #change: ChangeAccounts;
  readonly #store: SessionStore;
  readonly #passwords: PasswordStore;
  readonly #hashes: PasswordHashes;
  readonly #throttle: Throttle;
  readonly #clock: Clock;
  readonly #areAllowed: boolean;
  readonly #queueInvitation: QueueInvitation | undefined;
  readonly #forgotten: RateLimit;

  constructor({
    change,
    store,
    passwords,
    hashes,
    throttle,
    clock,
    areAllowed,
    realTime,
    queueInvitation,
  }: PasswordsDependencies) {
    this.#change = change;
    this.#store = store;
    this.#passwords = passwords;
    this.#hashes = hashes;
    this.#throttle = throttle;
    this.#clock = clock;
    this.#areAllowed = areAllowed;
    this.#queueInvitation = queueInvitation;
    this.#forgotten = new RateLimit(FORGOTTEN_AN_HOUR, HOUR_MS, realTime);
  }

  /** Returns true when the sign-in page offers the password. */
  get isOffered(): boolean {
    return this.#areAllowed && this.#passwords.hasAny();
  }

  /** Returns the person whom a sign-in names. */
  userOf(login: string): User | undefined {
    const documento = login.includes('@') ? this.#store.findByEmail(login.trim()) : bareNumber(login);
    const user = documento === undefined ? undefined : this.#store.findUser(documento);
    return user === undefined || isCompanyDocument(user.documento) ? undefined : user;
  }

  /** Signs a person in. Throws `ShortRefusal`, 403 for a party of the wrong kind, 503 when too many wait. */
  async signIn(
    { login, senha }: PasswordSignIn,
    address: string,
    authentication: Authentication,
    isPage: boolean,
  ): Promise<Session> {
    if (!this.#areAllowed) throw wrong(PASSWORD_REASONS.off);
    const user = this.userOf(login);
    const source = user?.documento ?? bareNumber(login);
    const stored = user && this.#passwords.findHash(user.documento);
    const isRight = await this.#hashes.isRight(senha, stored, address);
    // The password may have changed in the meantime.
    if (user === undefined || !isRight || this.#passwords.findHash(user.documento) !== stored) {
      await this.#throttle.recordFailure(source, address);
      const presentReason = stored === undefined ? PASSWORD_REASONS.none : PASSWORD_REASONS.wrong;
      throw wrong(user === undefined ? PASSWORD_REASONS.unknown : presentReason);
    }
    this.#throttle.recordSuccess(source, address);
    return authentication.ofPerson(user, 'password', isPage);
  }

  /** Invites a person to set a password. It ends an older invitation. Throws 404, 422. */
  async invite(documento: string, by: Actor): Promise<Invitation> {
    this.#requireAllowed();
    return this.#change(by, (record, tx) => {
      if (this.#store.findUser(documento) === undefined)
        throw notFound(`Não existe usuário com o documento ${documento}.`);
      if (isCompanyDocument(documento)) throw companyInvited(documento);
      return this.#makeInvitation(record, tx, documento);
    });
  }

  #makeInvitation(record: RecordChange, tx: Transaction, documento: string): Invitation {
    const token = randomText(TOKEN_BYTES);
    const until = tx.now + INVITATION_MS;
    const previousEnd = this.#passwords.findEnd(documento);
    this.#passwords.putInvitation(documento, hashOf(token), until);
    record('change', 'usuario', documento, {
      before: previousEnd === undefined ? {} : { convite: momentText(previousEnd) },
      after: { convite: momentText(until) },
    });
    return { token, until };
  }

  /**
   * Queues an invitation for the person with that address, at most five an hour. Queues none for an unknown
   * address, or if this instance sends no e-mail. Does not wait for the queue: the time of an answer would
   * reveal if the address exists.
   */
  inviteForgotten(email: string): void {
    const user = this.userOf(email);
    const queueInvitation = this.#queueInvitation;
    if (!this.#areAllowed || queueInvitation === undefined || user === undefined) return;
    const { documento } = user;
    if (!this.#forgotten.admits(documento)) return;
    void this.#change(SYSTEM, (record, tx) => {
      const { email: to = null } = this.#store.findUser(documento) ?? {};
      if (to === null) return;
      const invitation = this.#makeInvitation(record, tx, documento);
      const { until } = invitation;
      queueInvitation(tx, { documento, email: to, path: invitationPath(invitation), until });
    }).catch(() => undefined); // the writer reports what the database refuses
  }

  /**
   * Sets the password of the invited person, and ends all sessions that a password or a provider opened. Throws
   * 422, 503.
   */
  async accept(token: string, senha: string, address: string): Promise<void> {
    this.#requireAllowed();
    const { documento } = this.#requireInvitation(token, this.#clock.now());
    const user = this.#store.findUser(documento) as User; // its row refers to the user
    requireStrong(user, senha, '/senha');
    const hash = await this.#hashes.hash(senha, address);
    await this.#change({ documento, key: INVITATION_KEY }, (record, tx) => {
      const { until } = this.#requireInvitation(token, tx.now);
      this.#passwords.removeInvitation(documento);
      this.#passwords.put(documento, hash, tx.now, null);
      record('change', 'usuario', documento, {
        before: { convite: momentText(until) },
        after: { senha: CHANGED_SECRET },
      });
    });
  }

  /**
   * Changes the password of a signed-in person, and ends the other sessions that a password or a provider
   * opened. `jti`: the session that continues. Throws 422, 503.
   */
  async change(
    by: Exclude<Actor, string>,
    jti: string,
    { atual, nova }: { readonly atual: string; readonly nova: string },
    address: string,
  ): Promise<void> {
    const { documento } = by;
    this.#requireAllowed();
    const stored = this.#passwords.findHash(documento);
    if (stored === undefined)
      throw wrongPassword('ainda não há senha a trocar; peça um convite a quem administra.');
    if (!(await this.#hashes.isRight(atual, stored, address))) {
      await this.#throttle.recordFailure(documento, address);
      throw wrongPassword('não é a senha atual; digite a senha com que você entra hoje.');
    }
    this.#throttle.recordSuccess(documento, address);
    requireStrong(this.#store.findUser(documento) as User, nova, '/nova'); // the caller is a user
    const hash = await this.#hashes.hash(nova, address);
    await this.#change(by, (record, tx) => {
      if (this.#passwords.findHash(documento) !== stored)
        throw wrongPassword('a senha foi trocada enquanto isso; digite a mais nova.');
      this.#passwords.put(documento, hash, tx.now, jti);
      record('change', 'usuario', documento, { before: {}, after: { senha: CHANGED_SECRET } });
    });
  }

  #requireInvitation(token: string, now: EpochMs): StoredInvitation {
    const invitation = this.#passwords.findInvitation(hashOf(token));
    if (invitation === undefined)
      throw invitationGone(
        'Este convite não vale: já foi usado, foi substituído por um mais novo ou o endereço não está inteiro. Peça outro a quem administra.',
      );
    if (invitation.until <= now)
      throw invitationGone(
        `Este convite venceu em ${momentText(invitation.until)}. Peça outro a quem administra.`,
      );
    return invitation;
  }

  #requireAllowed(): void {
    if (this.#areAllowed) return;
    throw refusalOfRequest(
      'passwordsOff',
      'A entrada por senha está desligada nesta instância; um administrador a liga com senha.permitida = true.',
    );
  }
}

/** Returns a CPF without its punctuation; any other text as it is. */
const bareNumber = (login: string): string => login.trim().replaceAll(/[.-]/g, '');

const wrong = (reason: string): ShortRefusal =>
  new ShortRefusal('PLAT-ER8008', AUTHENTICATION_FAILURES['PLAT-ER8008'], reason);

const wrongPassword = (sentence: string): DomainError =>
  unprocessable([problem('wrongPassword', '/atual', sentence)]);

const invitationGone = (message: string): DomainError => refusalOfRequest('invitationGone', message);

const companyInvited = (documento: string): DomainError =>
  unprocessable([
    {
      ...problem(
        'companyInvited',
        '/documento',
        `${documento} é um certificado de empresa; só pessoas, que têm CPF, entram por senha.`,
      ),
      path: 'documento',
    },
  ]);

/** Returns a refusal that names no member of the request. */
const refusalOfRequest = (rule: AccountRule, message: string): DomainError =>
  new DomainError('unprocessable', message, { code: ACCOUNT_CODES[rule].code });

function requireStrong(user: User, password: string, path: string): void {
  const problems = passwordProblems(user, password, path);
  if (problems.length > 0) throw unprocessable(problems);
}
