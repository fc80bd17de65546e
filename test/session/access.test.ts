/** POST /appliance/api/access and the address of a user (contract section 27). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
});
afterAll(() => server.close());

const PATH = '/appliance/api/access';
const ANA = { documento: '11144477735', nome: 'Ana Souza', email: 'ana@exemplo.com.br' };
const users = async () => (await admin.call('GET', '/appliance/api/users')).json;

test('one step creates user, representations and key, and the key signs in', async () => {
  const grant = { ...ANA, companies: ['12345678'], papel: 'leitura', key: true };
  const { status, json } = await admin.call('POST', PATH, grant);
  expect([status, json]).toMatchObject([
    200,
    {
      documento: ANA.documento,
      representations: [
        { documento: ANA.documento, cpfCnpjRaiz: '12345678', perfil: 'IMPEXP', papel: 'leitura' },
      ],
    },
  ]);
  expect(await users()).toContainEqual({ ...ANA, tipo: 'PRIV', orgao: null, administrador: false });
  const signedIn = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
    'client-id': json.key.clientId,
    'client-secret': json.key.clientSecret,
    'role-type': 'IMPEXP',
  });
  expect(signedIn.status).toBe(200);
});

test('todas are all existing companies; without key none is created', async () => {
  const { json } = await admin.call('POST', PATH, { ...ANA, companies: 'todas', papel: 'preenchimento' });
  expect(json.key).toBeNull();
  const roots = json.representations.map(({ cpfCnpjRaiz }: { readonly cpfCnpjRaiz: string }) => cpfCnpjRaiz);
  const companies = (await admin.call('GET', '/appliance/api/companies')).json;
  expect(roots).toEqual(companies.map(({ cpfCnpjRaiz }: { readonly cpfCnpjRaiz: string }) => cpfCnpjRaiz));
});

test('1000 companies are accepted, and another profile has no right', async () => {
  const companies = Array.from({ length: 1000 }, () => '12345678');
  expect((await admin.call('POST', PATH, { ...ANA, companies, papel: 'leitura' })).status).toBe(200);
  const { json } = await admin.call('POST', PATH, { ...ANA, companies: ['12345678'], perfil: 'AJUDESPAC' });
  expect(json.representations).toMatchObject([{ perfil: 'AJUDESPAC', papel: null }]);
});

const TOO_MANY = Array.from({ length: 1001 }, () => '12345678');

test.each([
  [{ companies: ['12345678', '99999999'] }, 422, 'CATP-ER1202', '/companies/1'],
  [{ companies: [] }, 422, 'PUCX-ER0010', '/companies'],
  [{ companies: 'nenhuma' }, 422, 'PUCX-ER0010', '/companies'],
  [{ companies: TOO_MANY }, 422, 'PUCX-ER0010', '/companies'],
  [{ companies: ['12345678'], perfil: 'AJUDESPAC' }, 422, 'CATP-ER1212', '/papel'],
  [{ companies: ['12345678'], papel: 'dono' }, 400, 'PUCX-ER0010', '/papel'],
  [{ companies: ['12345678'], email: 'sem arroba' }, 400, 'PUCX-ER0010', '/email'],
  [{ companies: ['12345678'], email: 'ANA@exemplo.com.br' }, 422, 'CATP-ER1213', '/email'],
])('a refusal creates no user (%#)', async (members, status, code, path) => {
  const before = await users();
  const grant = { documento: '52998224725', nome: 'Bia', papel: 'leitura', ...members };
  const reply = await admin.call('POST', PATH, grant);
  expect([reply.status, reply.json.detail]).toMatchObject([status, [{ code, path }]]);
  expect(await users()).toEqual(before);
});

test('a public agent is refused, and only an administrator gives access', async () => {
  const agent = { documento: '00000000434', nome: 'Agente', companies: ['12345678'] };
  const { status, json } = await admin.call('POST', PATH, agent);
  expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1206']);
  const demo = await server.as('demo');
  expect((await demo.call('POST', PATH, { ...ANA, companies: ['12345678'] })).status).toBe(403);
});

test('the address of a user is kept when it is omitted, and removed when it is empty', async () => {
  const path = '/appliance/api/users';
  const { documento } = ANA;
  expect((await admin.call('POST', path, { documento, nome: 'Ana S.' })).json.email).toBe(ANA.email);
  expect((await admin.call('POST', path, { documento, email: '' })).json.email).toBeNull();
  expect((await admin.call('POST', path, { documento, email: ANA.email })).json.email).toBe(ANA.email);
});
