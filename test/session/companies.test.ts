/** POST /appliance/api/companies (contract section 13). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
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

test('a company posted again without its number keeps it; with another one it is changed', async () => {
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

test('a number of another root is refused, and the one that is there stays', async () => {
  const { status } = await admin.call('POST', PATH, { ...NEW, cnpj: '12345678000195' });
  expect(status).toBe(422);
  expect(await listed()).toMatchObject({ cnpj: '33444555000262' });
});
