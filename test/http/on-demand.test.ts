/** The operations that a server loads with the first request that no early route answers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { PathMethods } from '../../src/http/path-methods.ts';
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

test('no early path matches the address of an operation that is loaded later', async () => {
  const ofStart = server.app.core.features.flatMap(({ operations }) => operations?.() ?? []);
  const ids = new Set(ofStart.map(({ id }) => id));
  const lateOperations = (await server.app.operations()).filter(({ id }) => !ids.has(id));
  expect(lateOperations.length).toBeGreaterThan(100);
  const methods = new PathMethods(ofStart);
  for (const { path } of lateOperations)
    expect([path, methods.of(path.replaceAll(':', ''))]).toEqual([path, []]);
});
