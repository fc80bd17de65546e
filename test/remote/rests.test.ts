/** What a comparison waits for, and for how long (contract section 18, A good guest): over a real socket, on a clock that is moved by hand. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const KEY = { clientId: 'demo', clientSecret: 'demo' };

let clock: TestClock;
let here: TestApp;
let there: TestApp;
let admin: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  here = await openApp({ clock });
  there = await openApp({ clock, over: 'http' });
  admin = await here.as('admin');
});
afterEach(async () => {
  await here.close();
  await there.close();
});

const add = (name: string, url: string | undefined) =>
  admin.call('POST', REMOTES, { name, companies: [COMPANY], ...(url !== undefined && { url, ...KEY }) });
const fault = async (members: object) =>
  (await there.as('admin')).call('POST', '/appliance/api/faults', members);
const call = async (method: string, path: string, body?: unknown) =>
  (await here.as('demo')).call(method, path, body);
const start = async (name: string): Promise<number> =>
  (await call('POST', `${REMOTES}/${name}/comparisons`, { cpfCnpjRaiz: COMPANY })).json.id;
const found = async (id: number) => (await call('GET', `/appliance/api/comparisons/${id}`)).json;

/** Moves the clock to whatever the comparison waits for, until it has ended; how long each wait was, in seconds. */
async function waited(id: number): Promise<number[]> {
  const { store, fetcher } = here.app.core.remote;
  const waits: number[] = [];
  while (['queued', 'running'].includes(store.findComparison(id)?.state ?? '')) {
    await Bun.sleep(2);
    const until = fetcher.waitsUntil;
    if (until === undefined || until <= clock.now()) continue;
    waits.push((until - clock.now()) / SECOND_MS);
    clock.moveTo(until);
  }
  return waits;
}

describe('a full hour there', () => {
  test.each([
    ['just before it is over', -1, [61]],
    ['just after it was over, by the clock here', 1, [60]],
  ])('that is told %s is waited for, and not until tomorrow', async (_, seconds, waits) => {
    await add('la', there.url);
    const message = 'A funcionalidade estará disponível novamente após as 10:00.';
    const full = { kind: 'status', status: 422, code: 'PUCX-ER1001', message };
    clock.moveTo(START + HOUR_MS + seconds * SECOND_MS);
    await fault({ operation: 'exportProducts', fault: full });
    const id = await start('la');
    expect(await waited(id)).toEqual(waits);
    expect((await found(id)).state).toBe('done');
  });
});
