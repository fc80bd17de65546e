/**
 * An administrator acts only for the companies that it represents, like any other user (contract section
 * 2).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const ADMIN = '00000000515';
const PRODUCT = { denominacao: 'Peça', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let admin: Client;

beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
});
afterAll(() => server.close());

const include = async (company: string): Promise<number> =>
  (await admin.call('POST', `/catp/api/ext/produto/${company}`, PRODUCT)).status;
const read = async (company: string): Promise<number> =>
  (await admin.call('GET', `/appliance/api/products?cpfCnpjRaiz=${company}`)).status;
const represent = (method: 'POST' | 'DELETE') =>
  admin.call(method, '/appliance/api/representations', {
    documento: ADMIN,
    cpfCnpjRaiz: '12345678',
    perfil: 'IMPEXP',
  });

test('without a representation it neither reads nor writes', async () => {
  expect([await read('12345678'), await include('12345678')]).toEqual([403, 403]);
});

test('with one it reads and writes that company, until the representation ends', async () => {
  expect((await represent('POST')).status).toBe(200);
  expect([await read('12345678'), await include('12345678')]).toEqual([200, 200]);
  expect([await read('87654321'), await include('87654321')]).toEqual([403, 403]);
  const { json } = await admin.call('GET', '/appliance/api/session');
  expect(json).toMatchObject({ administrador: true, companies: [{ cpfCnpjRaiz: '12345678' }] });
  const attention = await admin.call('GET', '/appliance/api/attention');
  expect(attention.json.map((one: { cpfCnpjRaiz: string }) => one.cpfCnpjRaiz)).toEqual(['12345678']);
  expect((await represent('DELETE')).status).toBe(204);
  expect([await read('12345678'), await include('12345678')]).toEqual([403, 403]);
});
