/** Sessions that end before their time (contract section 2). */
import { afterEach, describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import { type Opener, PERSONAL_OPENERS, jtiOf, openingOf } from '../../src/session/registry.ts';
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

test('a sign-out ends only its own session, also after a restart', async () => {
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

test('an administrator ends all sessions of one user; a session that starts at the same moment is valid', async () => {
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

test('sessions can be ended repeatedly, also after the clock was put back', async () => {
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

test('ended sessions are forgotten once every session of their time has expired', async () => {
  const server = await open();
  const ends = (): unknown => server.app.core.db.prepare('SELECT count(*) FROM ended_session').pluck().get();
  for (const wait of [0, 12 * HOUR_MS, 1]) {
    server.clock.moveTo(server.clock.now() + wait);
    await (await server.as('demo')).call('DELETE', SESSION);
  }
  expect(ends()).toBe(2);
});

test('a session of another instance is accepted, except for administration', async () => {
  const { app, clock } = await open();
  const { registry, accounts } = app.core.session;
  const instance = instanceNameOf(app.core.folder.keys.secrets);
  const find = (documento: string, by: string) =>
    registry.find({
      documento,
      nome: '',
      perfil: 'IMPEXP',
      tipo: 'PRIV',
      ambiente: 'validacao',
      expiresAt: clock.now(),
      jti: jtiOf({ kind: 'certificate', name: '0A1B' }, by, documento, clock.now()),
    });
  expect(find(DEMO, 'outra')).toMatchObject({ documento: DEMO, key: '0A1B' });
  expect(find('00000000515', 'outra')).toBeUndefined();
  expect(find('00000000515', instance)).toMatchObject({ administrador: true });
  await accounts.endSessionsOf(DEMO, 'teste');
  expect(find(DEMO, 'outra')).toBeUndefined();
});

test.each<[Opener]>([
  [{ kind: 'key', name: 'demo' }],
  [{ kind: 'certificate', name: '0A1B' }],
  [PERSONAL_OPENERS.password],
  [PERSONAL_OPENERS.provider],
])('a session has its opener %j, and the audit gets its name', async (opener) => {
  const { app, clock } = await open();
  const jti = jtiOf(opener, instanceNameOf(app.core.folder.keys.secrets), 'x', clock.now());
  expect(openingOf(jti).opener).toEqual(opener);
  const claims = {
    documento: DEMO,
    nome: '',
    perfil: 'IMPEXP',
    tipo: 'PRIV',
    ambiente: 'validacao',
  } as const;
  const caller = app.core.session.registry.find({ ...claims, expiresAt: clock.now(), jti });
  expect(caller?.key).toBe(opener.name);
});

describe('a renewal', () => {
  const RENEW = '/appliance/api/session/renew';
  const pairOf = (headers: Headers): Record<string, string> => ({
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  });
  const renew = async (server: TestApp, tokens: Record<string, string>) => {
    const answer = await server.anybody.call('POST', RENEW, undefined, tokens);
    return { answer, tokens: pairOf(answer.headers) };
  };
  const isGood = async (server: TestApp, tokens: Record<string, string>): Promise<boolean> =>
    (await server.anybody.call('GET', SESSION, undefined, tokens)).status === 200;
  const claimsIn = (jwt = ''): { jti: string; exp: number } =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());

  test('requires both tokens', async () => {
    const server = await open();
    expect((await server.anybody.call('POST', RENEW)).status).toBe(401);
    const { authorization = '' } = await tokensOf(server);
    expect((await server.anybody.call('POST', RENEW, undefined, { authorization })).status).toBe(401);
  });

  test('extends the same session by an hour, up to 12 h after the sign-in', async () => {
    const server = await open();
    const began = server.clock.now();
    let tokens = await tokensOf(server);
    const { jti } = claimsIn(tokens['authorization']);
    for (let hours = 0; hours < 11; hours += 1) {
      server.clock.moveTo(server.clock.now() + 59 * MINUTE_MS);
      const renewed = await renew(server, tokens);
      expect(renewed.answer.status).toBe(200);
      expect(renewed.answer.json).toEqual({ token: renewed.tokens['x-csrf-token'] });
      expect(claimsIn(renewed.tokens['authorization']).jti).toBe(jti);
      expect(await isGood(server, tokens)).toBe(true);
      tokens = renewed.tokens;
    }
    server.clock.moveTo(began + 11.5 * HOUR_MS);
    const last = await renew(server, tokens);
    expect(claimsIn(last.tokens['authorization']).exp * 1000).toBe(began + 12 * HOUR_MS);
    server.clock.moveTo(began + 12 * HOUR_MS - 1000);
    expect(await isGood(server, last.tokens)).toBe(true);
    server.clock.moveTo(began + 12 * HOUR_MS);
    expect(await isGood(server, last.tokens)).toBe(false);
    expect((await renew(server, last.tokens)).answer.status).toBe(401);
  });

  test('belongs to its session, whose end revokes all tokens', async () => {
    const server = await open();
    const first = await tokensOf(server);
    const { tokens: second } = await renew(server, first);
    expect((await server.anybody.call('DELETE', SESSION, undefined, second)).status).toBe(204);
    expect([await isGood(server, first), await isGood(server, second)]).toEqual([false, false]);
  });

  test('ends with the key', async () => {
    const server = await open();
    const admin = await server.as('admin');
    const expiresAt = new Date(server.clock.now() + 70 * MINUTE_MS).toISOString();
    const { json: key } = await admin.call('POST', '/appliance/api/keys', { documento: DEMO, expiresAt });
    const secrets = { 'client-id': key.clientId, 'client-secret': key.clientSecret, 'role-type': 'IMPEXP' };
    const { headers } = await server.anybody.call(
      'POST',
      '/portal/api/autenticar/chave-acesso',
      undefined,
      secrets,
    );
    server.clock.moveTo(server.clock.now() + 40 * MINUTE_MS);
    const { tokens } = await renew(server, pairOf(headers));
    expect(new Date(claimsIn(tokens['authorization']).exp * 1000).toISOString()).toBe(expiresAt);
  });

  test('does not count as a sign-in for the interval between two', async () => {
    const server = await open({ settings: { 'autenticacao.intervalo': '60s' } });
    const tokens = await tokensOf(server);
    expect((await renew(server, tokens)).answer.status).toBe(200);
  });
});

test('of a page follows real time, with any test clock', async () => {
  const server = await open();
  const secrets = {
    'client-id': 'demo',
    'client-secret': 'demo',
    'role-type': 'IMPEXP',
    'x-sessao': 'pagina',
  };
  const { headers } = await server.anybody.call(
    'POST',
    '/portal/api/autenticar/chave-acesso',
    undefined,
    secrets,
  );
  const tokens = {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
  const program = await tokensOf(server);
  for (const days of [30, -60]) {
    server.clock.moveTo(server.clock.now() + days * DAY_MS);
    const statuses = [];
    for (const one of [tokens, program])
      statuses.push((await server.anybody.call('GET', SESSION, undefined, one)).status);
    expect(statuses).toEqual([200, days > 0 ? 401 : 200]);
  }
  const remainingMs = Number(headers.get('x-csrf-expiration')) - Date.now();
  expect(remainingMs).toBeGreaterThan(59 * MINUTE_MS);
  expect(remainingMs).toBeLessThanOrEqual(60 * MINUTE_MS);
});
