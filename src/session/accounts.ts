/** Managing users, companies, representations and keys: by the command line, the API and the web interface alike. */
import type { Feed } from '../db/feed.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { type Problem, notFound, shown, unprocessable } from '../errors.ts';
import { ACCOUNT_CODES, type AccountRule } from './codes.ts';
import {
  type AccessKey,
  type AccountChange,
  type Actor,
  type Company,
  PROFILES,
  type Profile,
  type Representation,
  SYSTEM,
  type User,
  admits,
  isCompanyDocument,
  masked,
} from './model.ts';
import { type Credentials, hashOf, newCredentials } from './secrets.ts';
import type { SessionStore } from './store.ts';

const CNPJ_ROOT_LENGTH = 8;

/** What must happen elsewhere when a user goes: its subscriptions end. */
export type UserRemoved = (tx: Transaction, documento: string) => void;

export interface AccountsParts {
  readonly store: SessionStore;
  readonly writer: Writer;
  readonly feed: Feed;
  readonly userRemoved: UserRemoved;
  /** Told of each change once it is on stable storage. */
  readonly changed: (change: AccountChange) => void;
}

export class Accounts {
  readonly #parts: AccountsParts;
  readonly #store: SessionStore;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  listUsers = (): User[] => this.#store.listUsers();
  listCompanies = (): Company[] => this.#store.listCompanies();
  listRepresentations = (): Representation[] => this.#store.listRepresentations();
  listKeys = (): AccessKey[] => this.#store.listKeys();

  /** The companies of a list of roots, with their names. */
  companiesNamed(roots: Iterable<string>): Company[] {
    return [...roots].flatMap((root) => this.#store.findCompany(root) ?? []);
  }

  /** Adds a company, or changes its name and, where one is given, its number; resolves with what is stored. Throws 422. */
  putCompany(company: Company, by: Actor = SYSTEM): Promise<Company> {
    const { cpfCnpjRaiz, cnpj } = company;
    if (cnpj !== null && (cpfCnpjRaiz.length !== CNPJ_ROOT_LENGTH || !cnpj.startsWith(cpfCnpjRaiz)))
      throw refusal(
        'cnpjOfOtherRoot',
        '/cnpj',
        `cnpj: recebido ${shown(cnpj)}; deve começar pela raiz ${cpfCnpjRaiz}.`,
      );
    return this.#change(by, (tell) => {
      const action = this.#store.findCompany(cpfCnpjRaiz) === undefined ? 'include' : 'change';
      this.#store.putCompany(company);
      tell(action, `empresa ${masked(cpfCnpjRaiz)}`);
      return this.#store.findCompany(cpfCnpjRaiz) ?? company;
    });
  }

  /** Adds a user, or changes it. Throws 422. */
  putUser(user: User, by: Actor = SYSTEM): Promise<User> {
    const problems: Problem[] = [];
    if (user.tipo === 'PUBL' && user.orgao === null)
      problems.push(
        problem(
          'bodyRequired',
          '/orgao',
          'orgao: obrigatório para um usuário PUBL; informe a sigla do órgão.',
        ),
      );
    if (user.tipo === 'PRIV' && user.orgao !== null)
      problems.push(
        problem(
          'bodyNotAllowed',
          '/orgao',
          `orgao: recebido ${shown(user.orgao)}; só um usuário PUBL tem órgão.`,
        ),
      );
    if (problems.length > 0) throw unprocessable(problems);
    return this.#change(by, (tell) => {
      const action = this.#store.findUser(user.documento) === undefined ? 'include' : 'change';
      this.#store.putUser(user);
      const { tipo, administrador } = user;
      tell(action, `usuario ${masked(user.documento)}`, { tipo, administrador });
      return user;
    });
  }

  /** Removes a user with its keys, representations and subscriptions. Throws 404. */
  removeUser(documento: string, by: Actor = SYSTEM): Promise<void> {
    return this.#change(by, (tell, tx) => {
      this.#parts.userRemoved(tx, documento);
      if (!this.#store.removeUser(documento))
        throw notFound(`Não existe usuário com o documento ${documento}.`);
      tell('remove', `usuario ${masked(documento)}`);
    });
  }

  /** Lets a user act for a company in a profile. Throws 422. */
  putRepresentation(representation: Representation, by: Actor = SYSTEM): Promise<Representation> {
    const { documento, cpfCnpjRaiz, perfil } = representation;
    return this.#change(by, (tell) => {
      const user = this.#store.findUser(documento);
      const problems = [
        ...(user === undefined ? [unknownUser(documento)] : representationProblems(user, perfil)),
        ...(this.#store.findCompany(cpfCnpjRaiz) === undefined ? [unknownCompany(cpfCnpjRaiz)] : []),
      ];
      if (problems.length > 0) throw unprocessable(problems);
      if (this.#store.putRepresentation(representation)) tell('include', subjectOf(representation));
      return representation;
    });
  }

  /** Throws 404. */
  removeRepresentation(representation: Representation, by: Actor = SYSTEM): Promise<void> {
    const { documento, cpfCnpjRaiz, perfil } = representation;
    return this.#change(by, (tell) => {
      if (!this.#store.removeRepresentation(representation))
        throw notFound(`${documento} não representa ${cpfCnpjRaiz} no perfil ${perfil}.`);
      tell('remove', subjectOf(representation));
    });
  }

  /** Makes a key; its secret is shown here and never again. `fixed`: the known keys of a development instance. Throws 422. */
  addKey(documento: string, by: Actor = SYSTEM, fixed?: Credentials): Promise<Credentials> {
    const credentials = fixed ?? newCredentials();
    return this.#change(by, (tell, tx) => {
      if (this.#store.findUser(documento) === undefined) throw unprocessable([unknownUser(documento)]);
      const { clientId, clientSecret } = credentials;
      this.#store.putKey({ clientId, documento, createdAt: tx.now }, hashOf(clientSecret));
      tell('include', `chave ${clientId}`, { usuario: masked(documento) });
      return credentials;
    });
  }

  /** Throws 404. */
  revokeKey(clientId: string, by: Actor = SYSTEM): Promise<void> {
    return this.#change(by, (tell) => {
      const owner = this.#store.findKey(clientId);
      if (owner === undefined || !this.#store.removeKey(clientId))
        throw notFound(`Não existe a chave de acesso ${shown(clientId)}.`);
      tell('revoke', `chave ${clientId}`, { usuario: masked(owner.documento) });
    });
  }

  #change<T>(by: Actor, work: (tell: Tell, tx: Transaction) => T): Promise<T> {
    const { writer, feed, changed } = this.#parts;
    return writer.write((tx) => {
      tx.afterCommit(() => feed.changed('accounts'));
      const tell: Tell = (action, subject, details = {}) =>
        tx.afterCommit(() => changed({ action, subject, by, details }));
      return work(tell, tx);
    });
  }
}

type Tell = (action: AccountChange['action'], subject: string, details?: AccountChange['details']) => void;

const subjectOf = ({ documento, cpfCnpjRaiz, perfil }: Representation): string =>
  `representacao ${masked(documento)}/${masked(cpfCnpjRaiz)}/${perfil}`;

function representationProblems(user: User, perfil: Profile): Problem[] {
  if (user.tipo === 'PUBL')
    return [
      problem(
        'publicRepresentsNobody',
        '/documento',
        `documento: ${user.documento} é agente público e não representa empresas.`,
      ),
    ];
  if (admits(perfil, user.documento)) return [];
  const kind = isCompanyDocument(user.documento) ? 'uma empresa' : 'uma pessoa';
  const open = Object.keys(PROFILES).filter((name) => admits(name as Profile, user.documento));
  return [
    problem(
      'profileOfOtherKind',
      '/perfil',
      `perfil: recebido ${perfil}, que ${kind} não pode ter; aceita ${open.join(', ')}.`,
    ),
  ];
}

const unknownUser = (documento: string): Problem =>
  problem('unknownUser', '/documento', `documento: não existe usuário ${documento}; inclua-o antes.`);

const unknownCompany = (cpfCnpjRaiz: string): Problem =>
  problem(
    'unknownCompany',
    '/cpfCnpjRaiz',
    `cpfCnpjRaiz: não existe empresa ${cpfCnpjRaiz}; inclua-a antes.`,
  );

function problem(rule: AccountRule, path: string, message: string): Problem {
  return { code: ACCOUNT_CODES[rule].code, message, field: path.slice(1), path };
}

const refusal = (rule: AccountRule, path: string, message: string) =>
  unprocessable([problem(rule, path, message)]);
