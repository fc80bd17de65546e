/**
 * The three deprecated batch operations announce their end with every answer, or do not exist (contract
 * section 4).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';

const BATCHES = [
  '/catp/api/ext/produto',
  '/catp/api/ext/operador-estrangeiro',
  '/catp/api/ext/fabricante',
] as const;

const announced = ({ headers }: Reply): unknown => [headers.get('deprecation'), headers.get('sunset')];
const TOLD = ['true', 'Thu, 01 Jan 2026 00:00:00 GMT'];
const NOT_TOLD = [null, null];

const TOO_LONG = ' '.repeat(2000);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(BATCHES)('POST %s', (path) => {
  let server: TestApp;
  let demo: Client;
  beforeAll(async () => {
    server = await openApp({
      settings: { 'corpo.maximo': '1024', limiteHorario: '4' },
    });
    demo = await server.as('demo');
  });
  afterAll(() => server.close());

  test('is announced as deprecated with every answer, also with refusals', async () => {
    const answers: readonly (readonly [number, Reply])[] = [
      [200, await demo.call('POST', path, [{ seq: 1 }])],
      [400, await demo.call('POST', path, '{')],
      [401, await server.anybody.call('POST', path, [])],
      [405, await server.anybody.call('DELETE', path)],
      [413, await demo.call('POST', path, TOO_LONG)],
      [415, await demo.call('POST', path, 'a=1', FORM)],
      [422, await demo.call('POST', path, [])], // the hourly limit
    ];
    for (const [status, reply] of answers)
      expect([status, reply.status, announced(reply)]).toEqual([status, status, TOLD]);
  });

  test('does not change the other operations of its path', async () => {
    const list = await demo.call('GET', `${path}?cpfCnpjRaiz=12345678`);
    // No list of links exists, so the path means only the batch.
    const expected = path.endsWith('/fabricante') ? [405, TOLD] : [204, NOT_TOLD];
    expect([list.status, announced(list)]).toEqual(expected);
  });
});

describe('switched off', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await openApp({ settings: { operacoesDescontinuadas: 'false', 'cors.origens': '*' } });
  });
  afterAll(() => server.close());

  test.each(BATCHES)('POST %s is 404 with tokens and without, and is listed nowhere', async (path) => {
    const demo = await server.as('demo');
    for (const client of [demo, server.anybody]) {
      const reply = await client.call('POST', path, [{ seq: 1 }]);
      expect([reply.status, reply.json.code, announced(reply)]).toEqual([404, 'CATP-ER0404', NOT_TOLD]);
    }
    const other = await server.anybody.call('DELETE', path);
    expect([other.headers.get('allow') ?? '', announced(other)]).toEqual([
      expect.not.stringContaining('POST'),
      NOT_TOLD,
    ]);
    const asking = { origin: 'https://erp.exemplo', 'access-control-request-method': 'POST' };
    const preflight = await server.anybody.call('OPTIONS', path, undefined, asking);
    expect(preflight.headers.get('access-control-allow-methods') ?? '').not.toContain('POST');
    const { paths } = (await server.anybody.call('GET', '/openapi.json')).json as {
      readonly paths: Readonly<Record<string, object>>;
    };
    expect(Object.keys(paths[path] ?? {})).not.toContain('post');
  });

  test('a path keeps its other methods', async () => {
    const { status, headers } = await server.anybody.call('DELETE', '/catp/api/ext/produto');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
