/** Stores users, companies, representations and access keys. */
import type { EpochMs } from '../clock.ts';
import { recordedSince } from '../db/migration-table.ts';
import { Store } from '../db/prepared.ts';
import { RIGHTS, type Right, includesRight } from '../right.ts';
import {
  type AccessKey,
  CATALOGUE_PROFILE,
  type Caller,
  type Company,
  type PartyKind,
  type Profile,
  type Representation,
  type RepresentationKey,
  type User,
  isProfile,
} from './model.ts';

interface UserRow {
  readonly documento: string;
  readonly nome: string;
  readonly tipo: PartyKind;
  readonly orgao: string | null;
  readonly email: string | null;
  readonly administrador: 0 | 1;
}

const toUser = (row: UserRow): User => ({ ...row, administrador: row.administrador === 1 });

interface StoredKey extends AccessKey {
  readonly secretHash: string;
  /** `null`: unknown. */
  readonly madeBy: string | null;
}

/** The migration that added the last use. */
const LAST_USE = 7;
const KEY = `client_id AS clientId, documento, created_at AS createdAt, expires_at AS expiresAt, last_used_at AS lastUsedAt,
  last_used_at IS NULL AND created_at < ${recordedSince(LAST_USE)} AS isUseUnrecorded`;

export class SessionStore extends Store {
  readonly findUser = this.one<[documento: string], User>(
    'SELECT documento, nome, tipo, orgao, email, administrador FROM user WHERE documento = ?',
    toUser,
  );
  readonly findCompany = this.one<[cpfCnpjRaiz: string], Company>(
    'SELECT cpf_cnpj_raiz AS cpfCnpjRaiz, nome, cnpj FROM company WHERE cpf_cnpj_raiz = ?',
  );
  /** Returns the roots of the companies that a user represents in a profile. */
  readonly representedBy = this.values<[documento: string, perfil: Profile], string>(
    'SELECT cpf_cnpj_raiz FROM representation WHERE documento = ? AND perfil = ?',
  );
  /** Returns the right of a user over each company whose catalogue it may see. */
  readonly #rightsOf = this.many<[documento: string], { readonly root: string; readonly papel: Right }>(
    `SELECT cpf_cnpj_raiz AS root, papel FROM representation
     WHERE documento = +? AND perfil = '${CATALOGUE_PROFILE}' ORDER BY cpf_cnpj_raiz`,
  );
  /** Returns the rights that groups of the provider gave to a user at its last sign-in there. */
  readonly #groupRightsOf = this.many<[documento: string], { readonly root: string; readonly papel: Right }>(
    `SELECT cpf_cnpj_raiz AS root, papel FROM group_right JOIN access_group ON access_group.id = group_id
     WHERE documento = ?`,
  );
  /** Returns true when groups of the provider gave some company to a user. */
  readonly hasGroupRight = this.exists<[documento: string]>('SELECT 1 FROM group_right WHERE documento = ?');
  readonly #peopleWith = this.values<[cpfCnpjRaiz: string, rights: string], string>(
    `SELECT DISTINCT nome FROM (
       SELECT documento, cpf_cnpj_raiz, papel FROM representation WHERE perfil = '${CATALOGUE_PROFILE}'
       UNION ALL SELECT documento, cpf_cnpj_raiz, papel FROM group_right JOIN access_group ON access_group.id = group_id
     ) JOIN user USING (documento)
     WHERE cpf_cnpj_raiz = ? AND tipo = 'PRIV' AND papel IN (SELECT value FROM json_each(?))
     ORDER BY nome LIMIT 3`,
  );
  /** Returns the names of at most three people who have a right over a company. */
  readonly peopleWith = (cpfCnpjRaiz: string, right: Right): readonly string[] =>
    this.#peopleWith(cpfCnpjRaiz, JSON.stringify(RIGHTS.filter((one) => includesRight(one, right))));
  readonly findKey = this.one<[clientId: string], StoredKey>(
    `SELECT ${KEY}, secret_hash AS secretHash, made_by AS madeBy FROM access_key WHERE client_id = ?`,
  );
  /** Returns true when a key of this Client-Id existed and was removed. */
  readonly wasRevoked = this.exists<[clientId: string]>('SELECT 1 FROM revoked_key WHERE client_id = ?');
  /**
   * Returns the moment at which a session (by `jti`) or all sessions of a user (by documento) were ended
   * early.
   */
  readonly endedAt = this.value<[subject: string], EpochMs>(
    'SELECT ended_at FROM ended_session WHERE subject = ?',
  );
  readonly listUsers = this.many<[], User>(
    'SELECT documento, nome, tipo, orgao, email, administrador FROM user ORDER BY documento',
    toUser,
  );
  readonly hasUsers = this.exists<[]>('SELECT 1 FROM user LIMIT 1');
  readonly putUser = this.runs(
    `INSERT INTO user (documento, nome, tipo, orgao, email, administrador) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (documento) DO UPDATE SET nome = excluded.nome, tipo = excluded.tipo,
       orgao = excluded.orgao, email = excluded.email, administrador = excluded.administrador`,
    ({ documento, nome, tipo, orgao, email, administrador }: User) => [
      documento,
      nome,
      tipo,
      orgao,
      email,
      administrador ? 1 : 0,
    ],
  );
  /** Returns the documento of the user with that address, in any letter case. */
  readonly findByEmail = this.value<[email: string], string>(
    'SELECT documento FROM user WHERE lower(email) = lower(?)',
  );
  readonly listCompanies = this.many<[], Company>(
    'SELECT cpf_cnpj_raiz AS cpfCnpjRaiz, nome, cnpj FROM company ORDER BY cpf_cnpj_raiz',
  );
  /** Returns the representatives of a company, in any profile. */
  readonly representativesOf = this.values<[cpfCnpjRaiz: string], string>(
    'SELECT DISTINCT documento FROM representation WHERE cpf_cnpj_raiz = ? ORDER BY documento',
  );
  readonly listRepresentations = this.many<[], Representation>(
    `SELECT documento, cpf_cnpj_raiz AS cpfCnpjRaiz, perfil, papel FROM representation
     ORDER BY documento, cpf_cnpj_raiz, perfil`,
  );
  readonly listRepresentationsOf = this.many<[documento: string], Representation>(
    `SELECT documento, cpf_cnpj_raiz AS cpfCnpjRaiz, perfil, papel FROM representation WHERE documento = ?
     ORDER BY cpf_cnpj_raiz, perfil`,
  );
  readonly listKeys = this.many<[], AccessKey>(`SELECT ${KEY} FROM access_key ORDER BY client_id`);
  readonly hasKeys = this.exists<[]>('SELECT 1 FROM access_key LIMIT 1');
  readonly listKeysOf = this.many<[documento: string], AccessKey>(
    `SELECT ${KEY} FROM access_key WHERE documento = ? ORDER BY client_id`,
  );
  readonly putUse = this.runs(
    'UPDATE access_key SET last_used_at = ? WHERE client_id = ?',
    (clientId: string, hour: EpochMs) => [hour, clientId],
  );
  readonly #revokeKeysOf = this.runs<[documento: string]>(
    'INSERT OR IGNORE INTO revoked_key (client_id) SELECT client_id FROM access_key WHERE documento = ?',
  );
  readonly #deleteUser = this.changes<[documento: string]>('DELETE FROM user WHERE documento = ?');
  readonly #changeCompany = this.changes('UPDATE company SET nome = ?, cnpj = ? WHERE cpf_cnpj_raiz = ?');
  readonly #insertCompany = this.runs('INSERT INTO company (cpf_cnpj_raiz, nome, cnpj) VALUES (?, ?, ?)');
  readonly #deleteCompany = this.changes<[cpfCnpjRaiz: string]>(
    'DELETE FROM company WHERE cpf_cnpj_raiz = ?',
  );
  readonly findRepresentation = this.one<
    [documento: string, cpfCnpjRaiz: string, perfil: Profile],
    Representation
  >(
    `SELECT documento, cpf_cnpj_raiz AS cpfCnpjRaiz, perfil, papel FROM representation
     WHERE documento = ? AND cpf_cnpj_raiz = ? AND perfil = ?`,
  );
  /** Adds a representation, or changes its right. */
  readonly putRepresentation = this.runs(
    `INSERT INTO representation (documento, cpf_cnpj_raiz, perfil, papel) VALUES (?, ?, ?, ?)
     ON CONFLICT (documento, cpf_cnpj_raiz, perfil) DO UPDATE SET papel = excluded.papel`,
    (representation: Representation) => [
      representation.documento,
      representation.cpfCnpjRaiz,
      representation.perfil,
      representation.papel,
    ],
  );
  readonly #deleteRepresentation = this.changes(
    'DELETE FROM representation WHERE documento = ? AND cpf_cnpj_raiz = ? AND perfil = ?',
  );
  readonly #insertKey = this.runs(
    'INSERT INTO access_key (client_id, documento, secret_hash, made_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  readonly #deleteKey = this.changes<[clientId: string]>('DELETE FROM access_key WHERE client_id = ?');
  readonly #revokeKey = this.runs<[clientId: string]>(
    'INSERT OR IGNORE INTO revoked_key (client_id) VALUES (?)',
  );
  readonly #deleteEnds = this.runs<[before: EpochMs]>('DELETE FROM ended_session WHERE ended_at < ?');
  readonly #putEnd = this.runs(
    `INSERT INTO ended_session (subject, ended_at)
     VALUES (?, max(?, coalesce((SELECT set_at + 1 FROM password WHERE documento = ?), 0)))
     ON CONFLICT (subject) DO UPDATE SET ended_at = max(excluded.ended_at, ended_at + 1)`,
    (subject: string, at: EpochMs) => [subject, at, subject],
  );

  /** Removes a user with its keys and representations. `false`: no such user. */
  removeUser(documento: string): boolean {
    this.#revokeKeysOf(documento);
    return this.#deleteUser(documento) > 0;
  }

  /** Adds a company, or changes it. */
  putCompany({ cpfCnpjRaiz, nome, cnpj }: Company): void {
    // An upsert would need a number for a new row, which does not exist after the last company.
    if (this.#changeCompany(nome, cnpj, cpfCnpjRaiz) === 0) this.#insertCompany(cpfCnpjRaiz, nome, cnpj);
  }

  /** Removes a company to which no row refers any more. `false`: no such company. */
  removeCompany(cpfCnpjRaiz: string): boolean {
    return this.#deleteCompany(cpfCnpjRaiz) > 0;
  }

  /**
   * Returns a user with its current rights in a profile, without a session. `isByProvider`: includes the rights of
   * its groups; the greatest right wins. `undefined`: no such user or profile.
   */
  findCaller(documento: string, perfil: string, isByProvider = false): Caller | undefined {
    const user = this.findUser(documento);
    if (user === undefined || !isProfile(perfil)) return undefined;
    const isOfCatalogue = perfil === CATALOGUE_PROFILE;
    const rights = isOfCatalogue ? this.#rightsOf(documento) : [];
    const companies = new Map(rights.map(({ root, papel }) => [root, papel]));
    const byGroups =
      isOfCatalogue && isByProvider && user.tipo === 'PRIV' ? this.#groupRightsOf(documento) : [];
    for (const { root, papel } of byGroups) {
      const byHand = companies.get(root);
      if (byHand === undefined || includesRight(papel, byHand)) companies.set(root, papel);
    }
    return { ...user, perfil, companies, peopleWith: this.peopleWith, key: null };
  }

  removeRepresentation({ documento, cpfCnpjRaiz, perfil }: RepresentationKey): boolean {
    return this.#deleteRepresentation(documento, cpfCnpjRaiz, perfil) > 0;
  }

  putKey(key: Omit<StoredKey, 'lastUsedAt' | 'isUseUnrecorded'>): void {
    const { clientId, documento, secretHash, madeBy, createdAt, expiresAt } = key;
    this.#insertKey(clientId, documento, secretHash, madeBy, createdAt, expiresAt);
  }

  removeKey(clientId: string): boolean {
    const isRemoved = this.#deleteKey(clientId) > 0;
    if (isRemoved) this.#revokeKey(clientId);
    return isRemoved;
  }

  /**
   * Stores the end of a session or of all sessions of a user. It is later than the previous end and than the last
   * change of the password, also after the clock was set back. Deletes ends before `past`.
   */
  putEnd(subject: string, at: EpochMs, past: EpochMs): void {
    this.#deleteEnds(past);
    this.#putEnd(subject, at);
  }
}
