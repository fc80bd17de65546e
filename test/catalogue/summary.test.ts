/** GET /appliance/api/summary: the catalogue of a company in numbers. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SUMMARY } from '../../src/catalogue/summary/summary-list-query.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { activate, load, tableFile } from './attribute/support.ts';

const COMPANY = '12345678';
const PATH = `/appliance/api/summary?cpfCnpjRaiz=${COMPANY}`;
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const OPERATOR = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Lyon' };

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
});
afterAll(() => server.close());

const done = async (method: string, path: string, body?: unknown) => {
  const reply = await demo.call(method, path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
};

test('whoever may read the company sees it', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
  for (const key of ['estranho', 'admin'] as const)
    expect((await (await server.as(key)).call('GET', PATH)).status).toBe(403);
  expect((await (await server.as('publico')).call('GET', PATH)).status).toBe(200);
  expect((await demo.call('GET', '/appliance/api/summary')).status).toBe(400);
});

test('it counts what there is in each situation', async () => {
  const none = { ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 0, deactivatedBySystem: 0 };
  expect(await done('GET', PATH)).toEqual({
    ...{ cpfCnpjRaiz: COMPANY, products: none, manufacturerLinks: 0 },
    foreignOperators: { ATIVADO: 0, DESATIVADO: 0 },
  });
  for (const ncm of ['73181500', '73181500', '73181600', '73181600'])
    await done('POST', `/catp/api/ext/produto/${COMPANY}`, { ...PRODUCT, ncm });
  await done('POST', '/catp/api/ext/produto', [
    { seq: 1, cpfCnpjRaiz: COMPANY, situacao: 'RASCUNHO', denominacao: 'x' },
  ]);
  await done('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`);
  const admin = await server.as('admin');
  const file = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }], '7318.16.00': [] });
  await activate(admin, await load(admin, file));
  for (const codigoPais of ['FR', 'DE'])
    await done('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/${codigoPais}`, OPERATOR);
  await done('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/OPE_2/1`);
  const link = { codigoProduto: 3, conhecido: false, codigoPais: 'FR' };
  await done('POST', `/catp/api/ext/fabricante/${COMPANY}`, link);
  await done('POST', `/catp/api/ext/fabricante/${COMPANY}`, { ...link, codigoPais: 'DE' });
  await done('PUT', `/catp/api/ext/fabricante/${COMPANY}`, link);
  expect(await done('GET', PATH)).toEqual({
    cpfCnpjRaiz: COMPANY,
    products: { ATIVADO: 2, DESATIVADO: 2, RASCUNHO: 1, deactivatedBySystem: 1 },
    foreignOperators: { ATIVADO: 1, DESATIVADO: 1 },
    manufacturerLinks: 1,
  });
  const bySystem = async (more = ''): Promise<unknown> => {
    const path = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&deactivatedBySystem=true${more}`;
    const { items } = (await done('GET', path)) as { items: { codigo: number }[] };
    return items.map(({ codigo }) => codigo);
  };
  expect([await bySystem(), await bySystem('&ncm=73181600'), await bySystem('&situacao=0')]).toEqual([
    [2],
    [],
    [],
  ]);
  const today = String(
    await done('GET', '/appliance/api/product-form').then((form) => (form as { today: string }).today),
  );
  expect(await bySystem(`&dataReferencia=${today}`)).toEqual([2]);
});

test('nothing of it reads a table from one end to the other', () => {
  const values = { companyId: 1, situacao: 'x', system: 'x', first: 1, last: 2 };
  for (const sql of Object.values(SUMMARY)) {
    const plan = server.app.core.db
      .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(
        Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, values[name as 'first']])),
      );
    expect(plan.filter(({ detail }) => !detail.startsWith('SEARCH '))).toEqual([]);
  }
});
