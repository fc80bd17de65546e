/** The path of a request, for any form of scheme and host (contract sections 1 and 2). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { addressed, pathnameOf, queryOf } from '../../src/http/address.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { SCHEMES } from '../support/tls.ts';

const HOSTS = ['x', 'xy', 'erp', 'erp:1', 'localhost', 'catp.exemplo.com.br', '127.0.0.1:8443', '[::1]:80'];
const ADDRESSES = SCHEMES.flatMap((scheme) => HOSTS.map((host) => `${scheme}://${host}`));

describe('an operation is found at', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(() => server.close());

  test.each(ADDRESSES)('%s', async (address) => {
    const answered = async (path: string, method = 'GET'): Promise<readonly [number, string | null]> => {
      const { status, headers } = await server.app.fetch(new Request(address + path, { method }));
      return [status, headers.get('allow')];
    };
    expect(await answered('/')).toEqual([200, null]);
    expect(await answered('')).toEqual([200, null]);
    expect(await answered('/healthz?x=/y//z')).toEqual([200, null]);
    expect(await answered('//healthz')).toEqual([200, null]);
    expect(await answered('/catp/api/ext/produto/12345678/1/1')).toEqual([401, null]);
    expect(await answered('//catp/api///ext/produto')).toEqual([401, null]);
    expect(await answered('/catp/api/ext/nada')).toEqual([404, null]);
    expect(await answered('/healthz', 'DELETE')).toEqual([405, 'GET, HEAD']);
  });
});

describe('the address for routing', () => {
  test.each([
    ['http://erp/a/b?c=/d', '/a/b', 'c=/d'],
    ['https://erp/a/b?c=//d', '/a/b', 'c=//d'],
    ['https://erp//a///b/?c=//d', '/a/b/', 'c=//d'],
    ['https://erp', '/', undefined],
    ['https://erp?a=//b', '/', 'a=//b'],
    ['http://erp?', '/', ''],
  ])('of %s is %s', (url, path, query) => {
    const { url: routed } = addressed(new Request(url));
    expect(routed).toStartWith('http://');
    expect([pathnameOf(routed), queryOf(routed)]).toEqual([path, query]);
  });

  test('keeps headers and body unchanged', async () => {
    const request = new Request('https://erp//a', { method: 'POST', body: 'corpo', headers: { a: 'b' } });
    expect(addressed(request)).toBe(request);
    expect([request.method, request.headers.get('a'), await request.text()]).toEqual(['POST', 'b', 'corpo']);
  });
});
