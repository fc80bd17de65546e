/** POST and DELETE /appliance/api/companies (contract section 13). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
});
afterAll(() => server.close());

const PATH = '/appliance/api/companies';
const NEW = { cpfCnpjRaiz: '33444555', nome: 'Nova' };

const listed = async (): Promise<unknown> => {
  const companies = (await admin.call('GET', PATH)).json as { readonly cpfCnpjRaiz: string }[];
  return companies.find(({ cpfCnpjRaiz }) => cpfCnpjRaiz === NEW.cpfCnpjRaiz);
};

test('a company posted again without its number keeps it; with another number it is changed', async () => {
  expect((await admin.call('POST', PATH, NEW)).json).toEqual({ ...NEW, cnpj: null });
  const whole = { ...NEW, cnpj: '33444555000181' };
  expect((await admin.call('POST', PATH, whole)).json).toEqual(whole);
  for (const absent of [{}, { cnpj: null }, { cnpj: '' }]) {
    const renamed = { ...NEW, nome: `Outro ${JSON.stringify(absent)}` };
    const { status, json } = await admin.call('POST', PATH, { ...renamed, ...absent });
    expect([status, json]).toEqual([200, { ...renamed, cnpj: whole.cnpj }]);
    expect(await listed()).toEqual(json);
  }
  const other = { ...NEW, cnpj: '33444555000262' };
  expect((await admin.call('POST', PATH, other)).json).toEqual(other);
  expect(await listed()).toEqual(other);
});

test('a company posted again without its name keeps it; a new one without a name is 422 and is not created', async () => {
  const { cpfCnpjRaiz } = NEW;
  const before = await listed();
  expect((await admin.call('POST', PATH, { cpfCnpjRaiz })).json).toEqual(before);
  expect((await admin.call('POST', PATH, { cpfCnpjRaiz, cnpj: '33444555000262' })).json).toEqual(before);
  const { status, json } = await admin.call('POST', PATH, { cpfCnpjRaiz: '33444556' });
  expect([status, json.detail]).toMatchObject([422, [{ code: 'PUCX-ER0010', path: '/nome' }]]);
  expect(json.detail[0].message).toContain('ainda não existe a empresa 33444556');
  expect((await admin.call('GET', PATH)).text).not.toContain('33444556');
});

test('a number of another root is refused, and the stored one stays', async () => {
  const { status } = await admin.call('POST', PATH, { ...NEW, cnpj: '12345678000195' });
  expect(status).toBe(422);
  expect(await listed()).toMatchObject({ cnpj: '33444555000262' });
});

describe('a company is removed only', () => {
  const remove = (raiz: string, by = admin) => by.call('DELETE', `${PATH}/${raiz}`);

  test('by an administrator', async () => {
    expect((await remove(NEW.cpfCnpjRaiz, await server.as('demo'))).status).toBe(403);
    expect(await listed()).toBeDefined();
  });

  test('without records and representatives; the second time it is 404', async () => {
    const { status, text } = await remove(NEW.cpfCnpjRaiz);
    expect([status, text, await listed()]).toEqual([204, '', undefined]);
    expect((await remove(NEW.cpfCnpjRaiz)).status).toBe(404);
    const { items } = (await admin.call('GET', '/appliance/api/audit?limit=1')).json;
    expect(items).toMatchObject([{ action: 'EXCLUSAO', subject: `empresa ${NEW.cpfCnpjRaiz}` }]);
  });

  test('with a well-formed root', async () => {
    const { status, json } = await remove('123');
    expect([status, json.detail]).toEqual([400, [expect.objectContaining({ path: 'cpfCnpjRaiz' })]]);
  });

  test('after its records and representatives are removed: the refusal lists each', async () => {
    const raiz = '12345678';
    const product = { denominacao: 'X', modalidade: 'IMPORTACAO', ncm: '39269090' };
    await (await server.as('demo')).call('POST', `/catp/api/ext/produto/${raiz}`, product);
    const { status, json } = await remove(raiz);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([
      { code: 'CATP-ER1208', field: 'cpfCnpjRaiz', path: 'cpfCnpjRaiz' },
      { code: 'CATP-ER1209', field: 'cpfCnpjRaiz', path: 'cpfCnpjRaiz' },
    ]);
    expect(json.detail[0].message).toContain('1 produto');
    expect(json.detail[1].message).toContain('00000000191');
    const companies = (await admin.call('GET', PATH)).json as { cpfCnpjRaiz: string }[];
    expect(companies.map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)).toContain(raiz);
  });
});
