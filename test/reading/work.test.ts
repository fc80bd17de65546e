/**
 * Work with a cost that its sender controls: a separate process, which ends by time, by memory and with
 * its client (section 16).
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { ownCommand } from '../../src/assembly/reading/read-dispatcher.ts';
import { COMPANY, SHEETS, csv, send, targetsIn } from '../catalogue/sheet/support.ts';
import { type Client, type TestApp, listenOver, openApp } from '../support/app.ts';
import { HandTime } from '../support/real-time.ts';
import { ENDLESS, WatchedProcesses, armed } from './support.ts';

const MIB = 2 ** 20;
const IMPORTS = '/appliance/api/imports';
const SHEET = csv([
  ['Denominação', 'NCM'],
  ['Parafuso', '73181500'],
]);

let server: TestApp;
let processes: WatchedProcesses;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await server.close();
  await processes.close();
});

async function open(command: readonly string[], settings: Record<string, string> = {}) {
  processes = new WatchedProcesses(command);
  const time = new HandTime();
  server = await openApp({
    // No other timeout has 30 seconds, so a timer of 30 seconds belongs to the preview.
    settings: { 'servidor.segundosCorpo': '3600', ...settings },
    parts: { processes, realTime: time },
  });
  return { time, ...(await clients()) };
}

async function clients() {
  const [demo, demo2, estranho] = [
    await server.as('demo'),
    await server.as('demo2'),
    await server.as('estranho'),
  ];
  return { demo, demo2, estranho };
}

/** Requests pages during the work, and expects their answers. */
async function expectAnswers(client: Client): Promise<void> {
  const paths = [
    '/healthz',
    `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`,
    `/catp/api/ext/produto/exportar/${COMPANY}/true`,
    `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`,
    `/appliance/api/search?cpfCnpjRaiz=${COMPANY}&text=para`,
  ];
  for (const path of paths)
    expect([path, (await client.call('GET', path)).status < 300]).toEqual([path, true]);
}

describe('a preview', () => {
  test('ends with its process after 30 seconds as a 422 with the reason; other requests are answered meanwhile', async () => {
    const { time, demo, demo2 } = await open(ENDLESS);
    const looked = send(demo, SHEET);
    await processes.until(() => processes.startedWork === 1);
    await armed(time);
    await expectAnswers(demo);
    await expectAnswers(demo2);
    time.pass(30 * SECOND_MS - 1);
    expect(processes.ended).toBe(0);
    time.pass(1);
    const { status, json } = await looked;
    expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1031']);
    expect(json.message).toContain('não terminou em 30 segundos');
    await processes.until(() => processes.ended === 1);
  });

  test('runs one at a time for a user: the next one waits 30 seconds, then gets 503 with Retry-After', async () => {
    const { time, demo } = await open(ENDLESS);
    const first = send(demo, SHEET);
    await processes.until(() => processes.startedWork === 1);
    await armed(time);
    const waiting = time.armed(30 * SECOND_MS);
    const second = send(demo, SHEET);
    await waiting;
    await expectAnswers(demo);
    time.pass(30 * SECOND_MS);
    const refused = await second;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.json.message).toContain('Este usuário já tem uma planilha em andamento');
    expect((await first).status).toBe(422);
  });

  test('runs two at a time for a company; the next one takes the slot of one that ends', async () => {
    const { time, demo, demo2 } = await open(ENDLESS);
    const third = { documento: '00000000353', cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' } as const;
    await server.app.core.session.accounts.putRepresentation(third);
    const estranho = await server.as('estranho');
    const looks = [send(demo, SHEET)];
    await armed(time);
    for (const client of [demo2, estranho]) {
      const waiting = time.armed(30 * SECOND_MS);
      looks.push(send(client, SHEET));
      await waiting;
    }
    time.pass(30 * SECOND_MS);
    const answers = await Promise.all(looks.toSpliced(1, 1));
    expect(answers.map(({ status }) => status)).toEqual([422, 503]);
    expect(answers[1]?.json.message).toContain(`A empresa ${COMPANY} já tem 2 planilhas em andamento`);
  });

  test('ends when its client disconnects, over HTTP and while it waits; nothing of it remains', async () => {
    const { time } = await open(ENDLESS);
    const { url, headers } = await listening('demo');
    const look = (): readonly [AbortController, Promise<unknown>] => {
      const leaving = new AbortController();
      const form = new FormData();
      form.set('file', new File([SHEET], 'planilha.csv'));
      const upload = fetch(`${url}${SHEETS}?cpfCnpjRaiz=${COMPANY}&tipo=produto`, {
        method: 'POST',
        headers,
        body: form,
        signal: leaving.signal,
      });
      return [leaving, upload.catch((error: Error) => error.name)];
    };
    const [leavesFirst, first] = look();
    await armed(time);
    const waiting = time.armed(30 * SECOND_MS);
    const [leavesSecond, second] = look();
    await waiting;
    leavesSecond.abort();
    expect(await second).toBe('AbortError');
    leavesFirst.abort();
    expect(await first).toBe('AbortError');
    await processes.until(() => processes.ended === 1);
    expect(processes.startedWork).toBe(1);
    while (readdirSync(join(server.folder, 'imports')).length > 0) await new Promise(setImmediate);
  });
});

describe('the rows of an import', () => {
  test('end after 2 minutes as a 422 with the reason, with their process; no import is queued', async () => {
    const { time, demo } = await open(ownCommand());
    const { id } = (await send(demo, SHEET)).json;
    processes.further = 1; // the preview that begins the import
    const { startedWork } = processes;
    const armedRows = time.armed(2 * MINUTE_MS);
    const started = demo.call('POST', IMPORTS, { sheet: id });
    await armedRows;
    expect(processes.startedWork).toBe(startedWork + 2);
    await expectAnswers(demo);
    const { ended } = processes;
    time.pass(2 * MINUTE_MS - 1);
    expect(processes.ended).toBe(ended);
    time.pass(1);
    const { status, json } = await started;
    expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1031']);
    expect(json.message).toContain('não terminou em 120 segundos');
    await processes.until(() => processes.ended === ended + 1);
    expect((await demo.call('GET', IMPORTS)).json).toEqual([]);
    expect(readdirSync(join(server.folder, 'imports'))).toHaveLength(1);
  });

  test('end with the right to the company, and nothing of them is queued', async () => {
    const { demo, demo2 } = await open(ownCommand());
    const { id } = (await send(demo, SHEET)).json;
    processes.further = 1;
    const { startedWork } = processes;
    const started = demo.call('POST', IMPORTS, { sheet: id });
    await processes.until(() => processes.startedWork === startedWork + 2);
    const right = { documento: '00000000191', cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
    const admin = await server.as('admin');
    expect((await admin.call('DELETE', '/appliance/api/representations', right)).status).toBe(204);
    expect((await started).status).toBe(403);
    expect((await demo2.call('GET', IMPORTS)).json).toEqual([]);
    expect(readdirSync(join(server.folder, 'imports'))).toHaveLength(1);
  });
});

describe('work that takes more memory than trabalho.memoria', () => {
  /** 30 MB of short cells, which take some hundred MB in memory. */
  const LARGE = `Denominação;NCM\n${`${'Parafuso sextavado;'.repeat(9)}73181500\n`.repeat(160_000)}`;

  test('ends as a 422 with the reason; the server and the next sheet continue', async () => {
    const { demo } = await open(ownCommand(), { 'trabalho.memoria': String(128 * MIB) });
    const { status, json } = await send(demo, LARGE);
    expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1031']);
    expect(json.message).toContain('pediu mais memória do que um trabalho pode usar (128 MiB)');
    await processes.until(() => processes.ended === 1);
    const next = await send(demo, SHEET);
    expect(targetsIn(next)).toEqual({ Denominação: 'denominacao', NCM: 'ncm' });
    await expectAnswers(demo);
  });

  test('is read with the default limit', async () => {
    const { demo } = await open(ownCommand());
    expect((await send(demo, LARGE)).status).toBe(201);
  });
});

test('a process that dies fails only that request', async () => {
  const { demo } = await open([process.execPath, '-e', 'process.on("message", () => process.exit(3))']);
  expect((await send(demo, SHEET)).status).toBe(500);
  await expectAnswers(demo);
});

/** Opens a socket for the server of the test. Returns a client that signed in over it. */
async function listening(key: string) {
  const listener = await listenOver('http', server.app);
  stops.push(() => listener.stop(0));
  const { url } = listener;
  const signedIn = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'client-id': key, 'client-secret': key, 'role-type': 'IMPEXP' },
  });
  const headers = {
    authorization: signedIn.headers.get('set-token') ?? '',
    'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
  };
  return { url, headers };
}
