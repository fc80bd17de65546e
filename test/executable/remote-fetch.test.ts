/**
 * Two executables: one fetches the changes of the other and gets kill -9 meanwhile. Also the daily comparison
 * job (contract section 18).
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, signIn } from '../../scripts/proof/client.ts';
import { type Server, startServer } from '../../scripts/proof/server.ts';
import { builtExecutable } from '../support/executable.ts';

setDefaultTimeout(240_000);

const COMPANY = '12345678';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const START = '2026-01-15T12:00:00Z';
const MANY = 300;

let folder: string;
let executable: string;
const running = new Set<Server>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catp-fetch-'));
  executable = await builtExecutable();
});
afterEach(async () => {
  for (const server of running) await server.kill9();
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, ...flags: readonly string[]) {
  const all = ['--clock', START, ...flags];
  const server = startServer({ executable, data: join(folder, name), flags: all });
  running.add(server);
  return { server, url: await server.ready };
}

async function send(client: Client, method: string, path: string, body?: object) {
  const answer = await client.call(method, path, body);
  if (answer === undefined || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.text}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
  return answer.body as any;
}

const run = (...command: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([executable, ...command], { cwd: folder, env: {} });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};

const REMOTE = (url: string) => ({
  name: 'la',
  companies: [COMPANY],
  url,
  clientId: 'demo',
  clientSecret: 'demo',
});

async function endedComparison(
  client: Client,
): Promise<{ id: number; state: string; counts: { produto: object } }> {
  for (;;) {
    const [comparison] = await send(client, 'GET', `/appliance/api/comparisons?cpfCnpjRaiz=${COMPANY}`);
    if (comparison !== undefined && !['queued', 'running'].includes(comparison.state)) return comparison;
    await Bun.sleep(10);
  }
}

test('kill -9 during a fetch duplicates and loses no record', async () => {
  const remote = await start('la');
  let local = await start('aqui');
  const remoteClient = await signIn(remote.url, 'demo');
  for (let n = 0; n < MANY; n += 1)
    await send(remoteClient, 'POST', PRODUCTS, {
      denominacao: `Produto ${n}`,
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    });
  const [admin, demo] = [await signIn(local.url, 'admin'), await signIn(local.url, 'demo')];
  await send(admin, 'POST', '/appliance/api/remotes', REMOTE(remote.url));
  await send(demo, 'POST', '/appliance/api/remotes/la/comparisons', { cpfCnpjRaiz: COMPANY });
  const { id: comparison, counts } = await endedComparison(demo);
  expect(counts.produto).toEqual({ soLa: MANY });
  const { id } = await send(demo, 'POST', `/appliance/api/comparisons/${comparison}/runs`, {
    direction: 'fetch',
  });
  while ((await send(demo, 'GET', `/appliance/api/runs/${id}`)).sent === 0) await Bun.sleep(1);
  await local.server.kill9();
  running.delete(local.server);
  local = await start('aqui');
  const client = await signIn(local.url, 'demo');
  for (;;) {
    const progress = await send(client, 'GET', `/appliance/api/runs/${id}`);
    if (['queued', 'running'].includes(progress.state)) {
      await Bun.sleep(5);
      continue;
    }
    expect(progress).toMatchObject({ state: 'done', total: MANY, sent: MANY, refused: 0, skipped: 0 });
    const job = await send(client, 'GET', `/appliance/api/imports/${progress.imports[0]}`);
    expect([progress.imports.length, job.created, job.failed]).toEqual([1, MANY, 0]);
    break;
  }
  const list = await send(client, 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
  expect(new Set(list.map(({ denominacao }: { denominacao: string }) => denominacao)).size).toBe(MANY);
  expect(list).toHaveLength(MANY);
  const again = await signIn(local.url, 'admin');
  await send(again, 'POST', '/appliance/api/clock', { advance: 'PT2M' });
  await send(client, 'POST', '/appliance/api/remotes/la/comparisons', { cpfCnpjRaiz: COMPANY });
  expect((await endedComparison(client)).counts.produto).toEqual({ igual: MANY });
});

test('the job compares by its name on the command line, with its exit code, and at the time of remoto.horario', async () => {
  const remote = await start('la');
  const local = await start('aqui', '--set', 'remoto.horario=09:30');
  const [admin, demo] = [await signIn(local.url, 'admin'), await signIn(local.url, 'demo')];
  const job = ['job', 'run', 'remotos', '--data', join(folder, 'aqui')];
  expect(run(...job)).toMatchObject({ exitCode: 0, stdout: '{"comparisons":0}\n' });
  await send(admin, 'POST', '/appliance/api/remotes', REMOTE(remote.url));
  expect(run(...job)).toMatchObject({ exitCode: 0, stdout: '{"comparisons":1}\n' });
  expect(await endedComparison(demo)).toMatchObject({ state: 'done', counts: { produto: {} } });
  const remoteClient = await signIn(remote.url, 'demo');
  await send(remoteClient, 'POST', PRODUCTS, {
    denominacao: 'Só lá',
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  });
  await send(admin, 'POST', '/appliance/api/clock', { set: '2026-01-15T12:32:00Z' });
  const events = await send(
    await signIn(local.url, 'admin'),
    'GET',
    '/appliance/api/events?evento=catp-remoto-divergente',
  );
  expect(events.map(({ conteudo }: { conteudo: object }) => conteudo)).toMatchObject([
    { cpfCnpjRaiz: COMPANY, remoto: 'la', contagens: { produto: { soLa: 1 } } },
  ]);
  await remote.server.kill9();
  running.delete(remote.server);
  const at = await signIn(local.url, 'admin');
  await send(at, 'PUT', '/appliance/api/remotes/la', { downtime: '00:00-23:59' });
  const failedRun = run(...job);
  expect(failedRun.exitCode).toBe(1);
  expect(failedRun.stderr).toContain('la, 12345678: ');
});
