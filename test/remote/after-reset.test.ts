/**
 * All work with remotes continues after a development instance was emptied or restored (contract sections 15,
 * 18).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { SIGN_IN_PACE_MS } from '../../src/remote/wire/governor.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const SNAPSHOT = '/appliance/api/snapshots/um';

let clock: TestClock;
let localApp: TestApp;
let remoteApp: TestApp;
let admin: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  remoteApp = await openApp({ clock, over: 'http' });
  admin = await localApp.as('admin');
  await addRemote('demo');
});
afterEach(async () => {
  await localApp.close();
  await remoteApp.close();
});

async function addRemote(clientSecret: string): Promise<void> {
  const connection = { url: remoteApp.url, clientId: 'demo', clientSecret };
  await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], ...connection });
}
async function resetInstance(): Promise<void> {
  const { status, text } = await admin.call('POST', '/appliance/api/reset');
  if (status !== 204) throw new Error(text);
}
const testSignIn = async () => (await admin.call('POST', `${REMOTES}/la/test`)).json;
/** Starts a comparison, waits for its end, and returns it. */
async function runComparison() {
  const demo = await localApp.as('demo');
  const { id } = (await demo.call('POST', `${REMOTES}/la/comparisons`, { cpfCnpjRaiz: COMPANY })).json;
  const { runner, fetcher } = localApp.app.core.remote;
  let isOver = false;
  void runner.idle().then(() => (isOver = true));
  while (!isOver) {
    await Bun.sleep(2);
    const until = fetcher.waitsUntil;
    if (until !== undefined && until > clock.now()) clock.moveTo(until);
  }
  return (await demo.call('GET', `/appliance/api/comparisons/${id}`)).json;
}

test('a remote is reachable after a reset as before', async () => {
  expect((await testSignIn()).ok).toBe(true);
  await resetInstance();
  clock.moveTo(START + SIGN_IN_PACE_MS);
  await addRemote('demo');
  expect(await testSignIn()).toMatchObject({ ok: true, message: 'Entrou.' });
  expect(await runComparison()).toMatchObject({ state: 'done' });
});

test('a remote is reachable after a snapshot was restored', async () => {
  expect((await admin.call('POST', SNAPSHOT)).status).toBeLessThan(300);
  expect((await admin.call('POST', `${SNAPSHOT}/restore`)).status).toBe(204);
  expect(await testSignIn()).toMatchObject({ ok: true, message: 'Entrou.' });
});

test('a remote that gets the number of an earlier one after a reset has no session', async () => {
  expect((await runComparison()).state).toBe('done');
  await resetInstance();
  await addRemote('errado');
  expect(await runComparison()).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('O remoto recusou a entrada') },
  });
});
