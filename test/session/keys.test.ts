/** Access keys that expire, and the time of their last use (contract section 2). */
import { afterEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { momentText } from '../../src/validation/calendar.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';

const KEYS = '/appliance/api/keys';
const SIGN_IN = '/portal/api/autenticar/chave-acesso';
const DEMO = '00000000191';

let opened: TestApp | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (): Promise<TestApp> => (opened = await openApp());

interface Key {
  readonly clientId: string;
  readonly clientSecret: string;
}

const signIn = ({ anybody }: TestApp, { clientId, clientSecret }: Key) =>
  anybody.call('POST', SIGN_IN, undefined, {
    'client-id': clientId,
    'client-secret': clientSecret,
    'role-type': 'IMPEXP',
  });

const listed = async (admin: Client, id: string) =>
  (await admin.call('GET', KEYS)).json.find(({ clientId }: Key) => clientId === id);

describe('a key that expires', () => {
  test('opens sessions until then, and its sessions end with it', async () => {
    const server = await open();
    const admin = await server.as('admin');
    const until = START + 30 * MINUTE_MS;
    const reply = await admin.call('POST', KEYS, { documento: DEMO, expiresAt: momentText(until) });
    expect(reply.status).toBe(200);
    const key: Key = reply.json;
    const { headers } = await signIn(server, key);
    expect(Number(headers.get('x-csrf-expiration'))).toBe(until);
    const tokens = {
      authorization: headers.get('set-token') ?? '',
      'x-csrf-token': headers.get('x-csrf-token') ?? '',
    };
    const status = async () =>
      (await server.anybody.call('GET', '/appliance/api/session', undefined, tokens)).status;
    server.clock.moveTo(until - 1);
    expect(await status()).toBe(200);
    server.clock.moveTo(until - SECOND_MS);
    expect((await signIn(server, key)).status).toBe(200);
    server.clock.moveTo(until);
    expect(await status()).toBe(401);
    const refused = await signIn(server, key);
    const unknown = await signIn(server, { ...key, clientId: 'ninguem' });
    expect([refused.status, refused.json.code]).toEqual([422, 'PLAT-ER8008']);
    expect(refused.json.message).toBe(unknown.json.message);
    expect(await listed(admin, key.clientId)).toMatchObject({ expiresAt: momentText(until) });
  });

  test('is refused with an end in the past, and a moment is printed as one', async () => {
    const server = await open();
    const admin = await server.as('admin');
    const make = async (expiresAt: unknown) => {
      const { status, json } = await admin.call('POST', KEYS, { documento: DEMO, expiresAt });
      return [status, json.detail?.[0]?.code, json.detail?.[0]?.path];
    };
    expect(await make(momentText(START))).toEqual([422, 'CATP-ER1211', '/expiresAt']);
    expect((await make(momentText(START + 1)))[0]).toBe(200);
    expect((await make('2026-01-15T09:00:01'))[0]).toBe(200);
    for (const none of ['2026-12-31', '2026-13-01T00:00:00Z', 'amanhã', 7])
      expect((await make(none)).slice(0, 3)).toEqual([400, expect.any(String), '/expiresAt']);
  });
});

test('a key has the hour of its last sign-in, written once in that hour', async () => {
  const server = await open();
  const admin = await server.as('admin');
  const { db } = server.app.core;
  const written = (): unknown => db.prepare('SELECT total_changes()').pluck().get();
  expect(await listed(admin, 'demo')).toEqual({
    clientId: 'demo',
    documento: DEMO,
    createdAt: momentText(START),
    expiresAt: null,
    lastUsedAt: null,
  });
  server.clock.moveTo(START + 59 * MINUTE_MS);
  await signIn(server, { clientId: 'demo', clientSecret: 'errado' });
  expect((await listed(admin, 'demo')).lastUsedAt).toBeNull();
  for (const later of [START, START + HOUR_MS]) {
    server.clock.moveTo(later + 10 * MINUTE_MS);
    const demo = await server.as('demo');
    const before = written();
    await server.as('demo');
    await demo.call('GET', '/appliance/api/session');
    expect(written()).toBe(before);
    const again = await server.as('admin');
    expect((await listed(again, 'demo')).lastUsedAt).toBe(momentText(later));
  }
});

test('a sign-in succeeds also when nothing can be written', async () => {
  const server = await open();
  const { db } = server.app.core;
  db.pragma('query_only = ON');
  expect((await signIn(server, { clientId: 'demo', clientSecret: 'demo' })).status).toBe(200);
  db.pragma('query_only = OFF');
});
