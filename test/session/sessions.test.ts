/** Sessions that end before their time (contract section 2). */
import { afterEach, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/clock.ts';
import { certificateOpener, jtiOf } from '../../src/session/registry.ts';
import { instanceNameOf } from '../../src/session/secrets.ts';
import { type Client, type OpenAppOptions, type TestApp, openApp } from '../support/app.ts';

const SESSION = '/appliance/api/session';
const DEMO = '00000000191';
const sessionsOf = (documento: string): string => `/appliance/api/users/${documento}/sessions`;

let opened: TestApp | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (options?: OpenAppOptions): Promise<TestApp> => (opened = await openApp(options));

const statusOf = async (client: Client): Promise<number> => (await client.call('GET', SESSION)).status;

async function tokensOf({ anybody }: TestApp): Promise<Record<string, string>> {
  const secrets = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const { headers } = await anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, secrets);
  return {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
}

test('whoever ends a session ends that one alone, also after a restart', async () => {
  const server = await open();
  const [mine, other] = [await tokensOf(server), await tokensOf(server)];
  const ask = async ({ anybody }: TestApp, method: string, headers: Record<string, string>) =>
    (await anybody.call(method, SESSION, undefined, headers)).status;
  expect(await ask(server, 'DELETE', { ...mine, authorization: `Bearer ${mine.authorization}` })).toBe(204);
  const after = await server.anybody.call('GET', SESSION, undefined, mine);
  expect([after.status, after.json.code]).toEqual([401, 'PUCX-ER0201']);
  expect(await ask(server, 'DELETE', mine)).toBe(401);
  expect(await ask(server, 'GET', other)).toBe(200);
  await server.close({ keepFolder: true });
  const again = await open({ folder: server.folder, clock: server.clock });
  expect([await ask(again, 'GET', mine), await ask(again, 'GET', other)]).toEqual([401, 200]);
});

test('an administrator ends all sessions of a user and nobody else’s; one begun in the same moment is good', async () => {
  const server = await open();
  const [admin, demo, second, stranger] = await Promise.all([
    server.as('admin'),
    server.as('demo'),
    server.as('demo'),
    server.as('estranho'),
  ]);
  expect((await demo.call('DELETE', sessionsOf(DEMO))).status).toBe(403);
  expect((await admin.call('DELETE', sessionsOf('52998224725'))).status).toBe(404);
  expect(await statusOf(demo)).toBe(200);
  expect((await admin.call('DELETE', sessionsOf(DEMO))).status).toBe(204);
  for (const [client, status] of [
    [demo, 401],
    [second, 401],
    [stranger, 200],
    [admin, 200],
    [await server.as('demo'), 200],
  ] as const)
    expect(await statusOf(client)).toBe(status);
  const [entry] = (await admin.call('GET', '/appliance/api/audit?limit=1')).json.items;
  expect(entry).toMatchObject({ action: 'ENCERRAMENTO', subject: `usuario ${DEMO}`, actor: '00000000515' });
});

test('sessions are ended again and again, also where the clock was put back in between', async () => {
  const server = await open();
  const admin = await server.as('admin');
  const end = async (): Promise<number> => (await admin.call('DELETE', sessionsOf(DEMO))).status;
  expect(await end()).toBe(204);
  server.clock.moveTo(server.clock.now() - MINUTE_MS);
  const demo = await server.as('demo');
  expect(await statusOf(demo)).toBe(200);
  expect(await end()).toBe(204);
  expect(await statusOf(demo)).toBe(401);
  expect(await statusOf(await server.as('demo'))).toBe(200);
});

test('what ended is forgotten once no session of its time can be left', async () => {
  const server = await open();
  const ends = (): unknown => server.app.core.db.prepare('SELECT count(*) FROM ended_session').pluck().get();
  for (const wait of [0, 60 * MINUTE_MS, 1]) {
    server.clock.moveTo(server.clock.now() + wait);
    await (await server.as('demo')).call('DELETE', SESSION);
  }
  expect(ends()).toBe(2);
});

test('a session that another instance opened is taken, but no administrator’s', async () => {
  const { app, clock } = await open();
  const { registry, accounts } = app.core.session;
  const instance = instanceNameOf(app.core.folder.keys.secrets);
  const find = (documento: string, by: string) =>
    registry.find({
      ...{
        documento,
        nome: '',
        perfil: 'IMPEXP',
        tipo: 'PRIV',
        ambiente: 'validacao',
        expiresAt: clock.now(),
      },
      jti: jtiOf(certificateOpener('0A1B'), by, documento, clock.now()),
    });
  expect(find(DEMO, 'outra')).toMatchObject({ documento: DEMO, key: '0A1B' });
  expect(find('00000000515', 'outra')).toBeUndefined();
  expect(find('00000000515', instance)).toMatchObject({ administrador: true });
  await accounts.endSessionsOf(DEMO, 'teste');
  expect(find(DEMO, 'outra')).toBeUndefined();
});
