/**
 * SIGTERM: stop accepting, finish accepted work, exit 0 within 5 s (contract section 13), during any work.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderMarks, MADE_BY_DEV } from '../../src/db/folder-mark.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { openApp } from '../support/app.ts';
import { STOPPED_WITHIN_MS } from '../../scripts/proof/server.ts';
import { type RunningCatp, startCatp } from '../support/executable.ts';
import { tokensOf } from './support.ts';

/** Number of products whose list exceeds the buffers of a connection. */
const PRODUCTS = 50_000;

let filledFolder: string;
const folders: string[] = [];
const running: RunningCatp[] = [];
const servers: Server[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  const app = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
  filledFolder = app.folder;
  const { db, writer } = app.app.core;
  fillProducts(db, PRODUCTS);
  await writer.write(() => new FolderMarks(db).put(MADE_BY_DEV, 'true'));
  await app.close({ keepFolder: true });
});

afterAll(async () => {
  await Promise.all(running.map((catp) => catp.kill9()));
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  for (const folder of [filledFolder, ...folders]) rmSync(folder, { recursive: true, force: true });
});

interface Instance {
  readonly catp: RunningCatp;
  readonly folder: string;
  readonly headers: Record<string, string>;
}

/** Starts an instance on a copy of the filled folder; deliveries to `erp.exemplo` go to `port`. */
async function start(folder: string, port = 1): Promise<Instance> {
  const flags = ['--data', folder, '--map', `erp.exemplo:443=127.0.0.1:${port}`];
  const catp = await startCatp(['dev', '--port', '0', ...flags], { cwd: folder });
  running.push(catp);
  return { catp, folder, headers: (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string> };
}

function copyOfFilled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catp-stop-'));
  folders.push(folder);
  cpSync(filledFolder, folder, { recursive: true });
  return folder;
}

/** Requests a list, reads its beginning, and then stops reading. */
async function stalledList({ catp, headers }: Instance): Promise<void> {
  const { hostname, port } = new URL(catp.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined); // the server closes the connection at its end
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `GET /catp/api/ext/produto?cpfCnpjRaiz=12345678 HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('')}\r\n`,
  );
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.pause();
}

/** Opens a receiver that accepts connections and never answers. */
async function silentReceiver(): Promise<{ port: number; called: Promise<void> }> {
  const called = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    called.resolve();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, called: called.promise };
}

async function call(
  { catp, headers }: Instance,
  method: string,
  path: string,
  body: BodyInit,
): Promise<unknown> {
  const response = await fetch(`${catp.url}${path}`, { method, headers, body });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function runningImport(instance: Instance): Promise<number> {
  const items = Array.from({ length: 40_000 }, (_, index) => ({
    seq: 1,
    cpfCnpjRaiz: '87654321',
    denominacao: `Importado ${index}`,
    ncm: '39269090',
    modalidade: 'IMPORTACAO',
  }));
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new Blob([JSON.stringify(items)]), 'produtos.json');
  const { id } = (await call(instance, 'POST', '/appliance/api/imports', form)) as { id: number };
  for (;;) {
    const { state, processed } = await importJob(instance, id);
    if (state === 'running' && processed > 0) return id;
    if (state !== 'queued' && state !== 'running') throw new Error(`The import is ${state} already.`);
    await Bun.sleep(5);
  }
}

async function importJob(
  { catp, headers }: Instance,
  id: number,
): Promise<{ state: string; processed: number; created: number; failed: number }> {
  const response = await fetch(`${catp.url}/appliance/api/imports/${id}`, { headers });
  return (await response.json()) as { state: string; processed: number; created: number; failed: number };
}

async function hangingDelivery(instance: Instance, called: Promise<void>): Promise<void> {
  const subscription = { evento: 'catp-prod-alterado', endpoint: 'https://erp.exemplo/n' };
  await call(instance, 'POST', '/portal/api/ext/webhook', JSON.stringify(subscription));
  const product = { denominacao: 'Novo', modalidade: 'IMPORTACAO', ncm: '39269090' };
  await call(instance, 'POST', '/catp/api/ext/produto/87654321', JSON.stringify(product));
  await called;
}

/** Stops the instance. `inTime`: it ended within 5 s. */
async function stopInstance({ catp }: Instance): Promise<{ code: number; inTime: boolean; stderr: string }> {
  const startMs = performance.now();
  const code = await catp.stop();
  return { code, inTime: performance.now() - startMs < STOPPED_WITHIN_MS, stderr: await catp.allStderr() };
}

describe('SIGTERM ends the server with 0 within 5 s', () => {
  test('during a list whose reader stopped reading', async () => {
    const instance = await start(copyOfFilled());
    await stalledList(instance);
    expect(await stopInstance(instance)).toMatchObject({ code: 0, inTime: true });
  });

  test('during a stalled list, a hanging delivery and an import at once; the import continues at the next start', async () => {
    const receiver = await silentReceiver();
    const instance = await start(copyOfFilled(), receiver.port);
    await hangingDelivery(instance, receiver.called);
    await stalledList(instance);
    const id = await runningImport(instance);
    expect(await stopInstance(instance)).toMatchObject({ code: 0, inTime: true });

    const restarted = await start(instance.folder);
    const before = await importJob(restarted, id);
    expect(['queued', 'running']).toContain(before.state);
    let job = before;
    while (job.state === 'queued' || job.state === 'running') {
      await Bun.sleep(20);
      job = await importJob(restarted, id);
    }
    expect(job).toMatchObject({ state: 'done', created: 40_000, failed: 0 });
    expect(await stopInstance(restarted)).toMatchObject({ code: 0, inTime: true });
  });
});
