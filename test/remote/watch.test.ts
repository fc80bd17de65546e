/**
 * The daily job that compares with the remotes (contract section 18), and its notifications to companies:
 * over a real socket, to a real receiver.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { type Delivering, deliverTo } from '../notification/delivery/work/support.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { openReceiver } from '../support/receiver.ts';
import { COMPANY } from './support.ts';

const EVENTO = 'catp-remoto-divergente';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const ENDPOINT = 'https://erp.exemplo/';

let clock: TestClock;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let at: Delivering;
let remoteApp: TestApp;
let theirs: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  receiver = await openReceiver();
  at = await deliverTo({ 'erp.exemplo': receiver }, { app: { clock } });
  remoteApp = await openApp({ clock, over: 'http' });
  theirs = { call: async (...request) => (await remoteApp.as('demo')).call(...request) };
  const connection = { url: remoteApp.url, clientId: 'demo', clientSecret: 'demo' };
  await at.admin.call('POST', '/appliance/api/remotes', { name: 'la', companies: [COMPANY], ...connection });
  await at.admin.call('POST', '/appliance/api/remotes', { name: 'por-arquivos', companies: [COMPANY] });
});
afterEach(async () => {
  await at[Symbol.asyncDispose]();
  await remoteApp.close();
  await receiver[Symbol.asyncDispose]();
});

const include = async (client: Client, denominacao: string) => {
  clock.moveTo(clock.now() + 61 * SECOND_MS);
  const reply = await client.call('POST', PRODUCTS, { ...PLAIN, denominacao });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.codigo as number;
};

/** Runs the job once, and moves the clock to each of its waits. */
async function runJob() {
  const { core } = at.server.app;
  clock.moveTo(clock.now() + 2 * MINUTE_MS);
  let isOver = false;
  const done = (async () => core.jobs.find(({ name }) => name === 'remotos')?.runOnce())()
    .then((result) => ({ result }))
    .catch((error: Error) => ({ failed: error.message }))
    .finally(() => (isOver = true));
  while (!isOver) {
    await Bun.sleep(2);
    const until = core.remote.fetcher.waitsUntil;
    if (until !== undefined) clock.moveTo(until);
  }
  return done;
}

const events = () =>
  at.server.app.core.db
    .prepare<[string], string>('SELECT conteudo FROM event WHERE evento = ? ORDER BY id')
    .pluck()
    .all(EVENTO)
    .map((conteudo) => JSON.parse(conteudo) as object);

const body = (produto: object) => ({
  cpfCnpjRaiz: COMPANY,
  remoto: 'la',
  contagens: { produto, operador: {}, vinculo: {} },
});

describe('the job', () => {
  test('compares the remotes that have an address, and publishes new differences', async () => {
    await at.subscribe(ENDPOINT, { evento: EVENTO });
    await include(theirs, 'Só lá');
    expect(await runJob()).toEqual({ result: { comparisons: 1 } });
    expect(JSON.parse((await receiver.next()).body)).toEqual(body({ soLa: 1 }));
    const listed = await at.demo.call('GET', `/appliance/api/comparisons?cpfCnpjRaiz=${COMPANY}`);
    expect(listed.json).toMatchObject([{ remote: 'la', state: 'done' }]);
  });

  test('publishes nothing twice, and nothing if there are no new differences or fewer than before', async () => {
    await runJob();
    expect(events()).toEqual([]);
    const codigo = await include(theirs, 'A');
    await include(theirs, 'B');
    await runJob();
    await runJob();
    expect(events()).toEqual([body({ soLa: 2 })]);
    await include(at.demo, 'A');
    await runJob();
    expect(events()).toHaveLength(1);
    // The number of differences stays, and one is new.
    await include(at.demo, 'B');
    await theirs.call('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao: 'A mudou' });
    await runJob();
    expect(events()).toEqual([body({ soLa: 2 }), body({ igual: 1, mudouLa: 1 })]);
    // The same product again, with another change.
    await theirs.call('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao: 'A mudou outra vez' });
    await runJob();
    await runJob();
    expect(events()).toHaveLength(3);
  });

  test('publishes nothing about a comparison that a person started', async () => {
    await include(theirs, 'Só lá');
    const { core } = at.server.app;
    await at.demo.call('POST', '/appliance/api/remotes/la/comparisons', { cpfCnpjRaiz: COMPANY });
    while (core.remote.comparisons.list(COMPANY)[0]?.state !== 'done') {
      await Bun.sleep(2);
      clock.moveTo(core.remote.fetcher.waitsUntil ?? clock.now());
    }
    expect(events()).toEqual([]);
    // It was the last difference: nothing is new since.
    await runJob();
    expect(events()).toEqual([]);
  });

  test('stores the event in the transaction that ends the comparison', async () => {
    await include(theirs, 'Só lá');
    const { db } = at.server.app.core;
    db.exec(`CREATE TEMP TRIGGER broken BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'cheio'); END`);
    expect(await runJob()).toMatchObject({ failed: expect.stringContaining('la, 12345678') });
    expect(events()).toEqual([]);
    db.exec('DROP TRIGGER broken');
    await runJob();
    expect(events()).toHaveLength(1);
  });

  test('fails if a remote cannot be compared, with its name and the reason', async () => {
    await at.admin.call('PUT', '/appliance/api/remotes/la', { downtime: '00:00-23:59' });
    const { failed } = (await runJob()) as { failed: string };
    expect(failed).toContain('la, 12345678: ');
    expect(failed).toContain('repita a comparação depois');
  });
});

test('completes if a remote is unreachable, and compares the others', async () => {
  // The clock of a running server: the job waits as long as its comparisons wait.
  Object.defineProperty(clock, 'test', { value: false });
  const way = { url: 'https://localhost:1', clientId: 'demo', clientSecret: 'demo' };
  await at.admin.call('POST', '/appliance/api/remotes', { name: 'ausente', companies: [COMPANY], ...way });
  const { failed } = (await runJob()) as { failed: string };
  expect(failed).toMatch(/ausente, 12345678: .*localhost:1 não pôde ser alcançado/);
  const { json } = await (
    await at.server.as('demo')
  ).call('GET', `/appliance/api/comparisons?cpfCnpjRaiz=${COMPANY}`);
  expect(json).toMatchObject([
    { remote: 'la', state: 'done' },
    { remote: 'ausente', state: 'failed' },
  ]);
});

describe('the job on a manual clock', () => {
  test('does not block itself while it waits for the remote', async () => {
    const cut = { operation: 'exportProducts', fault: { kind: 'drop' } };
    await (await remoteApp.as('admin')).call('POST', '/appliance/api/faults', cut);
    const { core } = at.server.app;
    const work = core.jobs.find(({ name }) => name === 'remotos')?.runOnce();
    expect(await work).toEqual({ comparisons: 0 });
    const until = core.remote.fetcher.waitsUntil ?? 0;
    expect(until).toBeGreaterThan(clock.now());
    clock.moveTo(until);
    await core.remote.runner.idle();
    expect(core.remote.comparisons.list(COMPANY)).toMatchObject([{ state: 'done', byJob: true }]);
  });
});

describe('the setting remoto.horario', () => {
  test('is off by default, and sets the time of each day', async () => {
    const patternOf = ({ app }: TestApp) => app.core.jobs.find(({ name }) => name === 'remotos')?.pattern;
    expect(patternOf(at.server)).toBeUndefined();
    const other = await openApp({ settings: { 'remoto.horario': '04:15' } });
    expect(patternOf(other)).toBe('15 4 * * *');
    await other.close();
  });
});
