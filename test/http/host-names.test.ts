/** The host names under which a development instance serves its administration (contract section 2). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';

const OURS = '/appliance/api/session';
let server: TestApp;
beforeAll(async () => {
  server = await openApp({ settings: { 'servidor.nomes': 'erp.local, portalunico.siscomex.gov.br' } });
});
afterAll(() => server.close());

const under = async (host: string, path = OURS) => server.anybody.call('GET', path, undefined, { host });

test.each([
  ...['localhost', 'localhost:8080', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080'],
  ...['erp.local', 'ERP.local:80', 'portalunico.siscomex.gov.br'],
])('it accepts %s', async (host) => {
  expect((await under(host)).status).toBe(401);
});

test.each([
  'ataque.exemplo',
  'ataque.exemplo:8080',
  'localhost.ataque.exemplo',
  '127.0.0.1.nip.io',
  '10.0.0.5',
  '',
])('it answers 421 to %p, with the accepted names', async (host) => {
  const { status, json } = await under(host);
  expect([status, json.code]).toEqual([421, 'APPL-ER0421']);
  expect(json.message).toContain('servidor.nomes (erp.local, portalunico.siscomex.gov.br)');
});

test('the operations of the specification accept any name; repeated slashes change nothing', async () => {
  expect((await under('ataque.exemplo', '/catp/api/ext/produto')).status).toBe(401);
  expect((await under('ataque.exemplo', '//appliance///api/session')).status).toBe(421);
});

test('catp serve accepts any name', async () => {
  const serving = await openApp({ parts: { mode: 'serve' } });
  const reply = await serving.anybody.call('GET', OURS, undefined, { host: 'catalogo.empresa.exemplo' });
  expect(reply.status).toBe(401);
  await serving.close();
});
