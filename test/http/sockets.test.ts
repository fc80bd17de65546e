/** Unusual, broken and hostile HTTP over a real socket; a `Request` cannot express some of it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Listening } from '../../src/http/server.ts';
import { type TestApp, listenOver, openApp } from '../support/app.ts';
import { SCHEMES, serverCertificate } from '../support/tls.ts';

const MIB = 1024 * 1024;
const INCLUDE = '/catp/api/ext/produto/12345678';
const CLOSE = 'Connection: close\r\n';

describe.each(SCHEMES)('over %s', (scheme) => {
  let server: TestApp;
  let listening: Listening;
  let tokens: string;
  let ca: string;
  beforeAll(async () => {
    server = await openApp({ settings: { 'cors.origens': 'local' } });
    listening = await listenOver(scheme, server.app);
    ({ ca } = await serverCertificate());
    const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
    const { headers } = await server.anybody.call(
      'POST',
      '/portal/api/autenticar/chave-acesso',
      undefined,
      key,
    );
    tokens = `Authorization: ${headers.get('set-token')}\r\nX-CSRF-Token: ${headers.get('x-csrf-token')}\r\n`;
  });
  afterAll(async () => {
    await listening.stop(100);
    await server.close();
  });

  /** Returns everything received until the server closes. `ended`: the client half-closes the connection. */
  function exchanged(payload: string | Buffer, { ended = false } = {}): Promise<string> {
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload;
    return new Promise((resolve) => {
      const received: Buffer[] = [];
      const to = { port: listening.port, host: '127.0.0.1', allowHalfOpen: true };
      const socket: Socket = scheme === 'https' ? connectTls({ ...to, ca }) : connect(to);
      socket.on('data', (data: Buffer) => received.push(data));
      // A server that has answered may close the connection before the client has sent everything.
      socket.on('error', () => socket.destroy());
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(Buffer.concat(received).toString('utf8')));
      if (ended) socket.end(bytes);
      else socket.write(bytes);
    });
  }

  const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(answer)?.[1] ?? 0);

  const bodyOf = (answer: string) =>
    JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4)) as {
      readonly code: string;
      readonly message: string;
      readonly detail: readonly { readonly path: string }[];
      readonly info: { readonly url: string };
    };

  const get = (path: string, host = 'Host: catp.test\r\n'): string =>
    `GET ${path} HTTP/1.1\r\n${host}${CLOSE}\r\n`;

  const post = (headers: string, body: string): string =>
    `POST ${INCLUDE} HTTP/1.1\r\nHost: catp.test\r\n${CLOSE}${tokens}${headers}\r\n${body}`;

  const rowsOf = (table: string): number =>
    server.app.core.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? -1;

  describe('every answer has the security headers', () => {
    const STRANGER = 'Origin: http://localhost:1\r\nAccess-Control-Request-Method: GET\r\n';

    test.each([
      [200, get('/healthz')],
      [200, get('/')],
      [200, get('/catp/api/ext/produto/exportar/12345678/true', `Host: x\r\n${'{tokens}'}`)],
      [204, get('/healthz', `Host: x\r\n${STRANGER}`).replace('GET', 'OPTIONS')],
      [400, get('/healthz', 'Host: x\r\nHost: y\r\n')],
      [401, get('/catp/api/ext/produto')],
      [404, get('/nada')],
      [405, get('/healthz').replace('GET', 'PUT')],
      [422, get('/portal/api/autenticar')],
    ])('%i', async (status, request) => {
      const answer = await exchanged(request.replace('{tokens}', tokens));
      expect(statusOf(answer)).toBe(status);
      expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/im);
    });
  });

  test.each(['Host: x\r\nHost: y\r\n', 'Host: x\r\nhost: x\r\n', 'Host: x\r\nHost:\r\n', 'Host: x, y\r\n'])(
    'two hosts are 400: %p',
    async (hosts) => {
      const answer = await exchanged(get('/healthz', hosts));
      expect([statusOf(answer), bodyOf(answer).detail[0]?.path]).toEqual([400, 'Host']);
      expect(bodyOf(answer).message).toContain('aceita um só cabeçalho Host');
    },
  );

  describe('broken HTTP', () => {
    test.each([
      ['no host', `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`],
      ['a path without its slash', get('healthz')],
      ['a space before the colon of a header', get('/healthz', 'Host: x\r\nX : y\r\n')],
      ['a folded header', get('/healthz', 'Host: x\r\nX: y\r\n z\r\n')],
      ['NUL in a header', get('/healthz', 'Host: x\r\nX: a\0b\r\n')],
      [
        scheme === 'http' ? 'TLS on a plain port' : 'TLS inside of TLS',
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n',
      ],
    ])('%s is 400', async (_name, payload) => {
      expect(statusOf(await exchanged(payload))).toBe(400);
    });

    test.each([
      ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}x'],
      ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
      ['a length that is no number', 'Content-Length: x\r\n', '{}'],
      ['a negative length', 'Content-Length: -1\r\n', '{}'],
      ['a chunk whose size is no number', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'],
      ['a chunk of 2^64 bytes', 'Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
      ['an unknown transfer coding', 'Transfer-Encoding: gzip\r\n', '{}'],
    ])('a body with %s is refused, and nothing of it is stored', async (_name, headers, body) => {
      expect(statusOf(await exchanged(post(headers, body)))).toBe(400);
      expect(rowsOf('product')).toBe(0);
    });

    describe('a request line and headers', () => {
      const LIMIT = 64 * 1024;
      const filled = (bytes: number): string => {
        const empty = get('/healthz', 'Host: x\r\nX: \r\n');
        return empty.replace('X: ', `X: ${'x'.repeat(bytes - empty.length)}`);
      };

      test('of 64 KiB together are read, one byte more is 431 with the message of the contract', async () => {
        expect(statusOf(await exchanged(filled(LIMIT)))).toBe(200);
        const answer = await exchanged(filled(LIMIT + 1));
        expect([statusOf(answer), bodyOf(answer).code]).toEqual([431, 'APPL-ER0431']);
        expect(bodyOf(answer).message).toContain(`${LIMIT + 1} bytes; aceita até ${LIMIT} bytes`);
      });

      test.each([100_000, 900_000])('of %i bytes are 431 at any place', async (bytes) => {
        const [inHeader, inQuery, inPath] = await Promise.all([
          exchanged(filled(bytes)),
          exchanged(get(`/catp/api/ext/produto?denominacao=${'x'.repeat(bytes)}`)),
          exchanged(get(`//portal/${'x'.repeat(bytes)}`)),
        ]);
        expect([statusOf(inHeader), bodyOf(inHeader).code]).toEqual([431, 'APPL-ER0431']);
        expect([statusOf(inQuery), bodyOf(inQuery).code]).toEqual([431, 'CATP-ER0431']);
        expect([statusOf(inPath), bodyOf(inPath).code]).toEqual([431, 'PLAT-ER0431']);
      });

      test('accept both text filters at their full size, percent-encoded', async () => {
        const text = encodeURIComponent('é'.repeat(3700));
        const path = `/catp/api/ext/produto?cpfCnpjRaiz=12345678&descricao=${text}&denominacao=${text}`;
        expect(path.length).toBeGreaterThan(44_000);
        expect(statusOf(await exchanged(get(path, `Host: x\r\n${tokens}`)))).toBe(204);
        const beyond = get(path.replace('denominacao=', 'denominacao=%C3%A9'), `Host: x\r\n${tokens}`);
        expect(statusOf(await exchanged(beyond))).toBe(400);
      });

      test('in more lines than the runtime supports are refused', async () => {
        const headers = `Host: x\r\n${'X: x\r\n'.repeat(3000)}`;
        expect(statusOf(await exchanged(get('/healthz', headers)))).toBe(431);
      });
    });
  });

  describe('unusual but valid HTTP', () => {
    test.each(['x', 'erp', 'erp:1', 'catp.test', '127.0.0.1:8080', '[::1]:80', '[::1]', 'a b/c?d', ''])(
      'the host can be %p',
      async (host) => {
        expect(statusOf(await exchanged(get('/healthz', `Host: ${host}\r\n`)))).toBe(200);
        const list = await exchanged(
          get('/catp/api/ext/produto?cpfCnpjRaiz=12345678', `Host: ${host}\r\n${tokens}`),
        );
        expect(statusOf(list)).toBe(204);
      },
    );

    test('HTTP/1.0 requires no host', async () => {
      const path = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
      expect(statusOf(await exchanged(`GET ${path} HTTP/1.0\r\n${tokens}\r\n`))).toBe(204);
    });

    test.each(['*', 'healthz', '?', '', '/?', '//', 'http:', 'https://', '/%%%', '/\\..\\healthz'])(
      'the target %p is answered, without an internal fault',
      async (target) => {
        for (const method of ['GET', 'OPTIONS']) {
          const status = statusOf(await exchanged(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`));
          expect([200, 400, 404, 405]).toContain(status);
        }
      },
    );

    test('the request line can have the whole URL', async () => {
      expect(statusOf(await exchanged(get('http://erp/healthz')))).toBe(200);
    });

    test.each(['TRACE', 'CONNECT', 'PATCH', 'OPTIONS'])(
      '%s is 405 with the message of the contract',
      async (method) => {
        const answer = await exchanged(`${method} /healthz HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`);
        expect([statusOf(answer), bodyOf(answer).code]).toEqual([405, 'APPL-ER0405']);
        expect(answer).toContain('Allow: GET');
      },
    );

    test.each(['//healthz', '///healthz', '/./healthz//', '/x/..//healthz', '//healthz?x=//y'])(
      'the path %s is /healthz',
      async (path) => {
        expect(statusOf(await exchanged(get(path)))).toBe(200);
      },
    );

    test('repeated slashes count as one in a path, and not in the query', async () => {
      const list = `//catp///api/ext//produto?cpfCnpjRaiz=12345678&denominacao=a//b`;
      expect(statusOf(await exchanged(get(list, `Host: erp\r\n${tokens}`)))).toBe(204);
      const answer = await exchanged(get('//catp//api/nada'));
      expect([statusOf(answer), bodyOf(answer).info.url]).toEqual([404, '/catp/api/nada']);
    });

    test.each(['/healthz%2f', '/%', '/caf\u00c3\u00a9', '/a%00b', '/healthz;x', `/${'x'.repeat(5000)}`])(
      'the path %s is 404 with the message of the contract',
      async (path) => {
        const answer = await exchanged(get(path));
        expect([statusOf(answer), bodyOf(answer).code]).toEqual([404, 'APPL-ER0404']);
      },
    );

    test.each([
      ['path', `/catp/api/ext/produto/12345678/%FF/1`, 'codigo'],
      ['path', '/catp/api/ext/operador-estrangeiro/12345678/BR/%C3%28/1', 'codigo'],
      ['query', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&denominacao=a%E9', 'denominacao'],
      ['query', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&descricao=100%25%ED%A0%80', 'descricao'],
      ['query, of a parameter that is none', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&x%C0=1', 'x\ufffd'],
      ['path, raw', '/catp/api/ext/operador-estrangeiro/12345678/BR/OPE\u00e9/1', 'codigo'],
      ['query, raw', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&denominacao=Caf\u00e9', 'denominacao'],
    ])('invalid UTF-8 in the %s is 400 and named: %s', async (_place, path, name) => {
      const answer = await exchanged(get(path, `Host: x\r\n${tokens}`));
      expect([statusOf(answer), bodyOf(answer).code]).toEqual([400, 'PUCX-ER0010']);
      expect(bodyOf(answer).detail.map((problem) => problem.path)).toEqual([name]);
    });

    test.each(['a%C3%A9', 'a%', '100%zz', 'caf\u00c3\u00a9'])(
      'the filter %s is an ordinary text',
      async (text) => {
        const path = `/catp/api/ext/produto?cpfCnpjRaiz=12345678&denominacao=${text}`;
        expect(statusOf(await exchanged(get(path, `Host: x\r\n${tokens}`)))).toBe(204);
      },
    );

    describe('a GET of failures', () => {
      const FAILURES = '/portal/api/ext/webhook/falhas';
      const getFailures = (query: string, headers: string, body: string): Promise<string> =>
        exchanged(`GET ${FAILURES}${query} HTTP/1.1\r\nHost: x\r\n${CLOSE}${tokens}${headers}\r\n${body}`);
      const BODY = '{"data":"14012026"}';
      const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

      test.each([
        ['a length', `Content-Length: ${BODY.length}\r\n`, BODY],
        ['chunks', 'Transfer-Encoding: chunked\r\n', CHUNKED],
      ])(
        'with a body of %s and without the query is 400 and names the query',
        async (_way, headers, body) => {
          const answer = await getFailures('', headers, body);
          expect([statusOf(answer), bodyOf(answer).code]).toEqual([400, 'PUCX-ER0010']);
          expect(bodyOf(answer).detail.map(({ path }) => path)).toEqual(['data']);
          expect(bodyOf(answer).message).toContain('falhas?data=');
          expect(statusOf(await getFailures('?data=14012026', headers, body))).toBe(200);
        },
      );

      test('without a body, or with an empty one, answers those of today', async () => {
        for (const headers of ['', 'Content-Length: 0\r\n'])
          expect(statusOf(await getFailures('', headers, ''))).toBe(200);
      });
    });

    test('a body can be chunked, and follow a 100-continue', async () => {
      const chunked = await exchanged(
        post('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n'),
      );
      expect([statusOf(chunked), bodyOf(chunked).code]).toEqual([400, 'PUCX-ER0010']);
      const continued = await exchanged(post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'));
      expect([statusOf(continued), bodyOf(continued).code]).toEqual([400, 'PUCX-ER0010']);
    });

    test('a body above the limit is 413 by its length before it arrives, and by its chunks while it arrives', async () => {
      const declared = await exchanged(post(`Content-Length: ${10 * MIB + 1}\r\n`, '{}'));
      expect([statusOf(declared), bodyOf(declared).code]).toEqual([413, 'CATP-ER0413']);
      const enormous = await exchanged(post(`Content-Length: ${2 ** 33}\r\n`, '{}'));
      expect([statusOf(enormous), bodyOf(enormous).code]).toEqual([413, 'CATP-ER0413']);
      const chunk = `${MIB.toString(16)}\r\n${' '.repeat(MIB)}\r\n`;
      const counted = await exchanged(post('Transfer-Encoding: chunked\r\n', `${chunk.repeat(11)}0\r\n\r\n`));
      expect([statusOf(counted), bodyOf(counted).code]).toEqual([413, 'CATP-ER0413']);
    });

    test('two content types are refused', async () => {
      const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n';
      expect(statusOf(await exchanged(post(types, '{}')))).toBe(415);
    });
  });

  describe('a valid request with bytes changed, dropped and doubled', () => {
    const PRODUCT = JSON.stringify({ denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '7318150' });
    const lawful = (): string =>
      post(`Content-Length: ${PRODUCT.length}\r\nContent-Type: application/json\r\n`, PRODUCT);

    const change = fc.record({
      kind: fc.constantFrom('set', 'drop', 'cut', 'double'),
      at: fc.nat(),
      byte: fc.integer({ min: 0, max: 255 }),
    });

    function withChanges(
      text: string,
      changes: readonly { kind: string; at: number; byte: number }[],
    ): Buffer {
      let bytes = [...Buffer.from(text)];
      for (const { kind, at, byte } of changes) {
        const index = at % bytes.length;
        if (kind === 'set') bytes[index] = byte;
        else if (kind === 'drop') bytes.splice(index, 1 + (byte % 5));
        else if (kind === 'cut') bytes = bytes.slice(0, index + 1);
        else bytes.splice(index, 0, ...bytes.slice(index, index + byte));
        if (bytes.length === 0) return Buffer.alloc(1);
      }
      return Buffer.from(bytes);
    }

    test('is never answered 500, never stored, and the server continues', async () => {
      const payload = fc.array(change, { minLength: 1, maxLength: 4 });
      const events = rowsOf('event');
      await fc.assert(
        fc.asyncProperty(payload, async (changes) => {
          const answer = await exchanged(withChanges(lawful(), changes), { ended: true });
          // The HTTP server itself answers 505 to an unknown version.
          for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (5\d\d)/gm)) expect(status).toBe('505');
        }),
        { numRuns: 400, endOnFailure: true },
      );
      expect([rowsOf('product'), rowsOf('event')]).toEqual([0, events]);
      expect(statusOf(await exchanged(get('/healthz')))).toBe(200);
    });

    test('that is cut off leaves nothing', async () => {
      const validRequest = lawful();
      for (let length = 1; length < validRequest.length; length += 7)
        await exchanged(validRequest.slice(0, length), { ended: true });
      expect(rowsOf('product')).toBe(0);
      expect(statusOf(await exchanged(get('/healthz')))).toBe(200);
    });
  });
});
