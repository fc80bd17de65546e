/** The operations that a server loads with the first request that no early route answers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import { Cors } from '../../src/http/cors.ts';
import { Holdings } from '../../src/http/holdings.ts';
import { type Operation, ok, operation } from '../../src/http/operation.ts';
import { PathMethods } from '../../src/http/path-methods.ts';
import { Pipeline } from '../../src/http/pipeline.ts';
import { createRouter } from '../../src/http/router.ts';
import { type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await openApp({ parts: { mode: 'serve' } });
});
afterEach(() => server.close());

describe('the first request of a server', () => {
  test.each([
    ['GET', '/appliance/api/companies', 401],
    ['HEAD', '/appliance/api/companies', 401],
    ['PATCH', '/appliance/api/companies', 405],
    ['GET', '/cadatributos/api/ext/atributo-ncm/84715010', 401],
    ['GET', '/openapi.json', 200],
    ['GET', '/appliance/api/nothing', 404],
    ['GET', '/catp/api/ext/produto', 401],
    ['PATCH', '/catp/api/ext/produto', 405],
  ])('%s %s is answered like any later one', async (method, path, status) => {
    const first = await server.anybody.call(method, path);
    const later = await server.anybody.call(method, path);
    expect([first.status, later.status]).toEqual([status, status]);
    expect(first.headers.get('allow')).toBe(later.headers.get('allow'));
  });

  test('lists the methods of all operations of its path', async () => {
    const { headers } = await server.anybody.call('PATCH', '/appliance/api/companies');
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('can be several concurrent ones', async () => {
    const paths = ['/appliance/api/companies', '/appliance/api/users', '/healthz', '/openapi.json'];
    const replies = await Promise.all(paths.map((path) => server.anybody.call('GET', path)));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
  });
});

test('operations that could not be loaded are loaded with the next request', async () => {
  const late: Operation<unknown> = operation('GET', '/late', {
    id: 'late',
    right: 'none',
    tag: 'test',
    summary: 'test',
    source: 'test',
    access: 'anybody',
    handle: async () => ok({}),
  });
  const pipeline = new Pipeline<unknown>({
    authenticate: () => {
      throw new Error('nobody signs in here');
    },
    countAccess: () => undefined,
    quotaOwnerOf: () => ({ user: '' }),
    holdings: new Holdings(1, 1),
    notesUnknown: false,
    bodyLimit: 1,
    ambiente: 'validacao',
    localDateTime: () => '2026-01-15T09:00:00',
    stopwatch: monotonicMs,
    onExchange: () => undefined,
    serverHeaders: () => ({}),
  });
  let loads = 0;
  const fetch = createRouter({
    operations: [],
    allOperations: async () => {
      loads += 1;
      if (loads === 1) throw new Error('no memory');
      return [late];
    },
    pages: new Map(),
    pipeline,
    cors: new Cors([]),
    stopwatch: monotonicMs,
    simultaneous: 100,
  });
  const statusOfNext = async () => (await fetch(new Request('http://localhost/late'))).status;
  expect([await statusOfNext(), await statusOfNext(), await statusOfNext()]).toEqual([500, 200, 200]);
  expect(loads).toBe(2);
});

test('no early path matches the address of an operation that is loaded later', async () => {
  const ofStart = server.app.core.features.flatMap(({ operations }) => operations?.() ?? []);
  const ids = new Set(ofStart.map(({ id }) => id));
  const lateOperations = (await server.app.operations()).filter(({ id }) => !ids.has(id));
  expect(lateOperations.length).toBeGreaterThan(100);
  const methods = new PathMethods(ofStart);
  for (const { path } of lateOperations)
    expect([path, methods.of(path.replaceAll(':', ''))]).toEqual([path, []]);
});
