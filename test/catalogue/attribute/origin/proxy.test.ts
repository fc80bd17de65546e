/**
 * Connections through a proxy (contract section 19): of the settings or of the environment, and only for
 * the origins.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { isExempt, readProxy } from '../../../../src/outgoing/proxy.ts';
import { download } from '../../../../src/outgoing/download.ts';
import { REAL_TIME } from '../../../../src/clock.ts';
import { type TestOrigin, openOrigin, openProxy } from '../../../support/origin.ts';
import { serverCertificate } from '../../../support/tls.ts';

let origin: TestOrigin;
beforeEach(async () => {
  origin = await openOrigin();
  origin.serves('{}');
});
afterEach(() => origin[Symbol.asyncDispose]());

async function fetchThrough(url: string, proxy: string, noProxy = '') {
  const { ca } = await serverCertificate();
  const { signal } = new AbortController();
  const words = { proxy, noProxy };
  return download({ url, maxBytes: 1000, ca: [ca], proxy: words, realTime: REAL_TIME, stopping: signal });
}

describe('a proxy', () => {
  test('gets a request for a tunnel to the server, without more headers than it needs', async () => {
    await using proxy = await openProxy(origin.port);
    const address = proxy.url.replace('http://', 'http://ana:se%20nha@');
    expect(await fetchThrough(`https://localhost:4430/lista`, address)).toMatchObject({ ok: true });
    expect(proxy.requests[0]).toStartWith('CONNECT localhost:4430 HTTP/1.1\r\n');
    expect(proxy.requests[0]).toContain(
      `Proxy-Authorization: Basic ${Buffer.from('ana:se nha').toString('base64')}`,
    );
    expect(origin.requests.map(({ headers }) => headers['proxy-authorization'])).toEqual([undefined]);
  });

  test('cannot replace the server: the certificate must have the name of the server', async () => {
    await using proxy = await openProxy(origin.port);
    const { ok, ...rest } = await fetchThrough('https://portal.exemplo/lista', proxy.url);
    expect([ok, rest]).toEqual([
      false,
      { message: expect.stringContaining('certificado da origem não foi aceito') },
    ]);
    expect(proxy.requests).toHaveLength(1);
    expect(origin.requests).toEqual([]);
  });

  test('that refuses, does not answer, or is no proxy, is reported without its password', async () => {
    await using refusingProxy = await openProxy(origin.port, '407 Proxy Authentication Required');
    const messages = [];
    for (const proxy of [
      refusingProxy.url,
      'http://ana:segredo@127.0.0.1:1',
      'socks5://ana:segredo@127.0.0.1',
    ]) {
      const answer = await fetchThrough('https://localhost/lista', proxy);
      messages.push(answer.ok ? '' : answer.message);
    }
    expect(messages).toEqual([
      'o proxy recusou a conexão (407)',
      expect.stringContaining('o proxy não pôde ser alcançado'),
      expect.stringContaining('confira HTTPS_PROXY'),
    ]);
    expect(messages.join()).not.toContain('segredo');
  });

  test('is not used for the names of NO_PROXY, or on this machine', async () => {
    await using proxy = await openProxy(origin.port);
    await using plain = await openOrigin('http');
    plain.serves('{}');
    expect(await fetchThrough(origin.url, proxy.url, 'outro.exemplo,localhost')).toMatchObject({ ok: true });
    expect(await fetchThrough(plain.url, proxy.url)).toMatchObject({ ok: true });
    expect(proxy.requests).toEqual([]);
  });
});

test.each([
  ['', false],
  ['*', true],
  ['portal.exemplo.gov.br', true],
  ['PORTAL.exemplo.gov.br', true],
  ['exemplo.gov.br', true],
  ['.exemplo.gov.br', true],
  ['*.exemplo.gov.br', true],
  ['tal.exemplo.gov.br', false],
  ['portal.exemplo.gov.br:443', true],
  ['portal.exemplo.gov.br:8443', false],
  ['a.exemplo, gov.br', true],
  ['10.0.0.0/8', false],
])('NO_PROXY=%s of https://portal.exemplo.gov.br: %p', (noProxy, expected) => {
  expect(isExempt(new URL('https://portal.exemplo.gov.br/x'), noProxy)).toBe(expected);
});

test.each([
  ['https://10.1.2.3:8443/', '10.0.0.0/8', true],
  ['https://10.1.2.3:8443/', '10.1.2.3:8443', true],
  ['https://10.1.2.3:8443/', '10.1.2.3:443', false],
  ['https://11.1.2.3/', '10.0.0.0/8', false],
  ['https://[::1]:8443/', '::1', true],
  ['https://[::1]:8443/', '[::1]:8443', true],
  ['https://[::1]:8443/', '[::1]:443', false],
])('%s with NO_PROXY=%s: %p', (url, noProxy, expected) => {
  expect(isExempt(new URL(url), noProxy)).toBe(expected);
});

test.each([
  ['http://proxy:3128', 'proxy:3128'],
  ['proxy.exemplo:3128', 'proxy.exemplo:3128'],
  ['http://a:b@proxy:3128/', 'proxy:3128'],
  ['https://proxy:3128', undefined],
  ['socks5://proxy', undefined],
  ['http://proxy:3128/caminho', undefined],
  ['http://a:%zz@proxy:3128', undefined],
])('the proxy %s', (text, host) => {
  expect(readProxy(text)?.host).toBe(host);
});
