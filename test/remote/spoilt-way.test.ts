/**
 * A remote whose stored settings no longer work, and the users who may start a comparison: neither blocks
 * other remotes.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { SIGN_IN_PACE_MS } from '../../src/remote/wire/governor.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const ASKED = { cpfCnpjRaiz: COMPANY };
const KEY = { clientId: 'demo', clientSecret: 'demo' };

let clock: TestClock;
let localApp: TestApp;
let remoteApp: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  remoteApp = await openApp({ clock, over: 'http' });
  [admin, demo] = [await localApp.as('admin'), await localApp.as('demo')];
});
afterEach(async () => {
  await localApp.close();
  await remoteApp.close();
});

const add = (name: string, url = remoteApp.url) =>
  admin.call('POST', REMOTES, { name, companies: [COMPANY], url, ...KEY });
const start = async (name: string): Promise<number> =>
  (await demo.call('POST', `${REMOTES}/${name}/comparisons`, ASKED)).json.id;
const comparison = async (id: number) => (await demo.call('GET', `/appliance/api/comparisons/${id}`)).json;
const testSignIn = async () => (await admin.call('POST', `${REMOTES}/la/test`)).json;
/** Stores settings that an older version accepted and that are refused now. */
const spoil = (sql: string) =>
  localApp.app.core.writer.write(
    () => void localApp.app.core.db.prepare(`UPDATE remote_way SET ${sql}`).run(),
  );

describe('a stored connection that cannot be used any more', () => {
  test('is reported by a test sign-in, and ends a comparison', async () => {
    await add('la', 'https://localhost:1');
    await spoil("ca = 'lixo'");
    const unreadable = { ok: false, message: expect.stringContaining('grave de novo a ca e a credencial') };
    expect(await testSignIn()).toMatchObject(unreadable);
    await spoil("ca = NULL, client_id = 'de' || char(10) || 'mo'");
    clock.moveTo(START + SIGN_IN_PACE_MS);
    expect(await testSignIn()).toMatchObject(unreadable);
    clock.moveTo(START + 2 * SIGN_IN_PACE_MS);
    const id = await start('la');
    await localApp.app.core.remote.runner.idle();
    expect(await comparison(id)).toMatchObject({ state: 'failed', error: { message: unreadable.message } });
  });

  test('ends only its own comparison: that of a healthy remote is made', async () => {
    await add('la');
    await spoil("secret = x'00'");
    await add('outro');
    const [spoilt, healthy] = [await start('la'), await start('outro')];
    await localApp.app.core.remote.runner.idle();
    expect(await comparison(spoilt)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('falha desta instância') },
    });
    expect((await comparison(healthy)).state).toBe('done');
  });
});

test('is shown as a refusal to users who represent the company, and reported to an administrator', async () => {
  await add('la');
  const refused = await admin.call('POST', `${REMOTES}/la/comparisons`, ASKED);
  const message = expect.stringContaining('Comparações são pedidas');
  expect([refused.status, refused.json.message]).toEqual([403, message]);
});
