/** A 401 names the received value that is no token (contract section 2). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { HOUR_MS, TestClock } from '../../src/clock.ts';
import { Tokens } from '../../src/session/tokens.ts';
import { wrongCsrf } from '../../src/session/wrong-token.ts';
import { type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

interface Pair {
  readonly jwt: string;
  readonly csrf: string;
}

let server: TestApp;
let otherServer: TestApp;
let ownTokens: Pair;
let older: Pair;
let theirs: Pair;
let expired: Pair;
let ended: Pair;

const signIn = async (app: TestApp): Promise<Pair> => {
  const { headers } = await app.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
    'client-id': 'demo',
    'client-secret': 'demo',
    'role-type': 'IMPEXP',
  });
  return { jwt: headers.get('set-token') ?? '', csrf: headers.get('x-csrf-token') ?? '' };
};
const ask = (headers: Record<string, string>, method = 'GET', path = PRODUCTS) =>
  server.anybody.call(method, path, undefined, headers);

beforeAll(async () => {
  [server, otherServer] = [await openApp({}), await openApp({})];
  expired = await signIn(server);
  server.clock.moveTo(server.clock.now() + HOUR_MS);
  otherServer.clock.moveTo(server.clock.now());
  [older, ended, theirs] = [await signIn(server), await signIn(server), await signIn(otherServer)];
  ownTokens = await signIn(server);
  await ask({ authorization: ended.jwt, 'x-csrf-token': ended.csrf }, 'DELETE', '/appliance/api/session');
});
afterAll(async () => {
  await server.close();
  await otherServer.close();
});

describe('Authorization', () => {
  const CASES: readonly (readonly [string, () => Record<string, string>, string])[] = [
    ['is absent', () => ({}), 'ausente; envie o valor de Set-Token'],
    [
      'is absent beside the cookie',
      () => ({ cookie: `a=b; JWTPCMX_USR=${ownTokens.jwt}` }),
      'cookie JWTPCMX_USR',
    ],
    ['is only a prefix', () => ({ authorization: 'Bearer ' }), 'ausente'],
    [
      'is the body token',
      () => ({ authorization: ownTokens.csrf, 'x-csrf-token': ownTokens.csrf }),
      'traz um X-CSRF-Token',
    ],
    [
      'is swapped',
      () => ({ authorization: ownTokens.csrf, 'x-csrf-token': ownTokens.jwt }),
      'vieram trocados',
    ],
    ['is no JWT', () => ({ authorization: 'Basic ZGVtbzpkZW1v' }), 'não traz um JWT'],
    ['is quoted', () => ({ authorization: `"${ownTokens.jwt}"` }), 'entre aspas ou colchetes'],
    ['is a list', () => ({ authorization: `['${ownTokens.jwt}']` }), 'entre aspas ou colchetes'],
    [
      'is quoted behind Bearer',
      () => ({ authorization: `Bearer <${ownTokens.jwt}>` }),
      'entre aspas ou colchetes',
    ],
    ['has two Bearer', () => ({ authorization: `Bearer Bearer ${ownTokens.jwt}` }), 'Bearer duas vezes'],
    ['is of another instance', () => ({ authorization: theirs.jwt }), 'autentique-se nesta instância'],
    [
      'is altered',
      () => ({ authorization: `${ownTokens.jwt.slice(0, -4)}AAAA` }),
      'não foi emitido por esta instância',
    ],
    ['has expired', () => ({ authorization: expired.jwt }), 'expirado; autentique-se de novo'],
    ['is of an ended session', () => ({ authorization: ended.jwt }), 'encerrada; autentique-se de novo'],
  ];

  test.each(CASES)('%s', async (_, headers, words) => {
    const { status, json } = await ask({ 'x-csrf-token': ownTokens.csrf, ...headers() });
    expect([status, json.code, json.field]).toEqual([401, 'PUCX-ER0201', 'Authorization']);
    expect(json.message).toContain(words);
    const isOver = /expirado|encerrada/.test(words);
    expect(json.message.includes('de novo')).toBe(isOver);
    for (const secret of [ownTokens.jwt, ownTokens.csrf]) expect(json.message).not.toContain(secret);
  });
});

describe('X-CSRF-Token', () => {
  const CASES: readonly (readonly [string, () => string | undefined, string])[] = [
    ['is absent', () => undefined, 'ausente'],
    ['is the Set-Token', () => ownTokens.jwt, 'traz o Set-Token'],
    ['is of an older session', () => older.csrf, 'de outra sessão'],
    ['is nothing of ours', () => 'abc', 'não é um X-CSRF-Token desta instância'],
  ];

  test.each(CASES)('%s', async (_, csrf, words) => {
    const value = csrf();
    const { status, json } = await ask({
      authorization: ownTokens.jwt,
      ...(value !== undefined && { 'x-csrf-token': value }),
    });
    expect([status, json.code, json.field]).toEqual([401, 'PUCX-ER0202', 'X-CSRF-Token']);
    expect(json.message).toContain(words);
  });

  test('an expired token is reported with CSRF and expirado in the message', () => {
    const clock = new TestClock(Date.UTC(2026, 0, 15));
    const tokens = new Tokens(new Uint8Array(32), 'validacao', clock);
    const { token } = tokens.newCsrf({ jti: 'a', expiresAt: clock.now() + HOUR_MS });
    clock.moveTo(clock.now() + HOUR_MS);
    const { message, options } = wrongCsrf(token, 'a', tokens);
    expect([options.code, message]).toEqual(['PUCX-ER0202', expect.stringMatching(/CSRF.*expirado/)]);
    expect(wrongCsrf(token, 'b', tokens).message).toContain('de outra sessão');
  });
});
