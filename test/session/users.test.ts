/** Users given again, and the last administrator (contract section 16). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const USERS = '/appliance/api/users';
const ADMIN = '00000000515';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
});
afterAll(() => server.close());

const putUser = async (user: object) => (await admin.call('POST', USERS, user)).json;

test('a user sent again keeps the omitted members', async () => {
  const agent = {
    documento: '11144477735',
    nome: 'Agente',
    tipo: 'PUBL',
    orgao: 'ANVISA',
    email: 'agente@exemplo.gov.br',
    administrador: true,
  };
  expect(await putUser(agent)).toEqual(agent);
  expect(await putUser({ documento: agent.documento })).toEqual(agent);
  expect(await putUser({ documento: agent.documento, nome: 'Novo nome' })).toEqual({
    ...agent,
    nome: 'Novo nome',
  });
  const renamed = { documento: agent.documento, nome: 'Outro nome', tipo: 'PUBL' };
  expect(await putUser(renamed)).toEqual({ ...agent, nome: 'Outro nome' });
  expect(await putUser({ ...renamed, administrador: false })).toMatchObject({
    orgao: 'ANVISA',
    administrador: false,
  });
  expect(await putUser({ ...renamed, tipo: 'PRIV' })).toMatchObject({ tipo: 'PRIV', orgao: null });
  const back = await admin.call('POST', USERS, renamed);
  expect([back.status, back.json.detail[0].code]).toEqual([422, 'CATP-ER1204']);
});

test('a new user without name and kind is 422 with both and the reason, and is not created', async () => {
  const documento = '39053344705';
  const { status, json } = await admin.call('POST', USERS, { documento, nome: '', administrador: true });
  expect([status, json.detail.map(({ path }: { path: string }) => path)]).toEqual([422, ['/nome', '/tipo']]);
  expect(json.detail[0]).toMatchObject({ code: 'PUCX-ER0010', field: 'nome' });
  expect(json.detail[0].message).toContain(`ainda não existe o usuário ${documento}`);
  expect((await admin.call('GET', USERS)).text).not.toContain(documento);
});

test.each(['\t', '\n', '\r', '\u0001', '\u001f', '\u007f', '\u0080', '\u009f'])(
  'a name and an organ with %j are 400 with each; so is the name of a company',
  async (control) => {
    const agent = { documento: '11144477735', nome: `a${control}`, tipo: 'PUBL', orgao: `${control}b` };
    const user = await admin.call('POST', USERS, agent);
    expect([user.status, user.json.detail.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['/nome', '/orgao'],
    ]);
    expect(user.json.detail[0].message).toContain('sem caracteres de controle');
    const company = { cpfCnpjRaiz: '33444555', nome: `a${control}b` };
    expect((await admin.call('POST', '/appliance/api/companies', company)).status).toBe(400);
  },
);

test('unusual characters in a name are stored unchanged', async () => {
  const strange = { documento: '11144477735', nome: ' \u00a0\u202eß½', tipo: 'PUBL', orgao: '\u200fא' };
  expect(await putUser(strange)).toMatchObject(strange);
});

test('the last administrator can neither be removed nor demoted, and one of two can', async () => {
  const demoted = { documento: ADMIN, nome: 'Administração', tipo: 'PRIV', administrador: false };
  for (const [method, path, body] of [
    ['DELETE', `${USERS}/${ADMIN}`, undefined],
    ['POST', USERS, demoted],
  ] as const) {
    const refused = await admin.call(method, path, body);
    expect([refused.status, refused.json.detail[0].code]).toEqual([422, 'CATP-ER1210']);
  }
  await putUser({ documento: '00000000191', nome: 'Maria', tipo: 'PRIV', administrador: true });
  expect((await admin.call('POST', USERS, demoted)).status).toBe(200);
  const maria = await server.as('demo');
  expect((await maria.call('DELETE', `${USERS}/00000000191`)).status).toBe(422);
  expect((await maria.call('DELETE', `${USERS}/${ADMIN}`)).status).toBe(204);
});

test.each([
  [{ tipo: 'PUBL' }, 'orgao: obrigatório para um usuário PUBL; informe a sigla do órgão.'],
  [{ tipo: 'PRIV', orgao: 'ANVISA' }, 'orgao: recebido "ANVISA"; só um usuário PUBL tem órgão.'],
])('a refusal of %j names its member once', async (members, message) => {
  const server = await openApp();
  try {
    const admin = await server.as('admin');
    const user = { documento: '11144477735', nome: 'Ana', ...members };
    const { status, json } = await admin.call('POST', '/appliance/api/users', user);
    expect([status, json.message, json.detail[0].message]).toEqual([422, message, message]);
  } finally {
    await server.close();
  }
});
