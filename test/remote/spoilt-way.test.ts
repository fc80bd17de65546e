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
let here: TestApp;
let there: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  here = await openApp({ clock });
  there = await openApp({ clock, over: 'http' });
  [admin, demo] = [await here.as('admin'), await here.as('demo')];
});
afterEach(async () => {
  await here.close();
  await there.close();
});

const add = (name: string, url = there.url) =>
  admin.call('POST', REMOTES, { name, companies: [COMPANY], url, ...KEY });
const start = async (name: string): Promise<number> =>
  (await demo.call('POST', `${REMOTES}/${name}/comparisons`, ASKED)).json.id;
const found = async (id: number) => (await demo.call('GET', `/appliance/api/comparisons/${id}`)).json;
const tried = async () => (await admin.call('POST', `${REMOTES}/la/test`)).json;
/** Stores settings that an older version accepted and that are refused now. */
const spoil = (sql: string) =>
  here.app.core.writer.write(() => void here.app.core.db.prepare(`UPDATE remote_way SET ${sql}`).run());

describe('a stored connection that cannot be used any more', () => {
  test('is reported by a test sign-in, and ends a comparison', async () => {
    await add('la', 'https://localhost:1');
    await spoil("ca = 'lixo'");
    const told = { ok: false, message: expect.stringContaining('grave de novo a ca e a credencial') };
    expect(await tried()).toMatchObject(told);
    await spoil("ca = NULL, client_id = 'de' || char(10) || 'mo'");
    clock.moveTo(START + SIGN_IN_PACE_MS);
    expect(await tried()).toMatchObject(told);
    clock.moveTo(START + 2 * SIGN_IN_PACE_MS);
    const id = await start('la');
    await here.app.core.remote.runner.idle();
    expect(await found(id)).toMatchObject({ state: 'failed', error: { message: told.message } });
  });

  test('ends only its own comparison: that of a healthy remote is made', async () => {
    await add('la');
    await spoil("secret = x'00'");
    await add('outro');
    const [spoilt, healthy] = [await start('la'), await start('outro')];
    await here.app.core.remote.runner.idle();
    expect(await found(spoilt)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('falha desta instância') },
    });
    expect((await found(healthy)).state).toBe('done');
  });
});

test('is shown as a refusal to users who represent the company, and reported to an administrator', async () => {
  await add('la');
  const refused = await admin.call('POST', `${REMOTES}/la/comparisons`, ASKED);
  const told = expect.stringContaining('Comparações são pedidas');
  expect([refused.status, refused.json.message]).toEqual([403, told]);
});
