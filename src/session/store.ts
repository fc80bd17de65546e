/** Users, companies, representations and access keys on disk. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import {
  type AccessKey,
  CATALOGUE_PROFILE,
  type Caller,
  type Company,
  type PartyKind,
  type Profile,
  type Representation,
  type User,
  isProfile,
} from './model.ts';

interface UserRow {
  readonly documento: string;
  readonly nome: string;
  readonly tipo: PartyKind;
  readonly orgao: string | null;
  readonly administrador: 0 | 1;
}

const toUser = (row: UserRow): User => ({ ...row, administrador: row.administrador === 1 });

interface StoredKey extends AccessKey {
  readonly secretHash: string;
  /** `null`: unknown. */
  readonly madeBy: string | null;
}

const KEY =
  'client_id AS clientId, documento, created_at AS createdAt, expires_at AS expiresAt, last_used_at AS lastUsedAt';

export class SessionStore extends Store {
  readonly #findUser = this.db.prepare<[string], UserRow>(
    'SELECT documento, nome, tipo, orgao, administrador FROM user WHERE documento = ?',
  );
  readonly #findCompany = this.db.prepare<[string], Company>(
    'SELECT cpf_cnpj_raiz AS cpfCnpjRaiz, nome, cnpj FROM company WHERE cpf_cnpj_raiz = ?',
  );
  readonly #companiesOf = this.db
    .prepare<[string, string], string>(
      'SELECT cpf_cnpj_raiz FROM representation WHERE documento = ? AND perfil = ? ORDER BY cpf_cnpj_raiz',
    )
    .pluck();
  readonly #findKey = this.db.prepare<[string], StoredKey>(
    `SELECT ${KEY}, secret_hash AS secretHash, made_by AS madeBy FROM access_key WHERE client_id = ?`,
  );
  readonly #wasRevoked = this.db.prepare<[string], unknown>('SELECT 1 FROM revoked_key WHERE client_id = ?');
  readonly #endedAt = this.db
    .prepare<[string], EpochMs>('SELECT ended_at FROM ended_session WHERE subject = ?')
    .pluck();

  findUser(documento: string): User | undefined {
    const row = this.#findUser.get(documento);
    return row && toUser(row);
  }

  listUsers(): User[] {
    return this.db
      .prepare<[], UserRow>('SELECT documento, nome, tipo, orgao, administrador FROM user ORDER BY documento')
      .all()
      .map(toUser);
  }

  putUser(user: User): void {
    this.db
      .prepare(
        `INSERT INTO user (documento, nome, tipo, orgao, administrador) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (documento) DO UPDATE SET nome = excluded.nome, tipo = excluded.tipo,
       orgao = excluded.orgao, administrador = excluded.administrador`,
      )
      .run(user.documento, user.nome, user.tipo, user.orgao, user.administrador ? 1 : 0);
  }

  /** Removes a user with its keys and representations. `false`: no such user. */
  removeUser(documento: string): boolean {
    this.db
      .prepare(
        'INSERT OR IGNORE INTO revoked_key (client_id) SELECT client_id FROM access_key WHERE documento = ?',
      )
      .run(documento);
    return this.db.prepare('DELETE FROM user WHERE documento = ?').run(documento).changes > 0;
  }

  findCompany(cpfCnpjRaiz: string): Company | undefined {
    return this.#findCompany.get(cpfCnpjRaiz);
  }

  listCompanies(): Company[] {
    return this.db
      .prepare<[], Company>(
        'SELECT cpf_cnpj_raiz AS cpfCnpjRaiz, nome, cnpj FROM company ORDER BY cpf_cnpj_raiz',
      )
      .all();
  }

  /** Adds a company, or changes it. */
  putCompany({ cpfCnpjRaiz, nome, cnpj }: Company): void {
    const changed = this.db
      .prepare('UPDATE company SET nome = ?, cnpj = ? WHERE cpf_cnpj_raiz = ?')
      .run(nome, cnpj, cpfCnpjRaiz);
    // An upsert would need a number for a new row, which does not exist after the last company.
    if (changed.changes > 0) return;
    this.db
      .prepare('INSERT INTO company (cpf_cnpj_raiz, nome, cnpj) VALUES (?, ?, ?)')
      .run(cpfCnpjRaiz, nome, cnpj);
  }

  /** Returns the representatives of a company, in any profile. */
  representativesOf(cpfCnpjRaiz: string): string[] {
    return this.db
      .prepare<[string], string>(
        'SELECT DISTINCT documento FROM representation WHERE cpf_cnpj_raiz = ? ORDER BY documento',
      )
      .pluck()
      .all(cpfCnpjRaiz);
  }

  /** Removes a company to which no row refers any more. `false`: no such company. */
  removeCompany(cpfCnpjRaiz: string): boolean {
    return this.db.prepare('DELETE FROM company WHERE cpf_cnpj_raiz = ?').run(cpfCnpjRaiz).changes > 0;
  }

  /** Returns the roots of the companies that a user represents in a profile. */
  companiesOf(documento: string, perfil: Profile): string[] {
    return this.#companiesOf.all(documento, perfil);
  }

  /**
   * Returns a user with its current rights in a profile, without a session. `undefined`: no such user or
   * profile.
   */
  findCaller(documento: string, perfil: string): Caller | undefined {
    const user = this.findUser(documento);
    if (user === undefined || !isProfile(perfil)) return undefined;
    const companies = perfil === CATALOGUE_PROFILE ? this.companiesOf(documento, perfil) : [];
    return { ...user, perfil, companies: new Set(companies), key: null };
  }

  listRepresentations(): Representation[] {
    return this.db
      .prepare<[], Representation>(
        `SELECT documento, cpf_cnpj_raiz AS cpfCnpjRaiz, perfil FROM representation
     ORDER BY documento, cpf_cnpj_raiz, perfil`,
      )
      .all();
  }

  listRepresentationsOf(documento: string): Representation[] {
    return this.db
      .prepare<[string], Representation>(
        `SELECT documento, cpf_cnpj_raiz AS cpfCnpjRaiz, perfil FROM representation WHERE documento = ?
     ORDER BY cpf_cnpj_raiz, perfil`,
      )
      .all(documento);
  }

  /** Adds a representation. `false`: it existed. */
  putRepresentation({ documento, cpfCnpjRaiz, perfil }: Representation): boolean {
    const insertion = this.db
      .prepare(
        'INSERT INTO representation (documento, cpf_cnpj_raiz, perfil) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(documento, cpfCnpjRaiz, perfil);
    return insertion.changes > 0;
  }

  removeRepresentation({ documento, cpfCnpjRaiz, perfil }: Representation): boolean {
    const removed = this.db
      .prepare('DELETE FROM representation WHERE documento = ? AND cpf_cnpj_raiz = ? AND perfil = ?')
      .run(documento, cpfCnpjRaiz, perfil);
    return removed.changes > 0;
  }

  findKey(clientId: string): StoredKey | undefined {
    return this.#findKey.get(clientId);
  }

  /** Returns true when a key of this Client-Id existed and was removed. */
  wasRevoked(clientId: string): boolean {
    return this.#wasRevoked.get(clientId) !== undefined;
  }

  listKeys(): AccessKey[] {
    return this.db.prepare<[], AccessKey>(`SELECT ${KEY} FROM access_key ORDER BY client_id`).all();
  }

  listKeysOf(documento: string): AccessKey[] {
    return this.db
      .prepare<[string], AccessKey>(`SELECT ${KEY} FROM access_key WHERE documento = ? ORDER BY client_id`)
      .all(documento);
  }

  putKey({
    clientId,
    documento,
    secretHash,
    madeBy,
    createdAt,
    expiresAt,
  }: Omit<StoredKey, 'lastUsedAt'>): void {
    this.db
      .prepare(
        'INSERT INTO access_key (client_id, documento, secret_hash, made_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(clientId, documento, secretHash, madeBy, createdAt, expiresAt);
  }

  putUse(clientId: string, hour: EpochMs): void {
    this.db.prepare('UPDATE access_key SET last_used_at = ? WHERE client_id = ?').run(hour, clientId);
  }

  removeKey(clientId: string): boolean {
    const isRemoved = this.db.prepare('DELETE FROM access_key WHERE client_id = ?').run(clientId).changes > 0;
    if (isRemoved) this.db.prepare('INSERT OR IGNORE INTO revoked_key (client_id) VALUES (?)').run(clientId);
    return isRemoved;
  }

  /** Returns when a session (by `jti`) or all sessions of a user (by documento) were ended early. */
  endedAt(subject: string): EpochMs | undefined {
    return this.#endedAt.get(subject);
  }

  /**
   * Stores an end that is later than the previous one, also after the clock was set back. Deletes ends before
   * `past`.
   */
  putEnd(subject: string, at: EpochMs, past: EpochMs): void {
    this.db.prepare('DELETE FROM ended_session WHERE ended_at < ?').run(past);
    this.db
      .prepare(
        `INSERT INTO ended_session (subject, ended_at) VALUES (?, ?)
     ON CONFLICT (subject) DO UPDATE SET ended_at = max(excluded.ended_at, ended_at + 1)`,
      )
      .run(subject, at);
  }
}
