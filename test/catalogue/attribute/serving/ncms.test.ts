/** GET /appliance/api/ncms: the attributes that the table in force requires of each NCM. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { activate, load, tableFile } from '../support.ts';

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterAll(() => server.close());

const PATH = '/appliance/api/ncms';
async function page(query = '') {
  const reply = await demo.call('GET', `${PATH}?${query}`);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}
const ncms = async (query: string): Promise<string[]> =>
  (await page(query)).items.map(({ ncm }: { ncm: string }) => ncm);

test('a search without a table finds nothing, and requires signing in', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
  expect(await page()).toEqual({ items: [], next: null, total: 0, totalIsExact: true });
});

test('a search finds NCMs by the first digits, and by the name of an attribute', async () => {
  const admin = await server.as('admin');
  const file = tableFile('1', {
    '7318.15.00': [{ codigo: 'ATT_Á' }, { codigo: 'ATT_2', obrigatorio: false }],
    '7318.16.00': [{ codigo: 'ATT_2' }, { codigo: 'ATT_3', from: '2030-01-01' }],
    '0901.21.00': [],
  });
  await activate(admin, await load(admin, file));
  expect(await page()).toEqual({
    items: [
      { ncm: '09012100', attributes: 0, required: 0, matched: [] },
      { ncm: '73181500', attributes: 2, required: 1, matched: [] },
      { ncm: '73181600', attributes: 1, required: 1, matched: [] },
    ],
    next: null,
    total: 3,
    totalIsExact: true,
  });
  for (const search of ['7318', '73.18', '7318.1', '731816'])
    expect(await ncms(`search=${search}`)).toEqual(
      search === '731816' ? ['73181600'] : ['73181500', '73181600'],
    );
  expect((await page('search=INVENTADO%20att_a')).items).toEqual([
    {
      ncm: '73181500',
      attributes: 2,
      required: 1,
      matched: [{ codigo: 'ATT_Á', nomeApresentacao: 'Inventado ATT_Á' }],
    },
  ]);
  expect(await ncms('search=att_2')).toEqual(['73181500', '73181600']);
  // ATT_3 starts on a later day.
  expect(await ncms('search=att_3')).toEqual([]);
  expect(await ncms('search=nada')).toEqual([]);
});

test('a search has pages', async () => {
  const first = await page('limit=2');
  expect([first.items.length, first.total]).toEqual([2, 3]);
  expect(await ncms(`limit=2&after=${first.next}`)).toEqual(['73181600']);
  for (const query of ['limit=0', 'limit=501', 'after=x', `search=73&after=${first.next}`])
    expect((await demo.call('GET', `${PATH}?${query}`)).status).toBe(400);
  expect((await demo.call('GET', `${PATH}?search=${'x'.repeat(101)}`)).status).toBe(400);
});
