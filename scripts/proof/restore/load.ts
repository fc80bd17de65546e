/** Writes at the maximum rate and records each answer; reads meanwhile to measure the cost of a backup. */
import { type Answer, type Client, signIn } from '../client.ts';
import type { Random } from '../random.ts';
import type { Claim, RestoredState } from './claims.ts';

const COMPANY = '12345678';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = '/catp/api/ext/operador-estrangeiro';
const HOOKS = '/portal/api/ext/webhook';
const COMPANIES = '/appliance/api/companies';
const PRODUCT_WRITERS = 12;
/** This share of the writes is a new version of a product. */
const RENEWED = 0.4;

export interface Users {
  readonly demo: Client;
  readonly admin: Client;
}

export async function signedIn(url: string): Promise<Users> {
  const [demo, admin] = await Promise.all([signIn(url, 'demo'), signIn(url, 'admin')]);
  return { demo, admin };
}

export class Load {
  readonly claims: Claim[] = [];
  readonly problems: string[] = [];
  readonly #users: Users;
  readonly #random: Random;
  #made: number;
  #goesOn = false;
  #loops: Promise<void>[] = [];
  readonly #begun = Promise.withResolvers<void>();

  /** `made`: the number of records of an earlier load, whose names differ then. */
  constructor(users: Users, random: Random, made = 0) {
    this.#made = made;
    this.#users = users;
    this.#random = random;
  }

  start(): void {
    this.#goesOn = true;
    const steps = [
      ...Array.from({ length: PRODUCT_WRITERS }, () => this.#product()),
      () => this.#operator(),
      () => this.#subscription(),
      () => this.#company(),
    ];
    this.#loops = steps.map(async (step) => {
      while (this.#goesOn) await step();
    });
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await Promise.all(this.#loops);
  }

  /** Returns the milliseconds of each look-up of a version, one after another, until `isOver`. */
  async reading(isOver: () => boolean): Promise<readonly number[]> {
    const times: number[] = [];
    await this.#begun.promise; // no version exists before
    while (!isOver()) {
      const started = performance.now();
      const answer = await this.#users.demo.call('GET', `${PRODUCTS}/1/1`);
      if (answer?.status === 200) times.push(performance.now() - started);
      else this.#refused('GET produto', answer);
    }
    return times;
  }

  #product(): () => Promise<void> {
    let mine: number | undefined;
    return async () => {
      const denominacao = `Peça ${(this.#made += 1)} de prova`;
      const content = {
        denominacao,
        modalidade: 'IMPORTACAO',
        ncm: '39269090',
        codigosInterno: [`P-${this.#made}`],
      };
      const isNew = mine === undefined || !this.#random.chance(RENEWED);
      const answer = isNew
        ? await this.#users.demo.call('POST', PRODUCTS, content)
        : await this.#users.demo.call('PUT', `${PRODUCTS}/${mine}`, content);
      if (answer?.status !== 200) return this.#refused('produto', answer);
      const { codigo, versao } = answer.body as { codigo: number; versao: string };
      mine = codigo;
      this.claims.push({ kind: 'produto', codigo, versao: Number(versao), denominacao, text: answer.text });
      this.#begun.resolve();
    };
  }

  async #operator(): Promise<void> {
    const nome = `Operador ${(this.#made += 1)}`;
    const body = { nome, logradouro: 'Rua 1', nomeCidade: 'Bonn' };
    const answer = await this.#users.demo.call('POST', `${OPERATORS}/${COMPANY}/DE`, body);
    if (answer?.status !== 200) return this.#refused('operador', answer);
    this.claims.push({ kind: 'operador', codigo: (answer.body as { codigo: string }).codigo, nome });
  }

  async #subscription(): Promise<void> {
    const evento = `prova-${(this.#made += 1)}`;
    const endpoint = 'https://ninguem.prova/a';
    const answer = await this.#users.demo.call('POST', HOOKS, { evento, endpoint, chaveSecreta: 'segredo' });
    if (answer?.status !== 200) return this.#refused('assinatura', answer);
    this.claims.push({ kind: 'assinatura', id: (answer.body as { id: number }).id, evento });
  }

  async #company(): Promise<void> {
    const raiz = String(20_000_000 + (this.#made += 1));
    const answer = await this.#users.admin.call('POST', COMPANIES, {
      cpfCnpjRaiz: raiz,
      nome: `Empresa ${raiz}`,
    });
    if (answer?.status !== 200) return this.#refused('empresa', answer);
    this.claims.push({ kind: 'empresa', raiz });
  }

  #refused(what: string, answer: Answer | undefined): void {
    const outcome = answer === undefined ? 'sem resposta' : `${answer.status} ${answer.text.slice(0, 300)}`;
    this.problems.push(`${what}: ${outcome}`);
    this.#goesOn = false;
    this.#begun.resolve();
  }
}

/** Returns the state of all claims on an instance. Throws when it does not answer. */
export async function shownBy({ demo, admin }: Users): Promise<RestoredState> {
  const [products, operators, subscriptions, companies] = await Promise.all([
    listOf<{ codigo: number; versao: string; denominacao: string }>(
      demo,
      `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`,
    ),
    listOf<{ codigo: string; nome: string }>(demo, `${OPERATORS}?cpfCnpjRaiz=${COMPANY}`),
    listOf<{ id: number; evento: string }>(demo, HOOKS),
    listOf<{ cpfCnpjRaiz: string }>(admin, COMPANIES),
  ]);
  return {
    products: new Map(
      products.map(({ codigo, versao, denominacao }) => [codigo, { versao: Number(versao), denominacao }]),
    ),
    operators: new Map(operators.map(({ codigo, nome }) => [codigo, nome])),
    subscriptions: new Map(subscriptions.map(({ id, evento }) => [id, evento])),
    companies: new Set(companies.map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)),
  };
}

async function listOf<T>(client: Client, path: string): Promise<readonly T[]> {
  const answer = await client.call('GET', path);
  if (answer?.status === 204) return [];
  if (answer?.status !== 200) throw new Error(`GET ${path}: ${answer?.status ?? 'sem resposta'}`);
  return answer.body as readonly T[];
}

/** Returns the version that the instance reports. */
export const versionOf = async (
  { demo }: Users,
  codigo: number,
  versao: number,
): Promise<string | undefined> => (await demo.call('GET', `${PRODUCTS}/${codigo}/${versao}`))?.text;
