/** GET /appliance/api/manufacturer-links: the links in force, in pages. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { linkPageQuery } from '../../../src/catalogue/manufacturer-link/page-list-query.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const COMPANY = '12345678';
const LINKS_OF_COMPANY = `/appliance/api/manufacturer-links?cpfCnpjRaiz=${COMPANY}`;
const LINKS = `/catp/api/ext/fabricante/${COMPANY}`;

let server: TestApp;
let demo: Client;

const done = async (method: string, path: string, body?: unknown) => {
  const reply = await demo.call(method, path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
};

const byOperator = (codigoProduto: number, codigoOperadorEstrangeiro: string) => ({
  codigoProduto,
  conhecido: true,
  codigoPais: 'FR',
  codigoOperadorEstrangeiro,
});

beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  for (const denominacao of ['Um', 'Dois', 'Três'])
    await done('POST', `/catp/api/ext/produto/${COMPANY}`, {
      denominacao,
      modalidade: 'IMPORTACAO',
      ncm: '73181500',
    });
  for (const nome of ['Acme', 'Beta'])
    await done('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/FR`, {
      nome,
      logradouro: 'Rua 1',
      nomeCidade: 'Lyon',
    });
  for (const link of [
    byOperator(2, 'OPE_2'),
    byOperator(1, 'OPE_2'),
    byOperator(2, 'OPE_1'),
    { codigoProduto: 2, conhecido: true, codigoPais: 'BR', cpfCnpjFabricante: '12345678000195' },
    { codigoProduto: 3, conhecido: false, codigoPais: 'US' },
    byOperator(3, 'OPE_1'),
  ])
    await done('POST', LINKS, link);
  await done('PUT', LINKS, byOperator(3, 'OPE_1'));
});
afterAll(() => server.close());

interface Item {
  readonly codigoProduto: number;
  readonly codigoOperadorEstrangeiro: string | null;
}
const page = (query = '') => done('GET', `${LINKS_OF_COMPANY}${query}`);
const keysOf = ({ items }: { items: Item[] }) =>
  items.map(({ codigoProduto, codigoOperadorEstrangeiro }) => [codigoProduto, codigoOperadorEstrangeiro]);

const ALL = [
  [1, 'OPE_2'],
  [2, 'OPE_2'],
  [2, 'OPE_1'],
  [2, null],
  [3, null],
];

test('a page is also requested by its position', async () => {
  const { next, total } = await page('&limit=1&from=3');
  expect([keysOf(await page('&limit=1&from=3')), total]).toEqual([ALL.slice(3, 4), ALL.length]);
  expect(keysOf(await page(`&after=${next}`))).toEqual(ALL.slice(4));
  expect(await page('&from=100000')).toMatchObject({ items: [], next: null, total: ALL.length });
  expect((await demo.call('GET', `${LINKS_OF_COMPANY}&from=100001`)).status).toBe(400);
});

test('any user with the company reads them', async () => {
  expect((await server.anybody.call('GET', LINKS_OF_COMPANY)).status).toBe(401);
  for (const key of ['estranho', 'admin'] as const)
    expect((await (await server.as(key)).call('GET', LINKS_OF_COMPANY)).status).toBe(403);
  expect((await (await server.as('publico')).call('GET', LINKS_OF_COMPANY)).status).toBe(200);
});

test('each has its product, and its operator by name', async () => {
  const { items, total, totalIsExact } = await page();
  expect(items[0]).toEqual({
    codigoProduto: 1,
    denominacao: 'Um',
    conhecido: true,
    codigoPais: 'FR',
    codigoOperadorEstrangeiro: 'OPE_2',
    nome: 'Beta',
    cpfCnpjFabricante: null,
    startsOn: '2026-01-15',
  });
  expect(items[3]).toMatchObject({ nome: null, cpfCnpjFabricante: '12345678000195' });
  expect(items[4]).toMatchObject({ conhecido: false, codigoPais: 'US', nome: null });
  expect([total, totalIsExact]).toEqual([5, true]);
});

test('they are ordered by product, in pages, filtered by product or operator', async () => {
  for (const limit of [1, 2, 4, 5, 6]) {
    const all: unknown[] = [];
    for (let after = ''; ;) {
      const currentPage = await page(`&limit=${limit}${after}`);
      expect(currentPage.total).toBe(5);
      all.push(...keysOf(currentPage));
      if (currentPage.next === null) break;
      after = `&after=${currentPage.next}`;
    }
    expect(all).toEqual(ALL);
  }
  expect(keysOf(await page('&codigoProduto=2'))).toEqual(ALL.filter(([codigo]) => codigo === 2));
  expect(keysOf(await page('&codigoOperadorEstrangeiro=OPE_2'))).toEqual([ALL[0], ALL[1]] as never);
  expect(keysOf(await page('&codigoOperadorEstrangeiro=OPE_1&codigoProduto=2'))).toEqual([ALL[2]] as never);
  expect(keysOf(await page('&codigoProduto=9'))).toEqual([]);
});

test('a cursor of other filters, and a limit and a code out of bounds, are refused', async () => {
  const { next } = await page('&limit=1');
  for (const query of [`codigoProduto=2&after=${next}`, 'after=x', 'limit=0', 'limit=501', 'codigoProduto=0'])
    expect([query, (await demo.call('GET', `${LINKS_OF_COMPANY}&${query}`)).status]).toEqual([query, 400]);
});

test('no query reads the links of other companies', () => {
  for (const filter of [{}, { codigoProduto: 1 }, { codigoOperadorEstrangeiro: 'x' }])
    for (const after of [undefined, [1, 1]]) {
      const pageRequest = {
        order: { by: 'codigoProduto', isDescending: false },
        after,
        limit: 50,
        filterMark: '',
      } as const;
      const { sql, parameters } = linkPageQuery({ cpfCnpjRaiz: COMPANY, ...filter }, 1, pageRequest);
      const plan = server.app.core.db
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters);
      expect(plan.filter(({ detail }) => /^SCAN|TEMP B-TREE/.test(detail))).toEqual([]);
    }
});
