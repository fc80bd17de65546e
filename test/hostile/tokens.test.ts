/** Forged tokens: none of them is accepted, with any algorithm. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestApp, openApp } from '../support/app.ts';

const SECRETS = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
const PATH = '/appliance/api/session';

let server: TestApp;
let token: string;
let csrf: string;
beforeAll(async () => {
  server = await openApp();
  const { headers } = await server.anybody.call(
    'POST',
    '/portal/api/autenticar/chave-acesso',
    undefined,
    SECRETS,
  );
  token = headers.get('set-token') ?? '';
  csrf = headers.get('x-csrf-token') ?? '';
});
afterAll(() => server.close());

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
/** Returns the claims of an administrator's token. */
const promoted = (): string => encoded({ ...claims(), sub: '00000000515' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

function signed(header: object, payload: string, sign: (text: string) => string): string {
  const text = `${encoded(header)}.${payload}`;
  return `${text}.${sign(text)}`;
}

const hmac = (algorithm: string, key: string | Uint8Array) => (text: string) =>
  createHmac(algorithm, key).update(text).digest('base64url');
const keyOfTheServer = (): Uint8Array => server.app.core.folder.keys.tokens;

const FORGED: readonly (readonly [string, () => string])[] = [
  ['no algorithm', () => signed({ alg: 'none', typ: 'JWT' }, promoted(), () => '')],
  ['no algorithm, in capitals', () => signed({ alg: 'NONE' }, promoted(), () => '')],
  [
    'no algorithm, and the old signature',
    () => signed({ alg: 'none' }, promoted(), () => token.split('.')[2] ?? ''),
  ],
  [
    'RS256, by a key of its own',
    () =>
      signed({ alg: 'RS256' }, promoted(), (text) =>
        createSign('RSA-SHA256').update(text).sign(rsa.privateKey).toString('base64url'),
      ),
  ],
  [
    'RS256, its key in the header',
    () =>
      signed({ alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) }, promoted(), (text) =>
        createSign('RSA-SHA256').update(text).sign(rsa.privateKey).toString('base64url'),
      ),
  ],
  ['HS256, by a public key', () => signed({ alg: 'HS256' }, promoted(), hmac('sha256', publicPem))],
  ['HS256, by an empty key', () => signed({ alg: 'HS256' }, promoted(), hmac('sha256', ''))],
  ['HS256, by another key', () => signed({ alg: 'HS256' }, promoted(), hmac('sha256', 'x'.repeat(32)))],
  ['HS512, by the right key', () => signed({ alg: 'HS512' }, promoted(), hmac('sha512', keyOfTheServer()))],
  [
    'other claims under the old signature',
    () => [token.split('.')[0], promoted(), token.split('.')[2]].join('.'),
  ],
  [
    'a critical extension, by the right key',
    () => signed({ alg: 'HS256', crit: ['b64'], b64: false }, promoted(), hmac('sha256', keyOfTheServer())),
  ],
  [
    'no expiration, by the right key',
    () => {
      const { exp: _none, ...rest } = claims();
      return signed({ alg: 'HS256' }, encoded(rest), hmac('sha256', keyOfTheServer()));
    },
  ],
  [
    'another environment, by the right key',
    () =>
      signed(
        { alg: 'HS256' },
        encoded({ ...claims(), ambiente: 'producao' }),
        hmac('sha256', keyOfTheServer()),
      ),
  ],
  ['a signature cut short', () => token.slice(0, -1)],
  ['no signature', () => token.split('.').slice(0, 2).join('.')],
  ['five parts', () => `${token}.x.y`],
  ['megabytes of dots', () => '.'.repeat(50_000)],
];

test('the token and the key of the server have the form that these tests assume', async () => {
  const own = signed({ alg: 'HS256', typ: 'JWT' }, encoded(claims()), hmac('sha256', keyOfTheServer()));
  for (const authorization of [token, own])
    expect(
      (await server.anybody.call('GET', PATH, undefined, { authorization, 'x-csrf-token': csrf })).status,
    ).toBe(200);
  expect(readFileSync(join(server.folder, 'catp.key')).length).toBeGreaterThan(0);
});

test.each(FORGED)('a token with %s is refused', async (_what, forge) => {
  const authorization = forge();
  const reply = await server.anybody.call('GET', PATH, undefined, { authorization, 'x-csrf-token': csrf });
  expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0201']);
  expect(reply.headers.get('x-csrf-token')).toBeNull();
});

test('a CSRF token that is changed at any place, or postponed, is refused', async () => {
  const [until = '', ...rest] = csrf.split('.');
  const later = [(Number.parseInt(until, 36) + 3_600_000).toString(36), ...rest].join('.');
  const forged = [
    later,
    csrf.slice(0, -1),
    `${csrf}x`,
    csrf.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
    '.',
    '..',
  ];
  for (const one of forged) {
    const reply = await server.anybody.call('GET', PATH, undefined, {
      authorization: token,
      'x-csrf-token': one,
    });
    expect([one, reply.status, reply.json.code]).toEqual([one, 401, 'PUCX-ER0202']);
  }
});
