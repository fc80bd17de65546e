/** Opens servers for tests, and has helpers for requests about products. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import { type Client, type Reply, START, type TestApp, openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';

export const PATH = '/catp/api/ext/produto';
export const COMPANY = '12345678';
export const OTHER_COMPANY = '87654321';
export const OF_COMPANY = `${PATH}/${COMPANY}`;
export const LIST = `${PATH}?cpfCnpjRaiz=${COMPANY}`;
/** First day of the test clock. */
export const TODAY = '2026-01-15';
export const YESTERDAY = '2026-01-14';
export const TOMORROW = '2026-01-16';

/** Smallest accepted request. */
export const MINIMAL = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

/** Every member of the request form. */
export const WHOLE = {
  descricao: 'Parafuso sextavado de aço inoxidável, M8 × 40',
  denominacao: 'Parafuso sextavado',
  modalidade: 'AMBOS',
  ncm: '73181500',
  atributos: [{ atributo: 'ATT_1', valor: '01' }],
  atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['01', '02'] }],
  atributosCompostos: [{ atributo: 'ATT_3', valores: [{ atributo: 'ATT_4', valor: 'true' }] }],
  atributosCompostosMultivalorados: [
    {
      atributo: 'ATT_5',
      valores: [[{ atributo: 'ATT_6', valor: '1.50' }], [{ atributo: 'ATT_6', valor: '2' }]],
    },
  ],
  codigosInterno: ['A-1', 'A-2'],
};

/** An item of a batch. */
export const ITEM = { seq: 1, cpfCnpjRaiz: COMPANY, ...MINIMAL };

export interface Products {
  readonly server: TestApp;
  /** Represents both companies. */
  readonly demo: Client;
}

type Options = Parameters<typeof openApp>[0];

async function openProducts(options: Options): Promise<Products> {
  const server = await openApp(options);
  await keepEvents(server, 'catp-prod-alterado');
  return { server, demo: await server.as('demo') };
}

/** Opens a server before each test, and closes it after the test. */
export function productsForEachTest(options: Options = {}): () => Products {
  let products: Products | undefined;
  beforeEach(async () => {
    products = await openProducts(options);
  });
  afterEach(async () => {
    await products?.server.close();
  });
  return () => present(products);
}

/** Opens one server for all tests of the file or of the enclosing describe. No test moves its clock. */
export function productsForAllTests(options: Options = {}): () => Products {
  let products: Products | undefined;
  beforeAll(async () => {
    products = await openProducts(options);
  });
  afterAll(async () => {
    await products?.server.close();
  });
  return () => present(products);
}

function present(products: Products | undefined): Products {
  if (products === undefined) throw new Error('The server is open only inside a test.');
  return products;
}

/** Includes a product, and returns its record. */
export async function include(client: Client, content: object = MINIMAL, cpfCnpjRaiz = COMPANY) {
  return succeed(await client.call('POST', `${PATH}/${cpfCnpjRaiz}`, content));
}

/** Returns the body of an answer that must be 200. */
export function succeed(reply: Reply) {
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

/** Sends one item as a batch, and returns its result. */
export async function sendItem(client: Client, item: object) {
  return succeed(await client.call('POST', PATH, [item]))[0];
}

/** Includes a draft, and returns its code. */
export async function includeDraft(
  client: Client,
  content: object = { denominacao: 'Rascunho' },
): Promise<number> {
  const result = await sendItem(client, { seq: 1, cpfCnpjRaiz: COMPANY, situacao: 'RASCUNHO', ...content });
  expect(result.erros).toEqual([]);
  return Number(result.codigo);
}

/** Returns the items of a list in its order; none for 204. */
export async function listed(client: Client, filters = '', cpfCnpjRaiz = COMPANY) {
  const reply = await client.call('GET', `${PATH}?cpfCnpjRaiz=${cpfCnpjRaiz}${filters}`);
  if (reply.status === 204) return [];
  return succeed(reply);
}

/** Returns the codes of a list. */
export async function codigos(client: Client, filters = ''): Promise<number[]> {
  return (await listed(client, filters)).map(({ codigo }: { codigo: number }) => codigo);
}

/** Moves the clock to a moment of a later day, and signs in again since tokens are short-lived. */
export async function laterDay({ server }: Products, days: number): Promise<Client> {
  server.clock.moveTo(START + days * DAY_MS);
  return server.as('demo');
}

export const codesOf = (reply: Reply): string[] =>
  reply.json.detail.map(({ code }: { code: string }) => code);

export const pathsOf = (reply: Reply): string[] =>
  reply.json.detail.map(({ path }: { path: string }) => path);

export const messagesOf = (reply: Reply): string[] =>
  reply.json.detail.map(({ message }: { message: string }) => message);

/** Returns the bodies of the published events of products, oldest first. */
export const eventsOf = ({ app }: TestApp): Record<string, unknown>[] =>
  app.core.db
    .prepare<[], string>("SELECT conteudo FROM event WHERE evento = 'catp-prod-alterado' ORDER BY id")
    .pluck()
    .all()
    .map((conteudo) => JSON.parse(conteudo) as Record<string, unknown>);

export const operacoesOf = (server: TestApp): unknown[] => eventsOf(server).map(({ operacao }) => operacao);
