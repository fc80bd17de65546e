/** GET /appliance/api/summary: the catalogue of a company in numbers. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SUMMARY } from '../../src/catalogue/summary/summary-list-query.ts';
import { TABLE_EFFECTS } from '../../src/catalogue/summary/table-effects-list-query.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { OTHER_COMPANY, activate, load, product, tableFile } from './attribute/support.ts';

const COMPANY = '12345678';
const PATH = `/appliance/api/summary?cpfCnpjRaiz=${COMPANY}`;
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const MINUTE_MS = 60_000;
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

test('any user with the company sees it', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
  for (const key of ['estranho', 'admin'] as const)
    expect((await (await server.as(key)).call('GET', PATH)).status).toBe(403);
  expect((await (await server.as('publico')).call('GET', PATH)).status).toBe(200);
  expect((await demo.call('GET', '/appliance/api/summary')).status).toBe(400);
});

test('it counts the products of each status', async () => {
  const none = { ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 0, deactivatedBySystem: 0 };
  expect(await done('GET', PATH)).toEqual({
    cpfCnpjRaiz: COMPANY,
    products: none,
    chapters: [],
    tables: [],
    manufacturerLinks: 0,
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
  const table = await load(admin, file);
  await activate(admin, table);
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
    chapters: [
      { chapter: '73', ATIVADO: 2, DESATIVADO: 2, RASCUNHO: 0, deactivatedBySystem: 1 },
      { chapter: null, ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 1, deactivatedBySystem: 0 },
    ],
    tables: [{ id: table, versao: '1', inForceOn: '2026-01-15', deactivated: 1, active: 0 }],
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

describe('it counts the deactivations of each attribute table, and the reactivated products', () => {
  let server: TestApp;
  let users: Record<'demo' | 'admin', Client>;
  const none: readonly string[] = [];
  const dotted = (ncm: string): string => `${ncm.slice(0, 4)}.${ncm.slice(4, 6)}.${ncm.slice(6)}`;
  /** Builds a table that requires these attributes for each NCM. */
  const table = (versao: string, ncms: Record<string, readonly string[]>): object => {
    const pairs = Object.entries(ncms).map(([ncm, codes]) => [
      dotted(ncm),
      codes.map((codigo) => ({ codigo })),
    ]);
    return tableFile(versao, Object.fromEntries(pairs));
  };
  const put = async (codigo: number, ncm: string, ...codes: string[]): Promise<void> => {
    const reply = await users.demo.call(
      'PUT',
      `/catp/api/ext/produto/${COMPANY}/${codigo}`,
      product(ncm, ...codes),
    );
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
  };
  const summary = async (company = COMPANY) =>
    (await users.demo.call('GET', `/appliance/api/summary?cpfCnpjRaiz=${company}`)).json;
  /** Activates a table, after a step of the clock that gives the activation its own time. */
  const inForce = async (file: object): Promise<number> => {
    server.clock.moveTo(server.clock.now() + MINUTE_MS);
    const id = await load(users.admin, file);
    await activate(users.admin, id);
    server.clock.moveTo(server.clock.now() + MINUTE_MS);
    return id;
  };
  beforeAll(async () => {
    server = await openApp({ settings: { ambiente: 'producao' } });
    users = { demo: await server.as('demo'), admin: await server.as('admin') };
    for (const [company, ncm] of [
      ...[COMPANY, COMPANY, COMPANY].map((one) => [one, '22042100']),
      ...[COMPANY, OTHER_COMPANY].map((one) => [one, '73181500']),
    ])
      await users.demo.call('POST', `/catp/api/ext/produto/${company}`, product(ncm ?? ''));
  });
  afterAll(() => server.close());

  test('each product counts once for a table, and as reactivated while it is active', async () => {
    const first = await inForce(table('1', { 22042100: ['ATT_1'], 73181500: none }));
    const tableSummary = { id: first, versao: '1', inForceOn: '2026-01-15' };
    expect((await summary()).tables).toEqual([{ ...tableSummary, deactivated: 3, active: 0 }]);
    await put(1, '22042100', 'ATT_1');
    await put(2, '22042100', 'ATT_1');
    expect((await summary()).tables).toEqual([{ ...tableSummary, deactivated: 3, active: 2 }]);

    // A product that a person deactivates is not reactivated, and counts for no table.
    await users.demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/2`);
    await users.demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/4`);
    expect((await summary()).tables).toEqual([{ ...tableSummary, deactivated: 3, active: 1 }]);

    // The second table requires more; a product that both tables deactivated counts for both.
    const second = await inForce(table('2', { 22042100: ['ATT_1', 'ATT_2'], 73181500: ['ATT_3'] }));
    const secondSummary = { id: second, versao: '2', inForceOn: '2026-01-15' };
    expect((await summary()).tables).toEqual([
      { ...secondSummary, deactivated: 1, active: 0 },
      { ...tableSummary, deactivated: 3, active: 0 },
    ]);
    await put(1, '22042100', 'ATT_1', 'ATT_2');
    expect((await summary()).tables).toEqual([
      { ...secondSummary, deactivated: 1, active: 1 },
      { ...tableSummary, deactivated: 3, active: 1 },
    ]);
  });

  test('it has no number of another company, for a table or a chapter', async () => {
    const { tables, chapters } = await summary(OTHER_COMPANY);
    expect(tables).toMatchObject([{ versao: '2', deactivated: 1, active: 0 }]);
    expect(chapters).toEqual([
      { chapter: '73', ATIVADO: 0, DESATIVADO: 1, RASCUNHO: 0, deactivatedBySystem: 1 },
    ]);
    expect((await summary()).chapters).toEqual([
      { chapter: '22', ATIVADO: 1, DESATIVADO: 2, RASCUNHO: 0, deactivatedBySystem: 1 },
      { chapter: '73', ATIVADO: 0, DESATIVADO: 1, RASCUNHO: 0, deactivatedBySystem: 0 },
    ]);
  });
});

test('no query of it scans a table', () => {
  const values = {
    companyId: 1,
    situacao: 'x',
    system: 'x',
    first: 1,
    last: 2,
    from: '',
    to: 'x',
    at: 1,
    activationId: 1,
  };
  for (const sql of Object.values({ ...SUMMARY, ...TABLE_EFFECTS })) {
    const plan = server.app.core.db
      .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(
        Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, values[name as 'first']])),
      );
    expect(plan.filter(({ detail }) => !detail.startsWith('SEARCH '))).toEqual([]);
  }
});
