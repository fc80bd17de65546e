/** A right that ends also ends the reads that run or wait because of it (contract section 16, "A right ends everywhere at once"). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND_MS } from '../../src/clock.ts';
import { ownCommand } from '../../src/assembly/reading/read-dispatcher.ts';
import { COMPANY, csv, send } from '../catalogue/sheet/support.ts';
import { NOMENCLATURE, nomenclatureFile } from '../nomenclature/support.ts';
import { compare } from '../remote/support.ts';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { HandTime } from '../support/real-time.ts';
import { WatchedProcesses, armed } from './support.ts';

const DEMO = '00000000191';
const SHEET = csv([
  ['Denominação', 'NCM'],
  ['Parafuso', '73181500'],
]);

let server: TestApp;
let processes: WatchedProcesses;
let time: HandTime;
let demo: Client;
let colleague: Client;
let admin: Client;

beforeEach(async () => {
  processes = new WatchedProcesses(ownCommand());
  time = new HandTime();
  server = await openApp({
    settings: { 'servidor.segundosCorpo': '3600' },
    parts: { processes, realTime: time },
  });
  [demo, colleague, admin] = [await server.as('demo'), await server.as('demo2'), await server.as('admin')];
});

afterEach(async () => {
  await server.close();
  await processes.close();
});

async function remove(path: string, body?: object): Promise<void> {
  expect((await admin.call('DELETE', path, body)).status).toBe(204);
}

const endRepresentation = (): Promise<void> =>
  remove('/appliance/api/representations', { documento: DEMO, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' });

/** Starts work that never ends on its own. Resolves once its process has it. */
async function begin(ask: () => Promise<Reply>): Promise<() => Promise<Reply>> {
  processes.further = 0;
  const { startedWork } = processes;
  const answer = ask();
  await processes.until(() => processes.startedWork > startedWork);
  return () => answer;
}

/** Starts work after other work. Resolves once it runs, or waits for its slot or its turn. */
async function queue(ask: () => Promise<Reply>): Promise<() => Promise<Reply>> {
  processes.further = 0;
  const waiting = time.armed(30 * SECOND_MS);
  const answer = ask();
  await waiting;
  return () => answer;
}

const uploads = (): string[] => readdirSync(join(server.folder, 'imports'));

describe('a preview of a sheet', () => {
  test.each([
    ['the representation', endRepresentation, 403],
    ['the user', () => remove(`/appliance/api/users/${DEMO}`), 401],
    ['the sessions of the user', () => remove(`/appliance/api/users/${DEMO}/sessions`), 401],
    ['the key', () => remove('/appliance/api/keys/demo'), 401],
  ] as const)('ends with %s: its refusal, no process, no sheet', async (_, end, status) => {
    const answer = await begin(() => send(demo, SHEET));
    await armed(time);
    await end();
    const { json, ...refused } = await answer();
    const words = status === 401 ? 'encerrada' : `deixou de representar ${COMPANY} enquanto`;
    expect([refused.status, json.message]).toEqual([status, expect.stringContaining(words)]);
    await processes.until(() => processes.ended === 1);
    expect(uploads()).toEqual([]);
  });

  test('names the lost company if it is another one than its own', async () => {
    const answer = await begin(() => send(demo, SHEET));
    await armed(time);
    const cpfCnpjRaiz = '87654321';
    await remove('/appliance/api/representations', { documento: DEMO, cpfCnpjRaiz, perfil: 'IMPEXP' });
    const { status, json } = await answer();
    expect([status, json.message]).toEqual([
      403,
      'O usuário logado deixou de representar 87654321 enquanto esta requisição era respondida; a resposta foi interrompida. Repita-a só se ela não depende disso; se depende, peça o direito a um administrador.',
    ]);
    await processes.until(() => processes.ended === 1);
  });

  test('ends also while it waits for its turn; that of a colleague continues', async () => {
    const others = await begin(() => send(colleague, SHEET));
    await armed(time);
    const queued = await queue(() => send(demo, SHEET));
    const queuedRead = await queue(() => send(demo, SHEET));
    await endRepresentation();
    expect((await queued()).status).toBe(403);
    expect((await queuedRead()).status).toBe(403);
    while (uploads().length > 1) await new Promise<void>((resolve) => setImmediate(resolve));
    time.pass(30 * SECOND_MS);
    expect((await others()).status).toBe(422);
  });

  test('of a sheet that is stored ends too', async () => {
    const { id } = (await send(demo, SHEET)).json;
    const again = await begin(() => demo.call('GET', `/appliance/api/sheets/${id}`));
    await endRepresentation();
    expect((await again()).status).toBe(403);
    await processes.until(() => processes.ended === 1);
    expect((await demo.call('GET', `/appliance/api/sheets/${id}`)).status).toBe(404);
  });
});

test('a read of a comparison ends with 403 after the loss of the representation, and with 404 after the removal of its remote', async () => {
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
  const { id } = await compare(server, demo, {});
  const path = `/appliance/api/comparisons/${id}/records.xlsx`;
  const own = await begin(() => demo.call('GET', path));
  await endRepresentation();
  expect((await own()).status).toBe(403);
  const others = await begin(() => colleague.call('GET', path));
  await remove('/appliance/api/remotes/portal');
  const { status, json } = await others();
  expect([status, json.message]).toEqual([404, expect.stringContaining('foi removido')]);
  await processes.until(() => processes.ended >= 2);
});

test('a nomenclature that an administrator loads ends when the administrator loses the right', async () => {
  const loading = await begin(() => admin.call('POST', NOMENCLATURE, nomenclatureFile([['01', 'Animais']])));
  const { accounts } = server.app.core.session;
  await accounts.putUser({ documento: DEMO, administrador: true });
  await accounts.putUser({ documento: '00000000515', administrador: false });
  const { status, json } = await loading();
  expect([status, json.message]).toEqual([403, expect.stringContaining('deixou de ser administrador')]);
  await processes.until(() => processes.ended === 1);
});
