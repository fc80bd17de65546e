/**
 * Runs with real requests (contract section 18): to another whole server over a real socket, with its own
 * faults.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SECOND_MS, TestClock } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const RUNS = '/appliance/api/runs';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const OPEN: readonly (string | undefined)[] = ['queued', 'running', 'resting'];

let clock: TestClock;
let localApp: TestApp;
let remoteApp: TestApp;
let remoteAdmin: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  remoteApp = await openApp({ clock, over: 'http', settings: { perfil: 'portal' } });
  remoteAdmin = await remoteApp.as('admin');
  const admin = await localApp.as('admin');
  const connection = { url: remoteApp.url, clientId: 'demo', clientSecret: 'demo' };
  await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], ...connection });
});
afterEach(async () => {
  await localApp.close();
  await remoteApp.close();
});

/** Signs in again: the session may have expired, and the remote allows one sign-in a minute. */
const localUser = (): Promise<Client> => localApp.as('demo');
async function remoteUser(): Promise<Client> {
  clock.moveTo(clock.now() + 61 * SECOND_MS);
  return remoteApp.as('demo');
}
const call = async (method: string, path: string, body?: unknown) =>
  (await localUser()).call(method, path, body);
const include = async (denominacao: string, codigosInterno: string[] = []): Promise<number> =>
  (await call('POST', PRODUCTS, { ...PLAIN, denominacao, codigosInterno })).json.codigo;
/** Calls the remote as administrator. Signs in again only after the session ended. */
async function callAsRemoteAdmin(method: string, path: string, body?: unknown) {
  const reply = await remoteAdmin.call(method, path, body);
  if (reply.status !== 401) return reply;
  remoteAdmin = await remoteApp.as('admin');
  return remoteAdmin.call(method, path, body);
}
async function addFault(members: object): Promise<void> {
  const { status, text } = await callAsRemoteAdmin('POST', '/appliance/api/faults', members);
  if (status !== 200) throw new Error(text); // a rule that was not stored would test nothing
}
const requestCount = async (operation: string): Promise<number> =>
  (await callAsRemoteAdmin('GET', `/appliance/api/requests?operation=${operation}&limit=500`)).json.length;
const waitForState = async (id: number, ...states: string[]): Promise<void> => {
  while (!states.includes(runOf(id)?.state ?? '')) await Bun.sleep(2);
};

/** Moves the clock to each wait until `isOver`. */
async function moveClockUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await Bun.sleep(2);
    const waits = [localApp.app.core.remote.fetcher.waitsUntil, restOf(1), restOf(2), restOf(3)];
    const next = Math.min(...waits.map((one) => one ?? Infinity));
    if (!isOver() && next !== Infinity && next > clock.now()) clock.moveTo(next);
  }
}
const runOf = (id: number) => localApp.app.core.remote.runStore.find(id);
const restOf = (id: number) =>
  runOf(id)?.state === 'resting' ? (runOf(id)?.restsUntil ?? undefined) : undefined;

async function runComparison() {
  const { json } = await call('POST', `${REMOTES}/la/comparisons`, { cpfCnpjRaiz: COMPANY });
  let isOver = false;
  void localApp.app.core.remote.runner.idle().then(() => (isOver = true));
  await moveClockUntil(() => isOver);
  return (await call('GET', `/appliance/api/comparisons/${json.id}`)).json;
}
async function start(members: object = {}): Promise<number> {
  const { id } = await runComparison();
  const started = await call('POST', `/appliance/api/comparisons/${id}/runs`, {
    direction: 'send',
    ...members,
  });
  if (started.status !== 202) throw new Error(started.text);
  return started.json.id;
}
const waitForEnd = (id: number) => moveClockUntil(() => !OPEN.includes(runOf(id)?.state));
async function runToEnd(members: object = {}) {
  const id = await start(members);
  await waitForEnd(id);
  const steps = (await call('GET', `${RUNS}/${id}/steps`)).json;
  return { run: (await call('GET', `${RUNS}/${id}`)).json, steps };
}
async function remoteNames(): Promise<string[]> {
  const list = await (await remoteUser()).call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
  return list.status === 204 ? [] : list.json.map(({ denominacao }: { denominacao: string }) => denominacao);
}

describe('a run', () => {
  test('sends, and everything is igual afterwards', async () => {
    await include('A', ['X']);
    await include('B');
    const { run, steps } = await runToEnd();
    expect(run).toMatchObject({ state: 'done', total: 2, done: 2, sent: 2, refused: 0, uncertain: 0 });
    expect(steps.map(({ outcome, remoteCodigo }: Record<string, string>) => [outcome, remoteCodigo])).toEqual(
      [
        ['sent', '1'],
        ['sent', '2'],
      ],
    );
    expect(await remoteNames()).toEqual(['A', 'B']);
    expect((await runComparison()).counts.produto).toEqual({ igual: 2 });
    expect((await runToEnd()).run).toMatchObject({ state: 'done', total: 0 });
  });

  test.each([
    ['an answer that was lost', { kind: 'lost-answer' }],
    ['a connection that was cut', { kind: 'drop' }],
    ['a page for JSON', { kind: 'garbage' }],
    ['half an answer', { kind: 'truncate', bytes: 20 }],
    ['a server that is busy', { kind: 'status', status: 503 }],
    ['a fault of the server', { kind: 'status', status: 500 }],
    ['too many requests', { kind: 'status', status: 429 }],
    ['the daily stop', { kind: 'daily-stop' }],
    ['a full hour', { kind: 'hourly-limit' }],
    ['an ended session', { kind: 'expired-token' }],
  ])('duplicates and loses nothing over %s', async (_, kind) => {
    await include('A', ['X']);
    await include('B');
    await addFault({ operation: 'includeProduct', fault: kind });
    const { run } = await runToEnd();
    expect(run).toMatchObject({ state: 'done', done: 2, refused: 0, uncertain: 0 });
    expect((await remoteNames()).toSorted()).toEqual(['A', 'B']);
    expect((await runComparison()).counts.produto).toEqual({ igual: 2 });
  });

  test('pauses while the hourly limit of the remote is full, and sends nothing meanwhile', async () => {
    await include('A');
    await addFault({ operation: 'includeProduct', fault: { kind: 'hourly-limit' } });
    const id = await start();
    await waitForState(id, 'resting');
    const run = (await call('GET', `${RUNS}/${id}`)).json;
    expect(run).toMatchObject({
      state: 'resting',
      restsFor: 'includeProduct',
      reason: 'limite por hora do remoto',
    });
    expect(run.restsUntil).toBe('2026-01-15T10:01:00.000-03:00');
    expect(await requestCount('includeProduct')).toBe(1);
    // A stopped run still shows the time until which the remote asked for a pause.
    await call('POST', `${RUNS}/${id}/pause`);
    expect((await call('GET', `${RUNS}/${id}`)).json).toMatchObject({
      state: 'paused',
      restsUntil: run.restsUntil,
      restsFor: 'includeProduct',
    });
    await call('POST', `${RUNS}/${id}/resume`);
    await waitForEnd(id);
    // One request more: the session on the remote had expired.
    expect(await requestCount('includeProduct')).toBe(3);
  });

  test('continues when another process pauses and resumes it during a wait', async () => {
    await include('A');
    await addFault({ operation: 'includeProduct', fault: { kind: 'hourly-limit' } });
    const id = await start();
    await waitForState(id, 'resting');
    const { writer, remote } = localApp.app.core;
    await writer.write(() => remote.runStore.setState(id, 'paused', 'por um comando'));
    await writer.write(() => remote.runStore.setState(id, 'running', null));
    await waitForState(id, 'resting');
    await waitForEnd(id);
    expect(runOf(id)?.state).toBe('done');
  });

  test('continues after a restart from the stored state', async () => {
    for (const name of ['A', 'B', 'C']) await include(name, [name]);
    await addFault({ operation: 'includeProduct', after: 1, fault: { kind: 'lost-answer' } });
    const id = await start();
    const getRun = async () => (await call('GET', `${RUNS}/${id}`)).json;
    while ((await getRun()).uncertain === 0) await Bun.sleep(5);
    await localApp.close({ keepFolder: true }); // while the result of the second step is unknown
    localApp = await openApp({ clock, folder: localApp.folder });
    await waitForEnd(id);
    const run = await getRun();
    expect(run).toMatchObject({ state: 'done', done: 3, uncertain: 0 });
    // The third step may have been sent before the close; it is found on the remote like the second.
    expect([run.sent + run.adopted, run.adopted > 0]).toEqual([3, true]);
    expect((await remoteNames()).toSorted()).toEqual(['A', 'B', 'C']);
  });

  test('is paused, resumed and cancelled by users who represent the company', async () => {
    await include('A');
    await addFault({ operation: 'includeProduct', fault: { kind: 'hourly-limit' } });
    const id = await start();
    const second = await call('POST', `/appliance/api/comparisons/1/runs`, { direction: 'send' });
    expect(second.json.detail[0]).toMatchObject({ code: 'CATP-ER1507' });
    await waitForState(id, 'running', 'resting');
    const stranger = await localApp.as('estranho');
    for (const [method, path] of [
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['DELETE', ''],
    ] as const)
      expect((await stranger.call(method, `${RUNS}/${id}${path}`)).status).toBe(404);
    expect((await call('POST', `${RUNS}/${id}/resume`)).json.detail[0]).toMatchObject({
      code: 'CATP-ER1524',
    });
    expect((await call('POST', `${RUNS}/${id}/pause`)).json).toMatchObject({ state: 'paused' });
    expect((await call('POST', `${RUNS}/${id}/pause`)).json.detail[0]).toMatchObject({ code: 'CATP-ER1524' });
    clock.moveTo(START + 2 * 3_600_000);
    expect((await call('POST', `${RUNS}/${id}/resume`)).json.state).toBe('running');
    await waitForEnd(id);
    expect((await call('DELETE', `${RUNS}/${id}`)).json.detail[0]).toMatchObject({ code: 'CATP-ER1524' });
    await include('B');
    await addFault({ operation: 'includeProduct', fault: { kind: 'hourly-limit' } });
    const other = await start();
    expect((await call('DELETE', `${RUNS}/${other}`)).json).toMatchObject({ state: 'cancelled' });
    await localApp.app.core.remote.runRunner.stop();
    expect(await remoteNames()).toEqual(['A']);
  });

  test('that the remote refuses shows its message, and continues', async () => {
    await include('A');
    await include('B');
    const refusal = { kind: 'status', status: 422, code: 'CATP-ER9999', message: 'Não desta vez.' };
    await addFault({ operation: 'includeProduct', fault: refusal });
    const { run, steps } = await runToEnd();
    expect(run).toMatchObject({ state: 'done', sent: 1, refused: 1 });
    expect(steps[0]).toMatchObject({
      outcome: 'refused',
      status: 422,
      message: expect.stringContaining('Não desta vez.'),
    });
    expect(await remoteNames()).toEqual(['B']);
  });

  test('whose lookups are refused requests each once, and ends', async () => {
    await include('A', ['X']);
    await include('B');
    const refusal = { kind: 'status', status: 403, message: 'Sem permissão para listar.' };
    await addFault({ operation: 'listProducts', times: null, fault: refusal });
    const { run, steps } = await runToEnd();
    expect(run).toMatchObject({ state: 'done', sent: 1, refused: 1 });
    expect(steps[0]).toMatchObject({
      outcome: 'refused',
      status: 403,
      message: expect.stringContaining('Sem permissão para listar.'),
    });
    expect(await requestCount('listProducts')).toBe(1);
  });
});
