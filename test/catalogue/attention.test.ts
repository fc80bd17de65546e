/** GET /appliance/api/attention: what asks for somebody in each company of a caller (contract section 25). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import { activate, load, product, tableFile } from './attribute/support.ts';

const PATH = '/appliance/api/attention';
const [FIRST, SECOND] = ['12345678', '87654321'];

let server: TestApp;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
});
afterAll(() => server.close());

const told = async (key: 'demo' | 'demo2' | 'estranho' | 'admin' | 'publico'): Promise<unknown> =>
  (await (await server.as(key)).call('GET', PATH)).json;

test('without a session it is 401', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
});

test('who represents nobody has no company, and each other sees its own, also those in which there is nothing', async () => {
  for (const key of ['admin', 'publico'] as const) expect(await told(key)).toEqual([]);
  expect(await told('estranho')).toEqual([
    { cpfCnpjRaiz: '11222333', nome: expect.stringMatching(/\w/), items: [] },
  ]);
  expect(await told('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [] },
    { cpfCnpjRaiz: SECOND, items: [] },
  ]);
});

test('counts drafts and what the system deactivated, each with the page where it is mended', async () => {
  const demo = await server.as('demo');
  for (const denominacao of ['x', 'y'])
    await demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: SECOND, denominacao });
  await demo.call('POST', `/catp/api/ext/produto/${FIRST}`, product('73181500'));
  const admin = await server.as('admin');
  const table = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] });
  await activate(admin, await load(admin, table));
  const deactivated = {
    ...{ kind: 'deactivatedBySystem', count: 1 },
    href: `/atributos?aba=corrigir&cpfCnpjRaiz=${FIRST}`,
  };
  const drafts = { kind: 'drafts', count: 2, href: `/produtos?cpfCnpjRaiz=${SECOND}&situacao=RASCUNHO` };
  expect(await told('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [deactivated] },
    { cpfCnpjRaiz: SECOND, items: [drafts] },
  ]);
  // Nothing of a company that is not one's own.
  expect(await told('demo2')).toMatchObject([{ cpfCnpjRaiz: FIRST, items: [deactivated] }]);
});
