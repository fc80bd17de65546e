/** The specification's tables of endpoints, limits and status codes, row by row; and the bodies of every refusal. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';
import { SCHEMES } from '../support/tls.ts';
import { faultsOf, mnemonicOf } from './error-body.ts';
import { ELSEWHERE, ENDPOINTS, LIMITS, type Sent } from './rows.ts';

const PRODUCTS = '/catp/api/ext/produto';
const OF_COMPANY = `${PRODUCTS}/12345678`;
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };

describe.each(SCHEMES)('over %s', (over) => {
  let server: TestApp;
  let demo: Client;
  beforeAll(async () => {
    // No test in this file resolves this name.
    server = await openApp({ over, settings: { 'entrega.mapa': 'erp.invalid:443=127.0.0.1:1' } });
    demo = await server.as('demo');
  });
  afterAll(() => server.close());

  describe('each endpoint of the specification', () => {
    test.each(ENDPOINTS.map((one) => [one.row, one] as const))(
      '%s',
      async (row, { base, path, body, status, members }) => {
        const [method = ''] = row.split(' ');
        const refused = await server.anybody.call(method, base + path, body);
        expect([refused.status, refused.json.code]).toEqual([401, 'PUCX-ER0201']);
        const reply = await demo.call(method, base + path, body);
        expect([reply.status, reply.status === status ? '' : reply.text]).toEqual([status, '']);
        expect(reply.headers.get('x-csrf-token')).not.toBeNull();
        if (members === undefined) return;
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        const first = Array.isArray(reply.json) ? reply.json[0] : reply.json;
        expect(Object.keys(first).join()).toBe(members);
      },
    );
  });

  describe('each limit of the specification', () => {
    const status = async ([method, path, body]: Sent): Promise<number> =>
      (await demo.call(method, path, body)).status;

    test.each(LIMITS.map((one) => [one.row, one] as const))('%s', async (_row, { good, bad }) => {
      for (const example of good)
        expect([example[1].slice(0, 200), [200, 204].includes(await status(example))]).toEqual([
          example[1].slice(0, 200),
          true,
        ]);
      for (const example of bad)
        expect([example[1].slice(0, 200), await status(example)]).toEqual([example[1].slice(0, 200), 400]);
    });
  });

  describe('each status', () => {
    const refusal = (reply: Reply, status: number, path: string): string[] =>
      faultsOf(reply, { status, mnemonico: mnemonicOf(path) });

    const ROWS: readonly (readonly [number, string, () => Promise<Reply>, string])[] = [
      [400, 'CATP', () => demo.call('POST', OF_COMPANY, {}), 'PUCX-ER0010'],
      [401, 'CATP', () => server.anybody.call('GET', PRODUCTS), 'PUCX-ER0201'],
      [403, 'CATP', () => demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=11222333`), 'CATP-ER0403'],
      [404, 'CATP', () => demo.call('GET', `${OF_COMPANY}/9999999999/1`), 'CATP-ER0404'],
      [404, 'CATP', () => server.anybody.call('GET', '/catp/api/ext/nada'), 'CATP-ER0404'],
      [404, 'PLAT', () => server.anybody.call('GET', '/portal/api/nada'), 'PLAT-ER0404'],
      [404, 'CADA', () => server.anybody.call('GET', '/cadatributos'), 'CADA-ER0404'],
      [404, 'APPL', () => server.anybody.call('GET', '/catpx'), 'APPL-ER0404'],
      [404, 'APPL', () => server.anybody.call('GET', '/nada'), 'APPL-ER0404'],
      [405, 'CATP', () => server.anybody.call('PATCH', PRODUCTS), 'CATP-ER0405'],
      [405, 'PLAT', () => server.anybody.call('DELETE', '/portal/api/autenticar'), 'PLAT-ER0405'],
      [405, 'APPL', () => server.anybody.call('OPTIONS', '/healthz'), 'APPL-ER0405'],
      [413, 'CATP', () => demo.call('POST', OF_COMPANY, ' '.repeat(10 * 1024 * 1024 + 1)), 'CATP-ER0413'],
      [
        415,
        'CATP',
        () => demo.call('POST', OF_COMPANY, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
        'CATP-ER0415',
      ],
      [
        422,
        'CATP',
        () => demo.call('POST', OF_COMPANY, { ...PRODUCT, codigosInterno: ['a', 'a'] }),
        'CATP-ER0422',
      ],
    ];

    test.each(ROWS)('%i of %s has the body of the contract', async (status, mnemonico, send, code) => {
      const reply = await send();
      expect([reply.status, reply.json.code]).toEqual([status, code]);
      expect(reply.json.info.mnemonico).toBe(mnemonico);
      expect(refusal(reply, status, reply.json.info.url)).toEqual([]);
      expect(reply.json.date).toBe('2026-01-15T09:00:00');
      expect(reply.json.info.ambiente).toBe('validacao');
    });

    test('405 lists the methods of the path', async () => {
      expect((await server.anybody.call('DELETE', PRODUCTS)).headers.get('allow')).toBe('GET, HEAD, POST');
      expect((await server.anybody.call('GET', OF_COMPANY)).headers.get('allow')).toBe('POST');
    });

    test('503 has the body of the contract while the service is closing', async () => {
      const closing = await openApp({ over });
      const client = await closing.as('demo');
      await closing.app.core.writer.close();
      const reply = await client.call('POST', OF_COMPANY, PRODUCT);
      expect([reply.status, reply.json.code]).toEqual([503, 'CATP-ER0503']);
      expect(refusal(reply, 503, OF_COMPANY)).toEqual([]);
      await closing.close();
    });

    test('503 after a failure of the disk: writes are refused, readiness has the reason, and reads continue', async () => {
      const failing = await openApp({ over });
      const client = await failing.as('demo');
      const fault = Object.assign(new Error('disk'), { code: 'SQLITE_IOERR_FSYNC' });
      const fail = (): never => {
        throw fault;
      };
      await failing.app.core.writer.write(fail).catch(() => undefined);
      const write = await client.call('POST', OF_COMPANY, PRODUCT);
      expect([write.status, refusal(write, 503, OF_COMPANY)]).toEqual([503, []]);
      const ready = await failing.anybody.call('GET', '/readyz');
      expect([ready.status, refusal(ready, 503, '/readyz'), ready.json.message]).toEqual([
        503,
        [],
        expect.stringMatching(/Verifique o disco.*; catp doctor diz/),
      ]);
      expect((await client.call('GET', `${PRODUCTS}?cpfCnpjRaiz=12345678`)).status).toBe(204);
      expect((await failing.anybody.call('GET', '/healthz')).status).toBe(200);
      await failing.close();
    });

    test('500 does not show its cause, and stores nothing', async () => {
      const broken = await openApp({ over });
      const client = await broken.as('demo');
      const { db } = broken.app.core;
      db.exec("CREATE TRIGGER fault AFTER INSERT ON product BEGIN SELECT RAISE(ABORT, 'secret cause'); END");
      const reply = await client.call('POST', OF_COMPANY, PRODUCT);
      expect([reply.status, reply.json.code, reply.json.detail]).toEqual([500, 'PUCX-ER0001', []]);
      expect(refusal(reply, 500, OF_COMPANY)).toEqual([]);
      expect(reply.text).not.toContain('secret cause');
      db.exec('DROP TRIGGER fault');
      expect((await client.call('GET', `${PRODUCTS}?cpfCnpjRaiz=12345678`)).status).toBe(204);
      expect((await client.call('POST', OF_COMPANY, PRODUCT)).json.codigo).toBe(1);
      await broken.close();
    });

    test('200 is for existing records, 204 for none', async () => {
      expect((await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=87654321`)).status).toBe(204);
      expect((await demo.call('GET', '/portal/api/ext/webhook/falhas')).text).toBe('[]');
    });
  });
});

describe('every row of the specification', () => {
  const file = join(ROOT, '..', 'shared', 'specification.md');
  const isThere = existsSync(file);
  if (!isThere)
    console.warn('The specification is not beside the repository: its rows are not compared with ours.');
  const text = isThere ? readFileSync(file, 'utf8') : '';

  test.skipIf(!isThere)('of its tables of endpoints is tested', () => {
    const rows = [...text.matchAll(/^\| (GET|POST|PUT|DELETE) `([^`]+)`/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.toSorted()).toEqual(ENDPOINTS.map(({ row }) => row).toSorted());
  });

  test.skipIf(!isThere)('of its table of limits is tested', () => {
    const [, section = ''] = /^## Limits\n([\s\S]*?)^## /m.exec(text) ?? [];
    const rows = [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));
    const limits = rows.filter((row) => row !== 'Item');
    expect(limits.length).toBeGreaterThan(15);
    const ours = [...LIMITS.map(({ row }) => row), ...Object.keys(ELSEWHERE)];
    expect(limits.toSorted()).toEqual(ours.toSorted());
  });

  test.skipIf(!isThere)('of its table of status codes is tested', () => {
    const [, section = ''] = /^## Errors\n([\s\S]*?)^## /m.exec(text) ?? [];
    const statuses = [...section.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => Number(status));
    expect(statuses).toEqual([200, 204, 400, 401, 403, 404, 422, 500]);
  });
});
