/** Two executables: one sends to the other, and either gets kill -9 meanwhile (contract section 18, Send). */
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
const CLOCK = ['--clock', '2026-01-15T12:00:00Z'] as const;
const NAMES = Array.from({ length: 40 }, (_, index) => `Produto ${String(index).padStart(2, '0')}`);

let folder: string;
let executable: string;
const running = new Set<Server>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catp-send-'));
  executable = await builtExecutable();
});
afterEach(async () => {
  for (const server of running) await server.kill9();
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, ...flags: readonly string[]) {
  const server = startServer({ executable, data: join(folder, name), flags: [...CLOCK, ...flags] });
  running.add(server);
  const url = await server.ready;
  return { server, url, port: new URL(url).port };
}

async function kill(server: Server): Promise<void> {
  await server.kill9();
  running.delete(server);
}

async function send(client: Client, method: string, path: string, body?: object) {
  const answer = await client.call(method, path, body);
  if (answer === undefined || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.text}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
  return answer.body as any;
}

test.each(['ours', 'theirs'] as const)(
  'kill -9 of %s during a send duplicates and loses no record',
  async (side) => {
    let remote = await start('la', '--perfil', 'portal');
    let local = await start('aqui');
    const [admin, demo] = [await signIn(local.url, 'admin'), await signIn(local.url, 'demo')];
    for (const denominacao of NAMES)
      await send(demo, 'POST', PRODUCTS, { denominacao, modalidade: 'IMPORTACAO', ncm: '39269090' });
    const connection = { url: remote.url, clientId: 'demo', clientSecret: 'demo' };
    await send(admin, 'POST', '/appliance/api/remotes', { name: 'la', companies: [COMPANY], ...connection });
    const order = { cpfCnpjRaiz: COMPANY };
    const compare = async (client: Client) => {
      const { id } = await send(client, 'POST', '/appliance/api/remotes/la/comparisons', order);
      for (;;) {
        const comparison = await send(client, 'GET', `/appliance/api/comparisons/${id}`);
        if (!['queued', 'running'].includes(comparison.state)) return comparison;
        await Bun.sleep(10);
      }
    };
    const { id: comparison } = await compare(demo);
    const { id } = await send(demo, 'POST', `/appliance/api/comparisons/${comparison}/runs`, {
      direction: 'send',
    });
    while ((await send(demo, 'GET', `/appliance/api/runs/${id}`)).sent < 5) await Bun.sleep(1);
    if (side === 'ours') {
      await kill(local.server);
      local = await start('aqui');
    } else {
      await kill(remote.server);
      remote = await start('la', '--perfil', 'portal', '--port', remote.port);
    }
    const clockOf = (urlOf: () => string) => {
      let adminClient: Client | undefined;
      return async (body: object): Promise<void> => {
        adminClient ??= await signIn(urlOf(), 'admin');
        const reply = await adminClient.call('POST', '/appliance/api/clock', body);
        if (reply?.status === 200) return;
        adminClient = await signIn(urlOf(), 'admin'); // its session has ended
        await send(adminClient, 'POST', '/appliance/api/clock', body);
      };
    };
    const [moveLocal, moveRemote] = [clockOf(() => local.url), clockOf(() => remote.url)];
    let movedTo: string | undefined;
    const client = await signIn(local.url, 'demo');
    for (let turns = 0; ; turns += 1) {
      const run = await send(client, 'GET', `/appliance/api/runs/${id}`);
      if (run.state === 'done') {
        expect(run).toMatchObject({ total: NAMES.length, refused: 0, uncertain: 0, skipped: 0 });
        break;
      }
      if (turns > 3000) throw new Error(`It never ended: ${JSON.stringify(run)}`);
      if (run.state === 'resting') {
        // Both clocks are manual, and a second move to the same moment is refused.
        if (run.restsUntil === movedTo) await Bun.sleep(5);
        else for (const move of [moveLocal, moveRemote]) await move({ set: run.restsUntil });
        movedTo = run.restsUntil;
      } else await Bun.sleep(5);
    }
    // Each record exists once and nothing else: a duplicate would have the state soLa.
    const { state, counts } = await compare(client);
    expect([state, counts.produto]).toEqual(['done', { igual: NAMES.length }]);
  },
);
