/** Identities of users at a provider: /appliance/api/users/{documento}/identities (contract section 27). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let admin: Client;
beforeEach(async () => {
  server = await openApp();
  admin = await server.as('admin');
});
afterEach(() => server.close());

const [MARIA, OTHER] = ['00000000191', '00000000272'];
const pathOf = (documento: string): string => `/appliance/api/users/${documento}/identities`;
const IDENTITY = { issuer: 'https://login.exemplo.com.br', sub: 'pessoa-1' };

test('identities are bound, listed and unbound, with one entry of the audit for each change', async () => {
  const bind = () => admin.call('POST', pathOf(MARIA), IDENTITY);
  expect([(await bind()).status, (await bind()).json]).toEqual([200, IDENTITY]);
  expect((await admin.call('GET', pathOf(MARIA))).json).toEqual([IDENTITY]);
  expect((await admin.call('DELETE', pathOf(MARIA), IDENTITY)).status).toBe(204);
  expect((await admin.call('GET', pathOf(MARIA))).json).toEqual([]);
  const audit = await admin.call('GET', '/appliance/api/audit?subject=identidade');
  expect(audit.json.items).toMatchObject([
    { action: 'EXCLUSAO', subject: `identidade ${MARIA}`, before: IDENTITY, after: null },
    { action: 'INCLUSAO', subject: `identidade ${MARIA}`, before: null, after: IDENTITY },
  ]);
});

test('identities of another user are refused', async () => {
  await admin.call('POST', pathOf(MARIA), IDENTITY);
  const { status, json } = await admin.call('POST', pathOf(OTHER), IDENTITY);
  expect([status, json.detail]).toMatchObject([422, [{ code: 'CATP-ER1219', path: '/sub' }]]);
  expect(json.message).toContain(MARIA);
});

test('identities with the same sub and another issuer belong to another person', async () => {
  await admin.call('POST', pathOf(MARIA), IDENTITY);
  const other = { ...IDENTITY, issuer: 'https://outro.exemplo.com.br' };
  expect((await admin.call('POST', pathOf(OTHER), other)).status).toBe(200);
});

test('identities of an unknown user are 404, and so is an unbound one', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(
      (await admin.call(method, pathOf('52998224725'), method === 'GET' ? undefined : IDENTITY)).status,
    ).toBe(404);
  expect((await admin.call('DELETE', pathOf(MARIA), IDENTITY)).status).toBe(404);
});

test.each([
  ['issuer', 500],
  ['sub', 255],
])('%s has 1 to %d characters in one line', async (member, most) => {
  const put = async (value: string): Promise<number> =>
    (await admin.call('POST', pathOf(MARIA), { ...IDENTITY, [member]: value })).status;
  expect(await Promise.all(['', 'x'.repeat(most + 1), 'a\nb', 'x', 'x'.repeat(most)].map(put))).toEqual([
    400, 400, 400, 200, 200,
  ]);
});

test('identities are removed with their user', async () => {
  await admin.call('POST', pathOf(OTHER), IDENTITY);
  expect((await admin.call('DELETE', `/appliance/api/users/${OTHER}`)).status).toBe(204);
  expect((await admin.call('POST', pathOf(MARIA), IDENTITY)).status).toBe(200);
});
