/**
 * The features of `catp dev` for test suites: snapshots that survive a kill, a start from one, an end with
 * the suite.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatp } from '../support/executable.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

const SNAPSHOTS = '/appliance/api/snapshots';
const OF_COMPANY = '/catp/api/ext/produto/12345678';
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
/** Maximum number of items in a batch. */
const BATCH = 100;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

async function openSession({ url }: RunningCatp, key: 'admin' | 'demo') {
  const tokens = (await tokensOf(url, key, key)) as Record<string, string>;
  return (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...tokens, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
}

type Ask = Awaited<ReturnType<typeof openSession>>;

async function countOf(demo: Ask): Promise<number> {
  const reply = await demo('GET', LIST);
  return reply.status === 204 ? 0 : ((await reply.json()) as object[]).length;
}

async function fill(demo: Ask, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const items = Array.from({ length: BATCH }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: '12345678',
      denominacao: `Parafuso ${from + index}`,
      modalidade: 'AMBOS',
      ncm: '73181500',
    }));
    expect((await demo('POST', '/catp/api/ext/produto', items)).status).toBe(200);
  }
}

const start = (...flags: string[]) => sandbox.start('dev', '--port', '0', '--empty', '--data', 'd', ...flags);

describe('kill -9 during', () => {
  // Exactly one of the two states is complete after a kill at any moment.
  const MOMENTS_MS = [0, 2, 5, 10, 20, 40];

  test('a restore leaves the earlier state or the restored one', async () => {
    let server = await start();
    const before = await openSession(server, 'demo');
    expect(
      (await before('POST', OF_COMPANY, { denominacao: 'Um', modalidade: 'AMBOS', ncm: '73181500' })).status,
    ).toBe(200);
    expect((await (await openSession(server, 'admin'))('POST', `${SNAPSHOTS}/um`)).status).toBe(200);
    await fill(before, 1000);
    expect((await (await openSession(server, 'admin'))('POST', `${SNAPSHOTS}/mil`)).status).toBe(200);
    for (const [turn, ms] of MOMENTS_MS.entries()) {
      const admin = await openSession(server, 'admin');
      const expected = turn % 2 === 0 ? 'um' : 'mil';
      const answer = admin('POST', `${SNAPSHOTS}/${expected}/restore`).catch(() => undefined);
      await Bun.sleep(ms);
      await server.kill9();
      const reply = await answer;
      server = await start();
      const count = await countOf(await openSession(server, 'demo'));
      if (reply?.status === 204) expect(count).toBe(expected === 'um' ? 1 : 1001);
      else expect([1, 1001]).toContain(count);
      expect(sandbox.run(['doctor', '--data', 'd', '--json']).stdout).not.toContain('"level":"error"');
    }
  });

  test('a snapshot leaves the earlier snapshot or the new one', async () => {
    let server = await start();
    await (
      await openSession(server, 'admin')
    )('POST', `${SNAPSHOTS}/um`);
    let lastCount = 0;
    for (const ms of MOMENTS_MS) {
      await fill(await openSession(server, 'demo'), 300);
      const admin = await openSession(server, 'admin');
      const answer = admin('POST', `${SNAPSHOTS}/um`).catch(() => undefined);
      await Bun.sleep(ms);
      await server.kill9();
      const reply = await answer;
      server = await start('--snapshot', 'um');
      const count = await countOf(await openSession(server, 'demo'));
      if (reply?.status === 200) expect(count).toBe(lastCount + 300);
      else expect([lastCount, lastCount + 300]).toContain(count);
      lastCount = count;
    }
  });
});

describe('catp dev --snapshot', () => {
  test('starts from the snapshot, on its test clock or on that of --clock', async () => {
    const first = await start('--clock', '2026-01-31T12:00:00Z');
    await fill(await openSession(first, 'demo'), BATCH);
    const admin = await openSession(first, 'admin');
    await admin('POST', `${SNAPSHOTS}/cem`);
    await admin('POST', '/appliance/api/reset');
    expect(await first.stop()).toBe(0);
    for (const [flags, now] of [
      [[], '2026-01-31T09:00:00.000-03:00'],
      [['--clock', '2026-02-01T12:00:00Z'], '2026-02-01T09:00:00.000-03:00'],
    ] as const) {
      const server = await start('--snapshot', 'cem', ...flags);
      expect(await countOf(await openSession(server, 'demo'))).toBe(BATCH);
      const clock = await (await openSession(server, 'admin'))('GET', '/appliance/api/clock');
      expect(await clock.json()).toEqual({ now, test: true });
      expect(await server.stop()).toBe(0);
    }
  });

  test('ends with 1 for an unknown name, and lists the existing ones', async () => {
    const server = await start();
    await (
      await openSession(server, 'admin')
    )('POST', `${SNAPSHOTS}/um`);
    await server.stop();
    for (const [data, hint] of [
      ['d', 'Guardados: "um".'],
      ['outra', 'Nenhum foi guardado ainda'],
    ] as const) {
      const { code, stderr } = sandbox.run(['dev', '--port', '0', '--data', data, '--snapshot', 'dois']);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`catp: Não existe o snapshot "dois". ${hint}`),
      ]);
    }
    expect(existsSync(join(sandbox.folder, 'outra'))).toBe(false);
  });
});

describe('catp dev --ready-file', () => {
  test('writes the address of the server, and removes the file at the end', async () => {
    const file = join(sandbox.folder, 'pronto.json');
    writeFileSync(file, 'of a server that was killed');
    const server = await start('--ready-file', file);
    const { port } = new URL(server.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: server.url,
      port: Number(port),
      tlsUrl: null,
      pid: server.process.pid,
    });
    expect(await server.stop()).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test('ends with 1 for an unwritable file', () => {
    const flags = ['dev', '--port', '0', '--data', 'd', '--ready-file', 'nowhere/pronto.json'];
    const { code, stderr } = sandbox.run(flags);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--ready-file: nowhere/pronto.json')]);
  });
});

/** Starts catp with its address in `pronto.json`, kills its parent, and waits for its end. */
async function endWithParent(...flags: readonly string[]): Promise<void> {
  const file = join(sandbox.folder, 'pronto.json');
  const words = ['dev', '--port', '0', '--empty', '--ready-file', file, '--exit-with-parent', ...flags];
  const parent = Bun.spawn(['sh', '-c', '"$0" "$@" & wait', sandbox.executable, ...words], {
    cwd: sandbox.folder,
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const reader = parent.stdout.getReader();
  await reader.read(); // the ready line
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  parent.kill('SIGKILL');
  // The server keeps the pipe open until it ends.
  while (!(await reader.read()).done);
  expect(existsSync(file)).toBe(false);
}

test('catp dev --exit-with-parent ends when its parent is killed, and releases the folder', async () => {
  await endWithParent('--data', 'd');
  expect(await (await start()).stop()).toBe(0);
});

describe('catp dev --temporary', () => {
  test('removes its folder at the end, also when its parent was killed', async () => {
    await endWithParent('--data', 'nova', '--temporary');
    expect(existsSync(join(sandbox.folder, 'nova'))).toBe(false);
    mkdirSync(join(sandbox.folder, 'vazia'));
    const catp = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'vazia', '--temporary');
    expect(existsSync(join(sandbox.folder, 'vazia/catp.sqlite'))).toBe(true);
    expect(await catp.stop()).toBe(0);
    expect(existsSync(join(sandbox.folder, 'vazia'))).toBe(false);
  });

  test('refuses a folder that is not empty, and does not change it', () => {
    mkdirSync(join(sandbox.folder, 'minha'));
    writeFileSync(join(sandbox.folder, 'minha/nota.txt'), 'fica');
    const { code, stderr } = sandbox.run(['dev', '--port', '0', '--data', 'minha', '--temporary']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('a pasta minha não está vazia')]);
    expect(readdirSync(join(sandbox.folder, 'minha'))).toEqual(['nota.txt']);
  });
});
