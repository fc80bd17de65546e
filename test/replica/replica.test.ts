/**
 * A machine with a follower (contract section 26): the time of the answer to a write, and its result when
 * the replica does not confirm it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { REAL_TIME, type RealTime } from '../../src/clock.ts';
import { SYNC_MS } from '../../src/replica/replica.ts';
import { type OpenAppOptions, type Reply, type TestApp, openApp } from '../support/app.ts';
import { type Litestream, openLitestream } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto/12345678';
const PRODUCT = { denominacao: 'Peça', modalidade: 'IMPORTACAO', ncm: '39269090' };

let litestream: Litestream;
let app: TestApp | undefined;
beforeEach(async () => {
  litestream = await openLitestream();
});
afterEach(async () => {
  litestream.behaviour = 'sync';
  litestream.release();
  await app?.close();
  app = undefined;
  await litestream.close();
});

/** Real time without periodic checks: the replica is only queried after a write, or while it lags. */
const WITHOUT_LOOKS: RealTime = {
  ...REAL_TIME,
  after: (ms, work) => (ms === SYNC_MS ? { cancel: () => undefined } : REAL_TIME.after(ms, work)),
};

async function open(settings: OpenAppOptions['settings'] = {}) {
  const allSettings = {
    'replica.socket': litestream.socket,
    'replica.confirmar': 'sempre',
    'replica.espera': '60s', // a busy machine does not decide
    ...settings,
  } as const;
  app = await openApp({ settings: allSettings, parts: { realTime: WITHOUT_LOOKS } });
  const demo = await app.as('demo');
  const include = (denominacao: string): Promise<Reply> =>
    demo.call('POST', PRODUCTS, { ...PRODUCT, denominacao });
  const names = async (): Promise<string[]> => {
    const { status, json } = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
    return status === 204 ? [] : (json as { denominacao: string }[]).map(({ denominacao }) => denominacao);
  };
  const ready = () => app?.anybody.call('GET', '/readyz') as Promise<Reply>;
  const opened = app;
  /** Waits until the replica has the writes of the start and of the sign-in. */
  const quiet = async (): Promise<void> => {
    for (let turns = 0, lastCount = -1; turns < QUIET_TURNS; turns += 1) {
      const isBusy =
        opened.app.core.replica?.caughtUp() !== undefined || litestream.requests.length !== lastCount;
      if (isBusy) [turns, lastCount] = [0, litestream.requests.length];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const behave = async (behaviour: Litestream['behaviour']): Promise<void> => {
    await quiet();
    litestream.behaviour = behaviour;
  };
  await quiet();
  return { app, include, names, ready, hold: () => behave('hold'), fail: () => behave('fail') };
}

const QUIET_TURNS = 50;

/** Returns whether the reply arrives while other work gets its turns. */
async function isAnswered(reply: Promise<Reply>): Promise<boolean> {
  let answered = false;
  void reply.then(() => (answered = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return answered;
}

/** Waits by turns of the event loop: requests to the app alone would not let a socket proceed. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

describe('sempre', () => {
  test('a write is answered when the replica has it, and requests a sync of the folder’s database', async () => {
    const { app, include, names, hold } = await open();
    await hold();
    const before = litestream.requests.length;
    const reply = include('Espera');
    await litestream.cameTo(before + 1);
    expect(await isAnswered(reply)).toBe(false);
    expect(await names()).toEqual(['Espera']); // a reader may see the write shortly before its answer
    litestream.release();
    expect((await reply).status).toBe(200);
    expect(new Set(litestream.requests)).toEqual(new Set([`${app.folder}/catp.sqlite`]));
  });

  test('groups that come during a sync share the next one', async () => {
    const { include, hold } = await open();
    await hold();
    const before = litestream.requests.length;
    const first = include('Um');
    await litestream.cameTo(before + 1);
    const others = [include('Dois'), include('Três'), include('Quatro')];
    for (const other of others) expect(await isAnswered(other)).toBe(false);
    litestream.release();
    expect((await first).status).toBe(200);
    await litestream.cameTo(before + 2);
    expect(await isAnswered(others[0] as Promise<Reply>)).toBe(false); // the previous request may not have included it
    litestream.release();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(litestream.requests.length).toBe(before + 2);
  });

  test('a refused write does not wait, because it needs no replica', async () => {
    const { app, hold } = await open();
    const demo = await app.as('demo');
    await hold();
    const before = litestream.requests.length;
    expect((await demo.call('PUT', `${PRODUCTS}/999`, PRODUCT)).status).toBe(404);
    expect(litestream.requests.length).toBe(before);
  });

  test('recusar: the first write has an unknown result, later ones are refused, and all continues after a successful sync', async () => {
    const { app, include, names, ready, fail } = await open();
    await fail();
    const lost = await include('Incerto');
    expect([lost.status, lost.json.message]).toEqual([
      503,
      expect.stringMatching(
        /gravada nesta máquina, e não se sabe se está na réplica .*replica not reachable/,
      ),
    ]);
    const refused = await include('Recusado');
    expect([refused.status, refused.json.message]).toEqual([
      503,
      expect.stringMatching(/réplica não as recebe .*nada desta requisição foi gravado/),
    ]);
    expect(await names()).toEqual(['Incerto']);
    const unready = await ready();
    expect([unready.status, unready.json.message]).toEqual([
      503,
      expect.stringContaining('a réplica não as recebe'),
    ]);
    const metrics = await app.anybody.call('GET', '/metrics');
    expect(metrics.text).toMatch(/^catp_ready 0$/m);
    expect(metrics.text).toMatch(/^catp_replica_ok 0$/m);

    litestream.behaviour = 'sync';
    await litestream.cameTo(litestream.requests.length + 1); // it checks automatically
    await until(async () => (await ready()).status === 200);
    expect((await include('De volta')).status).toBe(200);
    const well = await app.anybody.call('GET', '/metrics');
    expect(well.text).toMatch(/^catp_replica_ok 1$/m);
    expect(well.text).toMatch(/^catp_replica_lag_seconds 0$/m);
  });

  test('no answer within replica.espera counts as a failure', async () => {
    const { include, hold } = await open({ 'replica.espera': '700ms' });
    await hold();
    const { status, json } = await include('Espera');
    expect([status, json.message]).toEqual([503, expect.stringContaining('não respondeu em 700 ms')]);
  });

  test('alarme: writes are answered once they are on this disk, and the lag is reported until the replica has caught up', async () => {
    const { include, ready, fail } = await open({ 'replica.falta': 'alarme' });
    await fail();
    expect((await include('Um')).status).toBe(200);
    expect((await include('Dois')).status).toBe(200);
    const reply = await ready();
    expect(reply.status).toBe(200);
    expect((reply.json.notices as string[]).join()).toMatch(
      /A réplica está atrás: .*o que é gravado está só nesta máquina/,
    );
    expect(reply.json.replica).toMatchObject({ ok: false, mode: 'sempre', socket: litestream.socket });
    litestream.behaviour = 'sync';
    await until(async () => (await ready()).json.replica.ok === true);
    expect((await ready()).json.replica).toMatchObject({
      lagSeconds: 0,
      lastSync: expect.any(String) as string,
    });
  });

  test('a notification waits for the replica too', async () => {
    const { app, hold } = await open();
    const demo = await app.as('demo');
    const endpoint = 'https://127.0.0.1/aviso';
    const subscription = await demo.call('POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint,
    });
    expect(subscription.status).toBe(200);
    const admin = await app.as('admin');
    const attempts = async (): Promise<number> => {
      const { json } = await admin.call('GET', '/appliance/api/deliveries');
      return (json as { attempts: unknown[] }[]).reduce((sum, one) => sum + one.attempts.length, 0);
    };
    await hold();
    const before = litestream.requests.length;
    const reply = demo.call('POST', PRODUCTS, PRODUCT);
    await litestream.cameTo(before + 1);
    expect(await isAnswered(reply)).toBe(false);
    expect(await attempts()).toBe(0);
    litestream.behaviour = 'sync';
    litestream.release();
    expect((await reply).status).toBe(200);
    await until(async () => (await attempts()) > 0);
  });

  test('a stop answers waiting writes', async () => {
    const { app, include, hold } = await open({ 'replica.espera': '700ms' });
    await hold();
    const before = litestream.requests.length;
    const reply = include('Espera');
    await litestream.cameTo(before + 1);
    await app.app.stop();
    expect((await reply).status).toBe(503);
  });
});

describe('nunca', () => {
  test('a write does not wait; the lag of the replica is still reported', async () => {
    const { include, ready } = await open({ 'replica.confirmar': 'nunca' });
    litestream.behaviour = 'hold';
    expect((await include('Um')).status).toBe(200);
    expect((await ready()).json.replica).toMatchObject({ mode: 'nunca', ok: true });
  });

  test('without a socket there is no replica', async () => {
    const { ready } = await open({ 'replica.socket': '', 'replica.confirmar': 'nunca' });
    expect((await ready()).json.replica).toBeNull();
  });
});
