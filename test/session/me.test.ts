/** GET and PUT /appliance/api/me: the own address and notices (contract section 27). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const ME = '/appliance/api/me';
let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const DEFAULTS = {
  prazos: 'diario',
  desativados: 'diario',
  importacoes: 'nunca',
  propostas: 'diario',
  assinaturas: 'nunca',
  remotos: 'nunca',
};

test('a request without a session is 401', async () => {
  expect((await server.anybody.call('GET', ME)).status).toBe(401);
  expect((await server.anybody.call('PUT', ME, {})).status).toBe(401);
});

test('answers the person, the address, the choices and the companies', async () => {
  expect((await demo.call('GET', ME)).json).toEqual({
    documento: '00000000191',
    nome: 'Maria Demonstração',
    email: null,
    avisos: DEFAULTS,
    companies: [
      { cpfCnpjRaiz: '12345678', nome: 'Exemplo Importadora S.A.', papel: 'aprovacao' },
      { cpfCnpjRaiz: '87654321', nome: 'Modelo Comércio Exterior Ltda.', papel: 'aprovacao' },
    ],
  });
  const agent = await server.as('publico');
  expect((await agent.call('GET', ME)).json.companies).toHaveLength(3);
});

test('changes the given members and keeps the others; the audit records it', async () => {
  const email = 'Maria@Empresa.exemplo';
  const first = await demo.call('PUT', ME, { email, avisos: { importacoes: 'imediato' } });
  expect(first.json).toMatchObject({ email, avisos: { ...DEFAULTS, importacoes: 'imediato' } });
  const second = await demo.call('PUT', ME, { avisos: { prazos: 'nunca' } });
  const both = { ...DEFAULTS, importacoes: 'imediato', prazos: 'nunca' };
  expect(second.json).toMatchObject({ email, avisos: both });
  expect((await demo.call('PUT', ME, {})).json).toMatchObject({ email, avisos: both });
  expect((await demo.call('GET', ME)).json).toMatchObject({ email, avisos: both });
  // Another change of the account does not change the choices.
  const admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/users', { documento: '00000000191', nome: 'Maria Outra' });
  expect((await demo.call('GET', ME)).json).toMatchObject({ nome: 'Maria Outra', avisos: both });
  const { items } = (await admin.call('GET', '/appliance/api/audit?subject=usuario%2000000000191')).json;
  expect(items.slice(1, 3)).toMatchObject([
    { actor: '00000000191', action: 'ALTERACAO', before: { prazos: 'diario' }, after: { prazos: 'nunca' } },
    {
      before: { email: null, importacoes: 'nunca' },
      after: { email, importacoes: 'imediato' },
    },
  ]);
});

test('removes the address when it is empty', async () => {
  for (const empty of ['', null]) {
    await demo.call('PUT', ME, { email: 'maria@empresa.exemplo' });
    expect((await demo.call('PUT', ME, { email: empty })).json).toMatchObject({ email: null });
  }
});

test('refuses the address of another person without naming that person', async () => {
  const other = await server.as('demo2');
  expect((await other.call('PUT', ME, { email: 'maria@empresa.exemplo' })).status).toBe(200);
  const { status, json, text } = await demo.call('PUT', ME, {
    email: 'MARIA@empresa.exemplo',
    avisos: { prazos: 'nunca' },
  });
  expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1213']);
  expect(text).toContain('que já é de outra pessoa');
  // Nothing was stored.
  expect((await demo.call('GET', ME)).json).toMatchObject({ email: null, avisos: DEFAULTS });
});

/** Addresses of 254 and 255 characters. */
const [LONGEST, TOO_LONG] = [52, 53].map(
  (length) => `${'a'.repeat(10)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length)}.exemplo`,
);

test('an address has at most 254 characters', async () => {
  expect([LONGEST?.length, TOO_LONG?.length]).toEqual([254, 255]);
  expect((await demo.call('PUT', ME, { email: LONGEST })).status).toBe(200);
  expect((await demo.call('PUT', ME, { email: TOO_LONG })).status).toBe(400);
  expect((await demo.call('GET', ME)).json.email).toBe(LONGEST);
});

test.each([
  [{ email: 'maria' }, '/email'],
  [{ email: `${'a'.repeat(250)}@b.exemplo` }, '/email'],
  [{ email: 'a@b.exemplo\r\nBcc: c@d.exemplo' }, '/email'],
  [{ avisos: { prazos: 'sempre' } }, '/avisos/prazos'],
  [{ avisos: { rascunhos: 'diario' } }, '/avisos/rascunhos'],
  [{ nome: 'Outra' }, '/nome'],
])('refuses %j', async (body, path) => {
  const { status, json } = await demo.call('PUT', ME, body);
  expect([status, json.detail[0].path]).toEqual([400, path]);
});
