/**
 * The waits of a comparison and their length (contract section 18, A good guest): over a real socket, on a
 * clock that is moved by hand.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, NOTHING, form } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const KEY = { clientId: 'demo', clientSecret: 'demo' };

let clock: TestClock;
let localApp: TestApp;
let remoteApp: TestApp;
let admin: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  remoteApp = await openApp({ clock, over: 'http' });
  admin = await localApp.as('admin');
});
afterEach(async () => {
  await localApp.close();
  await remoteApp.close();
});

/** Another company that `demo` represents. */
const OTHER = '87654321';
/** An address without a listener. */
const AWAY = 'https://localhost:1';
const add = (name: string, url: string | undefined) =>
  admin.call('POST', REMOTES, { name, companies: [COMPANY], ...(url !== undefined && { url, ...KEY }) });
const addFault = async (members: object) =>
  (await remoteApp.as('admin')).call('POST', '/appliance/api/faults', members);
const call = async (method: string, path: string, body?: unknown) =>
  (await localApp.as('demo')).call(method, path, body);
const start = async (name: string): Promise<number> =>
  (await call('POST', `${REMOTES}/${name}/comparisons`, { cpfCnpjRaiz: COMPANY })).json.id;
const startByFiles = async (name: string): Promise<number> =>
  (await call('POST', `${REMOTES}/${name}/comparisons`, form({ ...NOTHING }))).json.id;
const comparison = async (id: number) => (await call('GET', `/appliance/api/comparisons/${id}`)).json;

const stateOf = (id: number) => localApp.app.core.remote.store.findComparison(id)?.state;
const idOf = (name: string): number => localApp.app.core.remote.store.find(name)?.id ?? 0;
/** Starts a comparison and waits until it has to wait for the remote. Returns its id. */
async function startUntilRest(name: string): Promise<number> {
  const waits = localApp.app.core.remote.fetcher.whenWaiting(idOf(name));
  const id = await start(name);
  await waits;
  return id;
}

/** Moves the clock to each wait of the comparison until it ends. Returns the length of each wait in seconds. */
async function waitsUntilEnd(id: number): Promise<number[]> {
  const { fetcher } = localApp.app.core.remote;
  const waits: number[] = [];
  for (;;) {
    await Bun.sleep(2);
    // A wait after its end belongs to the next comparison.
    if (!['queued', 'running'].includes(stateOf(id) ?? '')) return waits;
    const until = fetcher.waitsUntil;
    if (until === undefined || until <= clock.now()) continue;
    waits.push((until - clock.now()) / SECOND_MS);
    clock.moveTo(until);
  }
}

describe('a full hourly limit of the remote', () => {
  test.each([
    ['just before it is over', -1, [61]],
    ['just after it was over, by the clock here', 1, [60]],
  ])('that is reported %s is waited for, and not until tomorrow', async (_, seconds, waits) => {
    await add('la', remoteApp.url);
    const message = 'A funcionalidade estará disponível novamente após as 10:00.';
    const full = { kind: 'status', status: 422, code: 'PUCX-ER1001', message };
    clock.moveTo(START + HOUR_MS + seconds * SECOND_MS);
    await addFault({ operation: 'exportProducts', fault: full });
    const id = await start('la');
    expect(await waitsUntilEnd(id)).toEqual(waits);
    expect((await comparison(id)).state).toBe('done');
  });

  test('is not counted as a failure of the remote: it does not lengthen other waits', async () => {
    await add('la', remoteApp.url);
    clock.moveTo(START + 50 * MINUTE_MS);
    await addFault({ operation: 'exportProducts', fault: { kind: 'hourly-limit' } });
    await addFault({ operation: 'exportProducts', times: 2, fault: { kind: 'daily-stop' } });
    const id = await start('la');
    expect(await waitsUntilEnd(id)).toEqual([11 * 60, 5 * 60, 5 * 60]);
    expect((await comparison(id)).state).toBe('done');
  });
});

describe('a failing remote', () => {
  test('is retried for 15 minutes in all', async () => {
    await add('la', remoteApp.url);
    await addFault({ operation: 'exportProducts', times: 3, fault: { kind: 'daily-stop' } });
    const id = await start('la');
    expect(await waitsUntilEnd(id)).toEqual([300, 300, 300]);
    expect((await comparison(id)).state).toBe('done');
  });

  test('is not retried any longer, and the comparison has the reason', async () => {
    await add('la', remoteApp.url);
    await addFault({ operation: 'exportProducts', times: 4, fault: { kind: 'daily-stop' } });
    const id = await start('la');
    expect(await waitsUntilEnd(id)).toEqual([300, 300, 300]);
    expect(await comparison(id)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('parada programada do remoto') },
    });
  });

  test('that does not exist ends its comparison, and the one that waits behind it', async () => {
    await add('morto', AWAY);
    const [id, behind] = [await startUntilRest('morto'), await start('morto')];
    expect([stateOf(id), stateOf(behind)]).toEqual(['running', 'queued']);
    const waits = await waitsUntilEnd(id);
    // After each growing pause follows the rest of the 65 s in which no second sign-in is allowed.
    expect(waits).toEqual([5, 60, 10, 55, 20, 45, 40, 25, 80, 160, 300]);
    const why = expect.stringMatching(/localhost:1 não pôde ser alcançado .*; repita a comparação depois\.$/);
    expect(await comparison(id)).toMatchObject({ state: 'failed', error: { message: why } });
    await waitsUntilEnd(behind);
    expect(await comparison(behind)).toMatchObject({ state: 'failed', error: { message: why } });
  });
});

describe('during the wait for a remote', () => {
  test('the comparisons of other remotes run, by network and by files', async () => {
    await add('morto', AWAY);
    await add('la', remoteApp.url);
    await add('arquivos', undefined);
    const resting = await startUntilRest('morto');
    const [network, files] = [await start('la'), await startByFiles('arquivos')];
    const { runner } = localApp.app.core.remote;
    await runner.idle(idOf('la'));
    await runner.idle(idOf('arquivos'));
    expect([stateOf(network), stateOf(files), stateOf(resting)]).toEqual(['done', 'done', 'running']);
  });

  test('another company of the remote is compared by files', async () => {
    await add('morto', AWAY);
    await admin.call('PUT', `${REMOTES}/morto`, { companies: [COMPANY, OTHER] });
    const resting = await startUntilRest('morto');
    const files = form({ ...NOTHING }, { cpfCnpjRaiz: OTHER });
    const started = await call('POST', `${REMOTES}/morto/comparisons`, files);
    while (stateOf(started.json.id) !== 'done') await Bun.sleep(2);
    expect(stateOf(resting)).toBe('running');
  });

  test('the same company is not compared: the newest comparison must be the last one', async () => {
    await add('morto', AWAY);
    await add('arquivos', undefined);
    const [resting, behind] = [await startUntilRest('morto'), await startByFiles('morto')];
    const other = await startByFiles('arquivos');
    while (stateOf(other) !== 'done') await Bun.sleep(2);
    expect([stateOf(resting), stateOf(behind)]).toEqual(['running', 'queued']);
    await waitsUntilEnd(resting);
    await waitsUntilEnd(behind);
    expect([stateOf(resting), stateOf(behind)]).toEqual(['failed', 'done']);
  });

  test('a stop ends the wait, and the next start requests again', async () => {
    await add('la', remoteApp.url);
    await addFault({ operation: 'exportProducts', fault: { kind: 'daily-stop' } });
    const id = await startUntilRest('la');
    await localApp.close({ keepFolder: true });
    localApp = await openApp({ clock, folder: localApp.folder });
    await waitsUntilEnd(id);
    expect(stateOf(id)).toBe('done');
  });
});
