/** POST /appliance/api/attribute-tables/fetch: an administrator requests the first table. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { type TestOrigin, openOrigin } from '../../../support/origin.ts';
import { tableFile } from '../support.ts';

const PATH = '/appliance/api/attribute-tables';

let server: TestApp;
let admin: Client;
let origin: TestOrigin;
beforeAll(async () => {
  server = await openApp();
  admin = await server.as('admin');
  origin = await openOrigin('http');
});
afterAll(async () => {
  await server.close();
  await origin[Symbol.asyncDispose]();
});

test('loads the table of the address, which is not yet in force', async () => {
  origin.serves(JSON.stringify(tableFile('7', { '7318.15.00': [{ codigo: 'ATT_1' }] })));
  const { status, json } = await admin.call('POST', `${PATH}/fetch`, { address: origin.url });
  expect([status, json.versao, json.ncms]).toEqual([200, '7', 1]);
  expect((await admin.call('GET', PATH)).json).toMatchObject([{ versao: '7', inForce: false }]);
});

test.each([
  ['an address without a server', 'https://nao-existe.invalid/tabela.json', 'não foi buscada'],
  ['plain HTTP beyond the loopback', 'http://exemplo.test/tabela.json', 'http só em loopback'],
  ['an address with a user', 'https://eu:senha@exemplo.test/', 'sem usuário e senha'],
])('refuses %s', async (_what, address, reason) => {
  const { status, json } = await admin.call('POST', `${PATH}/fetch`, { address });
  expect(status).toBe(422);
  expect(json.detail[0].message).toContain(reason);
});

test('refuses a file that is no table, with its faults', async () => {
  origin.serves('{"Nomenclaturas": []}');
  const { status } = await admin.call('POST', `${PATH}/fetch`, { address: origin.url });
  expect(status).toBe(422);
  expect((await admin.call('POST', `${PATH}/fetch`, { address: 'ftp://exemplo.test' })).status).toBe(400);
});
