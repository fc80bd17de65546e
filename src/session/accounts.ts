/** Manages users, companies, representations and keys for the command line, the API and the web interface. */
import { type Actor, type MembersChanged, membersChanged, nameOf } from '../change.ts';
import type { Transaction } from '../db/writer.ts';
import { notFound, unprocessable } from '../errors.ts';
import { DEFAULT_RIGHT, type Right } from '../right.ts';
import { formatValue } from '../validation/format-value.ts';
import { type ChangeAccounts, type RecordChange, type ChangeRecorder } from './account-changes.ts';
import {
  alreadyExpired,
  emailOfAnother,
  hasRecords,
  isRepresented,
  noUser,
  refusal,
  representationProblems,
  requireOfNew,
  unknownCompany,
  unknownUser,
} from './account-refusals.ts';
import {
  type AccessKey,
  CATALOGUE_PROFILE,
  type Company,
  type Profile,
  type Representation,
  type RepresentationKey,
  SYSTEM,
  type User,
} from './model.ts';
import { keyOf, subjectOf, toMembers } from './account-members.ts';
import { rootsIn } from './account-roots.ts';
import { type Credentials, hashOf, newCredentials } from './secrets.ts';
import type { SessionStore } from './store.ts';
import { SESSION_LIFETIME_MS } from './tokens.ts';
import { type UserChange, mergedUser } from './user-change.ts';

const CNPJ_ROOT_LENGTH = 8;

/** Listener that runs in the transaction that removes a user, and ends the user's subscriptions. */
export type OnUserRemoved = (tx: Transaction, documento: string, by: Actor) => void;

/** Returns the records of a company in the catalogue, one text per kind that is not empty: `3 produtos`. */
export type RecordsOf = (cpfCnpjRaiz: string) => readonly string[];

/** The members of a company to set. Omitted members are kept. */
export type CompanyChange = Pick<Company, 'cpfCnpjRaiz'> & Partial<Company>;

/** A representation to set. Without `papel` it keeps its right, and a new one has the default. */
export type RepresentationChange = RepresentationKey & { readonly papel?: Right };

/** Access of one person to companies. */
export interface AccessGrant {
  readonly documento: string;
  readonly nome: string;
  readonly email?: string;
  /** A list of roots, or the text `todas`: those that exist at this moment. */
  readonly companies: unknown;
  readonly papel?: Right;
  /** Default: the profile of the catalogue. */
  readonly perfil?: Profile;
  /** True to create a key. */
  readonly key?: boolean;
}

export interface GivenAccess {
  readonly documento: string;
  readonly representations: readonly Representation[];
  readonly key: Credentials | null;
}

export type NewKey = Pick<AccessKey, 'documento'> & Partial<Pick<AccessKey, 'expiresAt'>>;

export interface AccountsDependencies {
  readonly change: ChangeAccounts;
  readonly store: SessionStore;
  readonly onUserRemoved: OnUserRemoved;
  readonly recordsOf: RecordsOf;
  /** Stops the work under way for a removed company. */
  readonly stopWorkOf: (cpfCnpjRaiz: string) => Promise<void>;
}

export class Accounts {
  readonly #change: ChangeAccounts;
  readonly #store: SessionStore;
  readonly #onUserRemoved: OnUserRemoved;
  readonly #recordsOf: RecordsOf;
  readonly #stopWorkOf: (cpfCnpjRaiz: string) => Promise<void>;

  constructor({ change, store, onUserRemoved, recordsOf, stopWorkOf }: AccountsDependencies) {
    this.#change = change;
    this.#store = store;
    this.#onUserRemoved = onUserRemoved;
    this.#recordsOf = recordsOf;
    this.#stopWorkOf = stopWorkOf;
  }

  listUsers = (): User[] => this.#store.listUsers();
  listCompanies = (): Company[] => this.#store.listCompanies();
  findUser = (documento: string): User | undefined => this.#store.findUser(documento);
  listRepresentations = (): Representation[] => this.#store.listRepresentations();
  listKeys = (): AccessKey[] => this.#store.listKeys();
  hasKeys = (): boolean => this.#store.hasKeys();
  hasUsers = (): boolean => this.#store.hasUsers();

  /** Returns the companies with these roots; omits unknown ones. */
  companiesNamed(roots: Iterable<string>): Company[] {
    return [...roots].flatMap((root) => this.#store.findCompany(root) ?? []);
  }

  /** Adds a company or changes the given members of it. Resolves with the stored company. Throws 400, 422. */
  putCompany(change: CompanyChange, by: Actor = SYSTEM): Promise<Company> {
    const { cpfCnpjRaiz, cnpj } = change;
    if (cnpj && (cpfCnpjRaiz.length !== CNPJ_ROOT_LENGTH || !cnpj.startsWith(cpfCnpjRaiz)))
      throw refusal(
        'cnpjOfOtherRoot',
        '/cnpj',
        `recebido ${formatValue(cnpj)}; deve começar pela raiz ${cpfCnpjRaiz}.`,
      );
    return this.#change(by, (record) => {
      const stored = this.#store.findCompany(cpfCnpjRaiz);
      const members = { nome: change.nome ?? stored?.nome };
      requireOfNew(`a empresa ${cpfCnpjRaiz}`, members);
      const company = { cpfCnpjRaiz, ...members, cnpj: cnpj ?? stored?.cnpj ?? null };
      this.#store.putCompany(company);
      record(
        stored === undefined ? 'include' : 'change',
        'empresa',
        cpfCnpjRaiz,
        membersChanged(stored, company),
      );
      return company;
    });
  }

  /** Changes the given members of an existing company. Throws 404, 422. */
  async setCompany(change: CompanyChange, by: Actor = SYSTEM): Promise<Company> {
    if (this.#store.findCompany(change.cpfCnpjRaiz) === undefined) throw noCompany(change.cpfCnpjRaiz);
    return this.putCompany(change, by);
  }

  /** Throws 422 with the unknown companies. `path`: the position of their list in the sent body. */
  requireCompanies(companies: readonly string[], path: string): void {
    const problems = companies.flatMap((company, index) =>
      this.#store.findCompany(company) === undefined ? [unknownCompany(company, `${path}/${index}`)] : [],
    );
    if (problems.length > 0) throw unprocessable(problems);
  }

  /**
   * Removes a company without catalogue and without representatives. Throws 404, or 422 with the obstacles.
   */
  async removeCompany(cpfCnpjRaiz: string, by: Actor = SYSTEM): Promise<void> {
    await this.#change(by, (record) => {
      const company = this.#store.findCompany(cpfCnpjRaiz);
      if (company === undefined) throw noCompany(cpfCnpjRaiz);
      const records = this.#recordsOf(cpfCnpjRaiz);
      const representatives = this.#store.representativesOf(cpfCnpjRaiz);
      const problems = [
        ...(records.length > 0 ? [hasRecords(cpfCnpjRaiz, records)] : []),
        ...(representatives.length > 0 ? [isRepresented(cpfCnpjRaiz, representatives)] : []),
      ];
      if (problems.length > 0) throw unprocessable(problems);
      this.#store.removeCompany(cpfCnpjRaiz);
      record('remove', 'empresa', cpfCnpjRaiz, membersChanged(company, undefined));
    });
    await this.#stopWorkOf(cpfCnpjRaiz);
  }

  /** Adds a user or changes the given members of it. Resolves with the stored user. Throws 400, 422. */
  putUser(change: UserChange, by: Actor = SYSTEM): Promise<User> {
    return this.#change(by, (record) => this.#setUser(record, this.#checkedUser(change)));
  }

  #checkedUser(change: UserChange): User {
    const stored = this.#store.findUser(change.documento);
    const user = mergedUser(stored, change);
    if (stored?.administrador === true && !user.administrador) this.#requireAnotherAdministrator(stored);
    const owner = user.email === null ? undefined : this.#store.findByEmail(user.email);
    if (user.email !== null && owner !== undefined && owner !== user.documento)
      throw emailOfAnother(user.email, `do usuário ${owner}`);
    return user;
  }

  #setUser(record: RecordChange, user: User): User {
    const stored = this.#store.findUser(user.documento);
    this.#store.putUser(user);
    const { tipo, administrador } = user;
    const action = stored === undefined ? 'include' : 'change';
    record(action, 'usuario', user.documento, membersChanged(stored, user), { tipo, administrador });
    return user;
  }

  /**
   * Gives a person access to companies in one transaction: user, representations, key. `isDryRun`: only
   * checks the access. Throws 400, 422.
   */
  giveAccess(change: AccessGrant, by: Actor = SYSTEM, isDryRun = false): Promise<GivenAccess> {
    const { documento, nome, email, companies, papel, perfil = CATALOGUE_PROFILE, key = false } = change;
    const give = (record: ChangeRecorder, tx: Transaction): GivenAccess => {
      const { tipo = 'PRIV' } = this.#store.findUser(documento) ?? {};
      const user = this.#checkedUser({ documento, nome, tipo, ...(email !== undefined && { email }) });
      const roots =
        companies === 'todas'
          ? this.listCompanies().map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)
          : rootsIn(companies);
      const problems = roots.flatMap((root, index) =>
        this.#store.findCompany(root) === undefined ? [unknownCompany(root, `/companies/${index}`)] : [],
      );
      if (problems.length > 0) throw unprocessable(problems);
      const representations = roots.map((cpfCnpjRaiz) =>
        this.#checkedRepresentation(user, {
          documento,
          cpfCnpjRaiz,
          perfil,
          ...(papel !== undefined && { papel }),
        }),
      );
      this.#setUser(record, user);
      for (const representation of representations) this.#setRepresentation(record, representation);
      return { documento, representations, key: key ? this.#makeKey(record, tx, by, { documento }) : null };
    };
    return this.#change(by, give, isDryRun);
  }

  /**
   * Removes a user with its keys, representations and subscriptions. Throws 404, or 422 for the last
   * administrator.
   */
  removeUser(documento: string, by: Actor = SYSTEM, { mayBeLast = false } = {}): Promise<void> {
    return this.#change(by, (record, tx) => {
      const user = this.#store.findUser(documento);
      if (user === undefined) throw noUser(documento);
      if (user.administrador && !mayBeLast) this.#requireAnotherAdministrator(user);
      this.#onUserRemoved(tx, documento, by);
      for (const key of this.#store.listKeysOf(documento))
        record.withoutLog('revoke', 'chave', subjectOf(key), membersChanged(toMembers(key), undefined));
      for (const representation of this.#store.listRepresentationsOf(documento))
        record.withoutLog(
          'remove',
          'representacao',
          keyOf(representation),
          membersChanged(representation, undefined),
        );
      this.#store.removeUser(documento);
      record('remove', 'usuario', documento, membersChanged(user, undefined));
    });
  }

  get hasAdministrator(): boolean {
    return this.#store.listUsers().some(({ administrador }) => administrador);
  }

  #requireAnotherAdministrator({ documento }: User): void {
    if (this.#store.listUsers().some((other) => other.administrador && other.documento !== documento)) return;
    throw refusal(
      'lastAdministrator',
      '/administrador',
      `${documento} é o último administrador desta instância; antes, torne outro usuário administrador.`,
    );
  }

  /** Lets a user act for a company in a profile, or changes its right. Throws 422. */
  putRepresentation(change: RepresentationChange, by: Actor = SYSTEM): Promise<Representation> {
    return this.#change(by, (record) => {
      const user = this.#store.findUser(change.documento);
      return this.#setRepresentation(record, this.#checkedRepresentation(user, change));
    });
  }

  #checkedRepresentation(user: User | undefined, change: RepresentationChange): Representation {
    const { documento, cpfCnpjRaiz, perfil } = change;
    const stored = this.#store.findRepresentation(documento, cpfCnpjRaiz, perfil);
    const defaultRight = perfil === CATALOGUE_PROFILE ? DEFAULT_RIGHT : null;
    const representation = { ...change, papel: change.papel ?? stored?.papel ?? defaultRight };
    const problems = [
      ...(user === undefined ? [unknownUser(documento)] : representationProblems(user, representation)),
      ...(this.#store.findCompany(cpfCnpjRaiz) === undefined ? [unknownCompany(cpfCnpjRaiz)] : []),
    ];
    if (problems.length > 0) throw unprocessable(problems);
    return representation;
  }

  #setRepresentation(record: RecordChange, representation: Representation): Representation {
    const { documento, cpfCnpjRaiz, perfil } = representation;
    const stored = this.#store.findRepresentation(documento, cpfCnpjRaiz, perfil);
    this.#store.putRepresentation(representation);
    const action = stored === undefined ? 'include' : 'change';
    record(action, 'representacao', keyOf(representation), membersChanged(stored, representation));
    return representation;
  }

  /** Throws 404. */
  removeRepresentation(key: RepresentationKey, by: Actor = SYSTEM): Promise<void> {
    const { documento, cpfCnpjRaiz, perfil } = key;
    return this.#change(by, (record) => {
      const stored = this.#store.findRepresentation(documento, cpfCnpjRaiz, perfil);
      if (stored === undefined)
        throw notFound(`${documento} não representa ${cpfCnpjRaiz} no perfil ${perfil}.`);
      this.#store.removeRepresentation(key);
      record('remove', 'representacao', keyOf(key), membersChanged(stored, undefined));
    });
  }

  /**
   * Creates a key. Returns its secret, which is never shown again. `fixed`: the known keys of a development
   * instance. Throws 422.
   */
  addKey(newKey: NewKey, by: Actor = SYSTEM, fixed?: Credentials): Promise<Credentials> {
    return this.#change(by, (record, tx) => this.#makeKey(record, tx, by, newKey, fixed));
  }

  #makeKey(
    record: RecordChange,
    tx: Transaction,
    by: Actor,
    { documento, expiresAt = null }: NewKey,
    credentials = newCredentials(),
  ): Credentials {
    if (this.#store.findUser(documento) === undefined) throw unprocessable([unknownUser(documento)]);
    const { clientId, clientSecret } = credentials;
    if (expiresAt !== null && expiresAt <= tx.now) throw alreadyExpired(expiresAt);
    const secretHash = hashOf(clientSecret);
    const key = { clientId, documento, expiresAt };
    this.#store.putKey({ ...key, secretHash, madeBy: nameOf(by), createdAt: tx.now });
    record('include', 'chave', subjectOf(key), membersChanged(undefined, toMembers(key)));
    return credentials;
  }

  /** Throws 404. */
  revokeKey(clientId: string, by: Actor = SYSTEM): Promise<void> {
    return this.#change(by, (record) => {
      const owner = this.#store.findKey(clientId);
      if (owner === undefined || !this.#store.removeKey(clientId))
        throw notFound(`Não existe a chave de acesso ${formatValue(clientId)}.`);
      record('revoke', 'chave', subjectOf(owner), membersChanged(toMembers(owner), undefined));
    });
  }

  /** Ends one session at the request of its owner. */
  endSession(jti: string): Promise<void> {
    return this.#change(SYSTEM, (_, tx) => this.#end(jti, tx));
  }

  /** Ends all current sessions of a user. Throws 404. */
  endSessionsOf(documento: string, by: Actor): Promise<void> {
    return this.#change(by, (record, tx) => {
      if (this.#store.findUser(documento) === undefined) throw noUser(documento);
      this.#end(documento, tx);
      record('end', 'usuario', documento, UNCHANGED);
    });
  }

  #end(subject: string, { now }: Transaction): void {
    this.#store.putEnd(subject, now, now - SESSION_LIFETIME_MS);
  }
}

const UNCHANGED: MembersChanged = { before: null, after: null };

const noCompany = (cpfCnpjRaiz: string) => notFound(`Não existe a empresa ${formatValue(cpfCnpjRaiz)}.`);
