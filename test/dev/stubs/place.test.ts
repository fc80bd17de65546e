/**
 * The surroundings of a stub's answer: tokens, limit, journal, faults, other origins; and the paths that
 * it cannot replace.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import { byNode } from '../fault/support.ts';
import { type StubServer, openStubServer } from './support.ts';

let stubs: StubServer;
afterEach(() => stubs.close());

const FAULTS = '/appliance/api/faults';

describe('the tokens', () => {
  test('are required and renewed as by every operation; also for an administrator and an agent', async () => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '1');
    const { status, json } = await stubs.server.anybody.call('GET', '/modulo/x');
    expect([status, json.code]).toEqual([401, 'PUCX-ER0201']);
    for (const key of ['demo', 'admin'] as const) {
      const { status, headers } = await (await stubs.server.as(key)).call('GET', '/modulo/x');
      expect([status, headers.get('x-csrf-expiration')]).toEqual([200, expect.any(String)]);
    }
    const half = await stubs.demo.call('GET', '/modulo/x', undefined, { 'x-csrf-token': '' });
    expect([half.status, half.json.code]).toEqual([401, 'PUCX-ER0202']);
  });

  test('are not required under public/, which is no part of the path', async () => {
    stubs = await openStubServer();
    stubs.put('public/tabx/x.json', '"open"');
    stubs.put('public/public/y.json', '"twice"');
    stubs.put('tabx/y.json', '"closed"');
    const { anybody } = stubs.server;
    expect((await anybody.call('GET', '/tabx/x')).text).toBe('"open"');
    expect((await anybody.call('GET', '/public/y')).text).toBe('"twice"');
    expect((await stubs.demo.call('GET', '/public/tabx/x')).status).toBe(404);
    // The closed path wins over the open one, unless `_` names the open one.
    stubs.put('public/tabx/y.json', '"open"');
    expect((await anybody.call('GET', '/tabx/y')).status).toBe(401);
    stubs.put('_/x.json', '"closed"');
    expect((await anybody.call('GET', '/tabx/x')).text).toBe('"open"');
  });
});

describe('without a file', () => {
  test('the answer is 404 with the body of all errors, and needs no token', async () => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '1');
    const { status, json } = await stubs.server.anybody.call('GET', '/modulo/y');
    expect([status, json]).toEqual([
      404,
      expect.objectContaining({
        code: 'APPL-ER0404',
        status: 404,
        severity: 'ERROR',
        detail: [],
        field: null,
        path: null,
        message: expect.stringContaining('"/modulo/y"'),
        info: expect.objectContaining({ mnemonico: 'APPL', url: '/modulo/y' }),
      }),
    ]);
  });

  test('for this method, 405 lists the methods', async () => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '1');
    stubs.put('modulo/x.POST.201.json', '1');
    const { status, json, headers } = await stubs.server.anybody.call('DELETE', '/modulo/x');
    expect([status, json.code, headers.get('allow')]).toEqual([405, 'APPL-ER0405', 'GET, HEAD, POST']);
  });
});

test('every answer is shown without the origin of our pages, whatever its type', async () => {
  stubs = await openStubServer();
  stubs.put('public/modulo/x.json', '<script>0</script>');
  stubs.put('public/modulo/x.headers.json', { 'Content-Type': 'text/html' });
  stubs.put('public/modulo/y.POST.201.json', '1');
  stubs.put('modulo/z.json', '1');
  stubs.put('modulo/z.headers.json', '[]');
  stubs.put('modulo/fila.204.json', '');
  const answers = await Promise.all(
    ['GET x', 'HEAD x', 'POST x', 'POST y', 'GET y', 'OPTIONS y', 'GET z', 'GET fila'].map(async (line) => {
      const [method = '', name = ''] = line.split(' ');
      const { status, headers } = await stubs.demo.call(method, `/modulo/${name}`);
      return [line, status, headers.get('content-security-policy')];
    }),
  );
  expect(answers).toEqual([
    ['GET x', 200, 'sandbox'],
    ['HEAD x', 200, 'sandbox'],
    ['POST x', 405, 'sandbox'],
    ['POST y', 201, 'sandbox'],
    ['GET y', 405, 'sandbox'],
    ['OPTIONS y', 405, 'sandbox'],
    ['GET z', 503, 'sandbox'],
    ['GET fila', 204, 'sandbox'],
  ]);
  expect((await stubs.server.anybody.call('GET', '/modulo/z')).headers.get('content-security-policy')).toBe(
    'sandbox',
  ); // 401
});

describe('like every path', () => {
  test('HEAD is GET without its body', async () => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '"abc"');
    const { status, text, headers } = await stubs.demo.call('HEAD', '/modulo/x');
    expect([status, text, headers.get('content-length')]).toEqual([200, '', '5']);
  });

  test('a page of an allowed origin can send a preflight, and read the answer', async () => {
    stubs = await openStubServer({ settings: { 'cors.origens': 'https://erp.exemplo' } });
    stubs.put('modulo/x.json', '1');
    stubs.put('modulo/x.POST.json', '1');
    const origin = 'https://erp.exemplo';
    const ask = { origin, 'access-control-request-method': 'POST' };
    const before = await stubs.server.anybody.call('OPTIONS', '/modulo/x', undefined, ask);
    expect([before.status, before.headers.get('access-control-allow-methods')]).toEqual([
      ...[204, 'GET, HEAD, POST'],
    ]);
    const { headers } = await stubs.demo.call('GET', '/modulo/x', undefined, { origin });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect((await stubs.server.anybody.call('OPTIONS', '/modulo/x')).status).toBe(405);
    expect((await stubs.server.anybody.call('OPTIONS', '/modulo/y', undefined, ask)).status).toBe(404);
  });
});

test('the paths of the product cannot be replaced, nor any under its four bases', async () => {
  stubs = await openStubServer();
  const own = ['healthz', 'produtos', 'docs', 'catp/api/ext/produto', 'catp/api/ext/novo', 'portal/api/novo'];
  own.push('cadatributos/api/novo', 'appliance/api/clock', 'appliance/api/novo', 'openapi.json');
  const statuses = async () =>
    Promise.all(
      own.flatMap((path) =>
        ['GET', 'POST'].map(async (method) => {
          const { status, text } = await stubs.demo.call(method, `/${path}`);
          return [method, path, status, text.includes('"taken"')];
        }),
      ),
    );
  const before = await statuses();
  for (const path of own)
    for (const folder of ['', 'public/'])
      for (const method of ['GET', 'POST']) stubs.put(`${folder}${path}.${method}.json`, '"taken"');
  expect(await statuses()).toEqual(before);
  stubs.put('_/api/novo.json', '"taken"');
  expect((await stubs.demo.call('GET', '/%63atp/api/novo')).status).toBe(404);
  expect((await stubs.demo.call('GET', '/outro/api/novo')).text).toBe('"taken"');
});

describe('the hourly limit', () => {
  test('counts one path, with all its methods, as one operation; beyond it is 422', async () => {
    stubs = await openStubServer({ settings: { limiteHorario: '3' } });
    stubs.put('modulo/x.json', '1');
    stubs.put('modulo/x.POST.json', '1');
    stubs.put('modulo/y.json', '1');
    stubs.put('modulo/_/z.json', '1');
    const statuses = async (...lines: readonly string[]) => {
      const received: number[] = [];
      for (const one of lines) {
        const [method = '', path = ''] = one.split(' ');
        received.push((await stubs.demo.call(method, path)).status);
      }
      return received;
    };
    expect(await statuses('GET /modulo/x', 'POST /modulo/x', 'GET /modulo/x')).toEqual([200, 200, 200]);
    const overLimit = await stubs.demo.call('GET', '/modulo/x');
    expect([overLimit.status, overLimit.json.code, overLimit.headers.get('retry-after')]).toEqual([
      ...[422, 'PUCX-ER1001', '3600'],
    ]);
    expect(await statuses('POST /modulo/x', 'GET /modulo/y')).toEqual([422, 200]);
    // A folder `_` is one path, whatever value replaces the placeholder.
    expect(await statuses('GET /modulo/1/z', 'GET /modulo/2/z', 'GET /modulo/3/z')).toEqual([200, 200, 200]);
    expect(await statuses('GET /modulo/4/z')).toEqual([422]);
  });

  test('does not count requests without tokens', async () => {
    stubs = await openStubServer({ settings: { limiteHorario: '1' } });
    stubs.put('public/tabx/x.json', '1');
    for (let time = 0; time < 3; time += 1)
      expect((await stubs.demo.call('GET', '/tabx/x')).status).toBe(200);
  });
});

test('the journal has each exchange, with both bodies', async () => {
  stubs = await openStubServer({ over: 'http' });
  stubs.put('modulo/_.POST.422.json', { message: 'Recusado pelo vizinho.' });
  await stubs.demo.call('POST', '/modulo/x', { pedido: 1 });
  const rows = '/appliance/api/requests';
  const [row] = (await stubs.demo.call('GET', rows)).json;
  expect(row).toMatchObject({ method: 'POST', path: '/modulo/x', operation: '/modulo/_', status: 422 });
  const exchange = (await stubs.demo.call('GET', `${rows}/${row.id}`)).json;
  expect([exchange.requestBody, exchange.responseBody]).toEqual([
    ...['{"pedido":1}', '{"message":"Recusado pelo vizinho."}'],
  ]);
});

describe('a fault', () => {
  const KINDS = [
    [{ kind: 'status', status: 503 }, 503],
    [{ kind: 'garbage' }, 200],
    [{ kind: 'expired-token' }, 401],
    [{ kind: 'hourly-limit' }, 422],
    [{ kind: 'daily-stop' }, 422],
    [{ kind: 'delay', ms: 1 }, 200],
  ] as const;

  test.each(KINDS)('by a rule acts on a stub: %p', async (fault, status) => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '"the file"');
    const admin = await stubs.server.as('admin');
    await admin.call('POST', FAULTS, { path: '/modulo/*', fault });
    const reply = await stubs.demo.call('GET', '/modulo/x');
    expect([reply.status, reply.text === '"the file"']).toEqual([status, fault.kind === 'delay']);
    expect((await stubs.demo.call('GET', '/modulo/x')).text).toBe('"the file"');
    expect((await admin.call('GET', FAULTS)).json[0]).toMatchObject({ acted: 1 });
  });

  test.each(['drop', 'lost-answer', 'truncate=5'])(
    'that cuts the connection cuts it also for a stub: %s',
    async (fault) => {
      stubs = await openStubServer({ over: 'http' });
      stubs.put('public/modulo/x.json', '"the file"');
      const request = { path: '/modulo/x', headers: { 'x-simular-falha': fault } };
      const { whole, body } = await byNode(stubs.server.url ?? '', request);
      expect([whole, body]).toEqual([false, fault.startsWith('truncate') ? '"the ' : '']);
      expect((await byNode(stubs.server.url ?? '', { path: '/modulo/x' })).body).toBe('"the file"');
    },
  );

  test('by a header acts too, before the tokens, also without a file', async () => {
    stubs = await openStubServer();
    stubs.put('modulo/x.json', '1');
    for (const path of ['/modulo/x', '/modulo/y']) {
      const headers = { 'x-simular-falha': 'status=503' };
      expect((await stubs.server.anybody.call('GET', path, undefined, headers)).status).toBe(503);
    }
  });
});

test('by a seed acts on a stub as on the catalogue', async () => {
  stubs = await openStubServer();
  stubs.put('modulo/x.json', '"the file"');
  const admin = await stubs.server.as('admin');
  const chaos = { seed: '7', kinds: ['status'] };
  await admin.call('POST', FAULTS, { chaos, percent: 50 });
  const outcomes: string[] = [];
  for (let one = 0; one < 20; one += 1)
    outcomes.push((await stubs.demo.call('GET', '/modulo/x')).status < 300 ? 'ok' : 'failed');
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'failed']));
  const acted = outcomes.filter((one) => one === 'failed').length;
  expect((await admin.call('GET', FAULTS)).json).toMatchObject([{ matched: 20, acted }]);
});

test('without the flag no file answers', async () => {
  stubs = await openStubServer();
  stubs.put('modulo/x.json', '1');
  const plainServer = await openApp();
  expect((await (await plainServer.as('demo')).call('GET', '/modulo/x')).status).toBe(404);
  await plainServer.close();
});
