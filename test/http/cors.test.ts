/** Callers from other origins (contract section 2). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';

const HERE = 'https://erp.exemplo';
const ELSEWHERE = 'https://outro.exemplo';
const LIST = '/catp/api/ext/produto';
const SIGN_IN = '/portal/api/autenticar/chave-acesso';
const EXPOSED = 'Set-Token, X-CSRF-Token, X-CSRF-Expiration';

const corsHeaders = ({ headers }: Reply): unknown => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-expose-headers'),
];
const NOTHING = [null, null];

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ settings: { 'cors.origens': `${HERE}, https://terceiro.exemplo` } });
  demo = await server.as('demo');
});
afterAll(() => server.close());

describe('an allowed origin', () => {
  test('gets its header with every answer, also with refusals', async () => {
    const origin = { origin: HERE };
    const answers: readonly (readonly [number, Reply])[] = [
      [204, await demo.call('GET', `${LIST}?cpfCnpjRaiz=12345678`, undefined, origin)],
      [400, await demo.call('GET', LIST, undefined, origin)],
      [401, await server.anybody.call('GET', LIST, undefined, origin)],
      [403, await demo.call('GET', `${LIST}?cpfCnpjRaiz=11222333`, undefined, origin)],
      [404, await demo.call('GET', '/catp/api/ext/nada', undefined, origin)],
      [405, await demo.call('DELETE', LIST, undefined, origin)],
      [422, await server.anybody.call('POST', SIGN_IN, undefined, origin)],
    ];
    for (const [status, reply] of answers)
      expect([reply.status, corsHeaders(reply)]).toEqual([status, [HERE, EXPOSED]]);
  });

  test('can send the headers that its browser requests, next to the usual ones', async () => {
    const preflightOf = (headers: Record<string, string>): Promise<Reply> =>
      server.anybody.call('OPTIONS', LIST, undefined, {
        origin: HERE,
        'access-control-request-method': 'POST',
        ...headers,
      });
    const plain = await preflightOf({});
    expect([plain.status, corsHeaders(plain), plain.headers.get('access-control-allow-methods')]).toEqual([
      204,
      [HERE, EXPOSED],
      'GET, HEAD, POST',
    ]);
    const allowed = (reply: Reply): string[] =>
      (reply.headers.get('access-control-allow-headers') ?? '').split(', ');
    expect(allowed(plain)).toEqual(
      expect.arrayContaining([
        'Authorization',
        'X-CSRF-Token',
        'Content-Type',
        'Role-Type',
        'Client-Id',
        'Idempotency-Key',
      ]),
    );
    const otherPreflight = await preflightOf({
      'access-control-request-headers': 'authorization,cache-control, x-requested-with , b<a>d',
    });
    expect(allowed(otherPreflight)).toEqual([...allowed(plain), 'cache-control', 'x-requested-with']);
  });
});

test.each([
  ['another origin', ELSEWHERE],
  ['one that only begins so', `${HERE}.outro`],
  ['no origin', undefined],
  ['none at all', 'null'],
])('%s gets no header, and its preflight is a method like any other', async (_, origin) => {
  const headers = origin === undefined ? {} : { origin };
  const list = await demo.call('GET', `${LIST}?cpfCnpjRaiz=12345678`, undefined, headers);
  const preflight = await server.anybody.call('OPTIONS', LIST, undefined, headers);
  expect([list.status, corsHeaders(list), preflight.status, corsHeaders(preflight)]).toEqual([
    204,
    NOTHING,
    405,
    NOTHING,
  ]);
});

test('no origin is allowed without the setting', async () => {
  const closed = await openApp();
  const reply = await closed.anybody.call('OPTIONS', LIST, undefined, { origin: HERE });
  expect([reply.status, corsHeaders(reply)]).toEqual([405, NOTHING]);
  await closed.close();
});

describe('the operations of catp', () => {
  const admitted = async (origins: string, origin: string, path: string): Promise<boolean> => {
    const one = await openApp({ settings: { 'cors.origens': origins } });
    const [before, answer] = [
      await one.anybody.call('OPTIONS', path, undefined, { origin }),
      await one.anybody.call('GET', path, undefined, { origin }),
    ];
    await one.close();
    const isTold = ({ headers }: Reply): boolean => headers.get('access-control-allow-origin') === origin;
    expect([path, isTold(answer)]).toEqual([path, isTold(before) && answers(path)]);
    return isTold(before);
  };
  const OURS = '/appliance/api/me';
  /** A browser navigates to a page: only its preflight names origins. */
  const answers = (path: string): boolean => !PAGES.includes(path);
  const PAGES = ['/', '/docs', '/produtos', '/ajuda'];

  test.each([
    '/appliance/api/me',
    '//appliance//api/me',
    '/metrics',
    '/healthz',
    '/readyz',
    '/openapi.json',
    ...PAGES,
  ])('refuse any origin by *, and accept its name or this machine: %s', async (path) => {
    expect(await admitted('*', ELSEWHERE, path)).toBe(false);
    expect(await admitted(`*, ${HERE}`, HERE, path)).toBe(true);
    expect(await admitted('*', 'http://localhost:5173', path)).toBe(true);
  });

  test.each([
    LIST,
    '/portal/api/ext/evento',
    '/cadatributos/api/ext/atributo-ncm/39269090',
    '//catp/api/ext/produto',
  ])('do not include %s, which * opens to any origin', async (path) => {
    expect(await admitted('*', ELSEWHERE, path)).toBe(true);
  });

  test('exclude the others, which * opens except to null; null must be named', async () => {
    expect(await admitted('*', ELSEWHERE, LIST)).toBe(true);
    expect(await admitted('*', 'null', LIST)).toBe(false);
    expect(await admitted('*, null', 'null', LIST)).toBe(true);
  });

  test.each(['http://localhost', 'http://localhost:5173', 'https://127.0.0.1:8443', 'http://[::1]:3000'])(
    'local allows %s',
    async (origin) => {
      expect([await admitted('local', origin, OURS), await admitted('local', origin, LIST)]).toEqual([
        true,
        true,
      ]);
    },
  );

  test.each([
    'http://localhost.exemplo',
    'http://127.0.0.1.exemplo',
    'https://erp.exemplo',
    'null',
    'localhost',
  ])('local refuses %s', async (origin) => {
    expect([await admitted('local', origin, OURS), await admitted('local', origin, LIST)]).toEqual([
      false,
      false,
    ]);
  });
});
