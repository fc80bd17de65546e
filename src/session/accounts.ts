/** Managing users, companies, representations and keys: by the command line, the API and the web interface alike. */
import type { Transaction, Writer } from '../db/writer.ts';
import { type Problem, notFound, shown, unprocessable } from '../errors.ts';
import { ACCOUNT_CODES, type AccountRule } from './codes.ts';
import {
  type AccessKey,
  type Company,
  PROFILES,
  type Profile,
  type Representation,
  type User,
  admits,
  isCompanyDocument,
} from './model.ts';
import type { Registry } from './registry.ts';
import { type Credentials, hashOf, newCredentials } from './secrets.ts';
import type { SessionStore } from './store.ts';

const CNPJ_ROOT_LENGTH = 8;

/** What must happen elsewhere when a user goes: its subscriptions end. */
export type UserRemoved = (tx: Transaction, documento: string) => void;

export class Accounts {
  readonly #store: SessionStore;
  readonly #writer: Writer;
  readonly #registry: Registry;
  readonly #userRemoved: UserRemoved;

  constructor(store: SessionStore, writer: Writer, registry: Registry, userRemoved: UserRemoved) {
    this.#store = store;
    this.#writer = writer;
    this.#registry = registry;
    this.#userRemoved = userRemoved;
  }

  listUsers = (): User[] => this.#store.listUsers();
  listCompanies = (): Company[] => this.#store.listCompanies();
  listRepresentations = (): Representation[] => this.#store.listRepresentations();
  listKeys = (): AccessKey[] => this.#store.listKeys();

  /** The companies of a list of roots, with their names. */
  companiesNamed(roots: Iterable<string>): Company[] {
    return [...roots].flatMap((root) => this.#store.findCompany(root) ?? []);
  }

  /** Adds a company, or changes its name and number. Throws 422. */
  putCompany(company: Company): Promise<Company> {
    const { cpfCnpjRaiz, cnpj } = company;
    if (cnpj !== null && (cpfCnpjRaiz.length !== CNPJ_ROOT_LENGTH || !cnpj.startsWith(cpfCnpjRaiz)))
      throw refusal(
        'cnpjOfOtherRoot',
        '/cnpj',
        `cnpj: recebido ${shown(cnpj)}; deve começar pela raiz ${cpfCnpjRaiz}.`,
      );
    return this.#change(() => {
      this.#store.putCompany(company);
      return company;
    });
  }

  /** Adds a user, or changes it. Throws 422. */
  putUser(user: User): Promise<User> {
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
    return this.#change(() => {
      this.#store.putUser(user);
      return user;
    });
  }

  /** Removes a user with its keys, representations and subscriptions. Throws 404. */
  removeUser(documento: string): Promise<void> {
    return this.#change((tx) => {
      this.#userRemoved(tx, documento);
      if (!this.#store.removeUser(documento))
        throw notFound(`Não existe usuário com o documento ${documento}.`);
    });
  }

  /** Lets a user act for a company in a profile. Throws 422. */
  putRepresentation(representation: Representation): Promise<Representation> {
    const { documento, cpfCnpjRaiz, perfil } = representation;
    return this.#change(() => {
      const user = this.#store.findUser(documento);
      const problems = [
        ...(user === undefined ? [unknownUser(documento)] : representationProblems(user, perfil)),
        ...(this.#store.findCompany(cpfCnpjRaiz) === undefined ? [unknownCompany(cpfCnpjRaiz)] : []),
      ];
      if (problems.length > 0) throw unprocessable(problems);
      this.#store.putRepresentation(representation);
      return representation;
    });
  }

  /** Throws 404. */
  removeRepresentation(representation: Representation): Promise<void> {
    const { documento, cpfCnpjRaiz, perfil } = representation;
    return this.#change(() => {
      if (!this.#store.removeRepresentation(representation))
        throw notFound(`${documento} não representa ${cpfCnpjRaiz} no perfil ${perfil}.`);
    });
  }

  /** Makes a key; its secret is shown here and never again. `fixed`: the known keys of a development instance. Throws 422. */
  addKey(documento: string, fixed?: Credentials): Promise<Credentials> {
    const credentials = fixed ?? newCredentials();
    return this.#change((tx) => {
      if (this.#store.findUser(documento) === undefined) throw unprocessable([unknownUser(documento)]);
      const { clientId, clientSecret } = credentials;
      this.#store.putKey({ clientId, documento, createdAt: tx.now }, hashOf(clientSecret));
      return credentials;
    });
  }

  /** Throws 404. */
  revokeKey(clientId: string): Promise<void> {
    return this.#change(() => {
      if (!this.#store.removeKey(clientId))
        throw notFound(`Não existe a chave de acesso ${shown(clientId)}.`);
    });
  }

  #change<T>(work: (tx: Transaction) => T): Promise<T> {
    return this.#writer.write((tx) => {
      tx.afterCommit(() => this.#registry.forget());
      return work(tx);
    });
  }
}

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
