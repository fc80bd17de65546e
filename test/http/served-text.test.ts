/**
 * Texts that are served repeatedly are built once, and sent compressed to clients that accept it (contract
 * section 16).
 */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import zlib from 'node:zlib';
import { ServedText } from '../../src/http/served-text.ts';
import { type TestApp, openApp } from '../support/app.ts';

const DECODE = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync } as const;

const asking = (accepted: string | undefined, url = 'http://catp.test/'): Request =>
  new Request(url, {
    headers: { host: new URL(url).host, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
  });

describe('a text', () => {
  test('of up to 1400 bytes is sent uncompressed, a longer one compressed', async () => {
    const codingOf = async (length: number) =>
      (await new ServedText('x'.repeat(length)).sentTo(asking('br'))).headers['content-encoding'];
    expect([await codingOf(1400), await codingOf(1401)]).toEqual([undefined, 'br']);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.1', 'br'],
    ['GZIP;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['gzip;q=0, *;q=0', undefined],
    ['deflate, identity, brotli', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for a client that accepts %s is sent as %s', async (accepted, coding) => {
    const { bytes, headers } = await new ServedText('ã'.repeat(1000)).sentTo(asking(accepted));
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'Accept-Encoding']);
    const plain = coding === undefined ? bytes : DECODE[coding as keyof typeof DECODE](bytes);
    expect(new TextDecoder().decode(plain)).toBe('ã'.repeat(1000));
  });

  test('is compressed once for all clients, also for concurrent ones', async () => {
    const compress = spyOn(zlib, 'gzip');
    try {
      const text = new ServedText('x'.repeat(5000));
      await Promise.all([1, 2, 3].map(() => text.sentTo(asking('gzip'))));
      await text.sentTo(asking('gzip'));
      expect(compress).toHaveBeenCalledTimes(1);
    } finally {
      compress.mockRestore();
    }
  });
});

describe('of a server', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(() => server.close());

  const get = async (path: string, accepted?: string, host = 'catp.test'): Promise<Response> =>
    server.app.fetch(asking(accepted, `http://${host}${path}`));

  test.each(['/', '/produtos', '/ajuda', '/ajuda/servidor', '/openapi.json'])(
    '%s is compressed for a client that accepts it, and has the same content for others',
    async (path) => {
      const plain = await get(path);
      const bytes = Buffer.from(await plain.bytes());
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
      for (const coding of ['br', 'gzip'] as const) {
        const response = await get(path, coding);
        const body = await response.bytes();
        const isLong = bytes.length > 1400;
        expect([path, response.headers.get('content-encoding')]).toEqual([path, isLong ? coding : null]);
        expect(response.headers.get('vary')).toContain('Accept-Encoding');
        expect(response.headers.get('content-type')).toBe(plain.headers.get('content-type'));
        expect(Buffer.from(isLong ? DECODE[coding](body) : body).equals(bytes)).toBe(true);
      }
    },
  );

  test('the files of the pages are compressed too', async () => {
    const html = await (await get('/')).text();
    for (const [path] of html.matchAll(/\/assets\/[\w.-]+\.(js|css)/g)) {
      const response = await get(path, 'gzip');
      expect([path, response.headers.get('content-encoding')]).toEqual([path, 'gzip']);
      expect(DECODE.gzip(await response.bytes()).length).toBeGreaterThan(1400);
    }
  });
});
