/** GET /appliance/api/concession-acts (contract section 4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { concessionActQuery } from '../../../src/catalogue/concession-act/list-query.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const ACTS = '/appliance/api/concession-acts';
const COMPANY = '12345678';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

let app: TestApp;
let demo: Client;

const act = (codigoProduto: number, numeroAto: string, numeroItem: string) => ({
  codigoProduto,
  cpfCnpjRaiz: COMPANY,
  numeroAto,
  numeroItem,
});

beforeAll(async () => {
  app = await openApp({ settings: { ambiente: 'producao' } });
  demo = await app.as('demo');
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
  const acts = [act(2, 'B', '1'), act(1, 'B', '2'), act(1, 'B', '1'), act(1, 'A', '9')];
  const items = acts.map((one, index) => ({ seq: index + 1, ...one }));
  await demo.call('POST', '/catp/api/ext/regime-especial', items);
});

afterAll(() => app.close());

const list = (query: string, client = demo) => client.call('GET', `${ACTS}?${query}`);

describe('a caller is refused', () => {
  test('without a session, without the company, or with administration only', async () => {
    expect((await list(`cpfCnpjRaiz=${COMPANY}`, app.anybody)).status).toBe(401);
    expect((await list(`cpfCnpjRaiz=${COMPANY}`, await app.as('estranho'))).status).toBe(403);
    expect((await list(`cpfCnpjRaiz=${COMPANY}`, await app.as('admin'))).status).toBe(403);
  });
});

test('the company is required once, and a product is a code', async () => {
  for (const query of ['', 'cpfCnpjRaiz=1', `cpfCnpjRaiz=${COMPANY}&cpfCnpjRaiz=${COMPANY}`])
    expect((await list(query)).status).toBe(400);
  for (const codigo of ['0', '10000000000', 'x'])
    expect((await list(`cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`)).status).toBe(400);
});

test('an empty catalogue has an empty list', async () => {
  for (const query of ['cpfCnpjRaiz=87654321', `cpfCnpjRaiz=${COMPANY}&codigoProduto=9999999999`]) {
    const reply = await list(query);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual([]);
  }
});

test('the acts of a product are ordered by act and item', async () => {
  const reply = await list(`cpfCnpjRaiz=${COMPANY}&codigoProduto=1`);
  expect(reply.json).toEqual([act(1, 'A', '9'), act(1, 'B', '1'), act(1, 'B', '2')]);
});

test('the acts of the whole company are ordered by product, for a public agent too', async () => {
  const everything = [act(1, 'A', '9'), act(1, 'B', '1'), act(1, 'B', '2'), act(2, 'B', '1')];
  expect((await list(`cpfCnpjRaiz=${COMPANY}`)).json).toEqual(everything);
  expect((await list(`cpfCnpjRaiz=${COMPANY}`, await app.as('publico'))).json).toEqual(everything);
});

test('no query sorts or scans a table', () => {
  for (const filter of [{ cpfCnpjRaiz: COMPANY }, { cpfCnpjRaiz: COMPANY, codigoProduto: 1 }]) {
    const { sql, parameters } = concessionActQuery(filter, 1);
    const plan = app.app.core.db
      .prepare<(string | number)[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }) => detail);
    expect(plan).toHaveLength(1);
    expect(plan[0]).toStartWith('SEARCH concession_act USING PRIMARY KEY (product_id');
  }
});
