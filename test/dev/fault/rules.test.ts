/**
 * Rules of faults: permissions, malformed rules, the order and the time of their effect (contract section
 * 15).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../../support/app.ts';
import { FAULTS, LIST, PRODUCT, PRODUCTS } from './support.ts';

const STATUS = { kind: 'status', status: 503 } as const;

let server: TestApp;
let admin: Client;
let demo: Client;
/** The next values that `percent` draws; later ones are 0.999. */
let draws: number[] = [];
beforeAll(async () => {
  server = await openApp({ parts: { faultRandom: () => draws.shift() ?? 0.999 } });
  [admin, demo] = await Promise.all([server.as('admin'), server.as('demo')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  draws = [];
  expect((await admin.call('DELETE', FAULTS)).status).toBe(204);
});

async function fail(rule: object): Promise<number> {
  const reply = await admin.call('POST', FAULTS, rule);
  expect([reply.status, reply.json]).toEqual([200, { id: expect.any(Number) }]);
  return reply.json.id as number;
}
const rules = async () => (await admin.call('GET', FAULTS)).json as Record<string, unknown>[];
const list = (client = demo): Promise<Reply> => client.call('GET', LIST);
/** `ok`: no rule acted. */
const statuses = async (times: number): Promise<(number | 'ok')[]> => {
  const results: (number | 'ok')[] = [];
  for (let i = 0; i < times; i += 1) {
    const { status } = await list();
    results.push(status < 300 ? 'ok' : status);
  }
  return results;
};

describe('access', () => {
  test.each(['GET', 'POST', 'DELETE'])('any user can %s, and nobody without a session', async (method) => {
    const body = method === 'POST' ? { fault: STATUS } : undefined;
    expect((await server.anybody.call(method, FAULTS, body)).status).toBe(401);
    expect(await rules()).toEqual([]);
    expect((await demo.call(method, FAULTS, body)).status).toBeLessThan(300);
  });

  test('serve has no faults: 404, and the header is ignored', async () => {
    const serving = await openApp({ parts: { mode: 'serve' } });
    const [owner, user] = [await serving.as('admin'), await serving.as('demo')];
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        (await owner.call(method, FAULTS, method === 'POST' ? { fault: STATUS } : undefined)).status,
      ).toBe(404);
    expect((await owner.call('DELETE', `${FAULTS}/1`)).status).toBe(404);
    expect((await user.call('GET', LIST, undefined, { 'x-simular-falha': 'status=503' })).status).toBe(204);
    expect((await user.call('GET', LIST, undefined, { 'x-simular-falha': 'nada' })).status).toBe(204);
    await serving.close();
  });
});

describe('malformed:', () => {
  test.each([
    ['nothing', {}, ['/fault']],
    ['no kind', { fault: {} }, ['/fault/kind']],
    ['an unknown kind', { fault: { kind: 'explode' } }, ['/fault/kind']],
    ['a status without a number', { fault: { kind: 'status' } }, ['/fault/status']],
    ['status 199', { fault: { kind: 'status', status: 199 } }, ['/fault/status']],
    ['status 204', { fault: { kind: 'status', status: 204 } }, ['/fault/status']],
    ['status 205', { fault: { kind: 'status', status: 205 } }, ['/fault/status']],
    ['status 304', { fault: { kind: 'status', status: 304 } }, ['/fault/status']],
    ['status 600', { fault: { kind: 'status', status: 600 } }, ['/fault/status']],
    ['delay without ms', { fault: { kind: 'delay' } }, ['/fault/ms']],
    ['a delay of less than nothing', { fault: { kind: 'delay', ms: -1 } }, ['/fault/ms']],
    ['a delay over two minutes', { fault: { kind: 'delay', ms: 120_001 } }, ['/fault/ms']],
    ['truncate without bytes', { fault: { kind: 'truncate' } }, ['/fault/bytes']],
    ['a member of another kind', { fault: { kind: 'drop', status: 503 } }, ['/fault/status']],
    ['an unknown member of the fault', { fault: { kind: 'drop', x: 1 } }, ['/fault/x']],
    ['an unknown member', { fault: STATUS, rate: 1 }, ['/rate']],
    ['a path without its slash', { path: 'catp/api', fault: STATUS }, ['/path']],
    ['a * in the middle', { path: '/catp/*/ext', fault: STATUS }, ['/path']],
    ['a path with a query', { path: '/catp?a=1', fault: STATUS }, ['/path']],
    ['a method that there is not', { method: 'GETT', fault: STATUS }, ['/method']],
    ['an operation that there is not', { operation: 'includeProdukt', fault: STATUS }, ['/operation']],
    ['a company that is none', { cpfCnpjRaiz: '123', fault: STATUS }, ['/cpfCnpjRaiz']],
    ['times 0', { times: 0, fault: STATUS }, ['/times']],
    ['after -1', { after: -1, fault: STATUS }, ['/after']],
    ['percent 101', { percent: 101, fault: STATUS }, ['/percent']],
    ['a fault that is a text', { fault: 'drop' }, ['/fault']],
  ])('%s', async (_, rule, paths) => {
    const reply = await admin.call('POST', FAULTS, rule);
    expect([
      reply.status,
      reply.json.code,
      reply.json.detail.map(({ path }: { path: string }) => path),
    ]).toEqual([400, 'PUCX-ER0010', paths]);
    expect(await rules()).toEqual([]);
  });

  test('a misspelt operation is reported with the nearest one', async () => {
    const reply = await admin.call('POST', FAULTS, { operation: 'includeProdukt', fault: STATUS });
    expect(reply.json.detail[0].message).toContain("'includeProduct'");
  });

  test.each([
    '',
    'explode',
    'status',
    'status=',
    'status=abc',
    'status=199',
    'status=204',
    'status=205',
    'status=304',
    'status=600',
    'delay',
    'delay=-1',
    'delay=120001',
    'truncate',
    'drop=1',
    'drop, garbage',
    'DROP',
  ])('a header %j', async (header) => {
    const reply = await demo.call('GET', LIST, undefined, { 'x-simular-falha': header });
    expect([reply.status, reply.json.code, reply.json.detail]).toEqual([
      400,
      'PUCX-ER0010',
      [
        {
          message: expect.stringContaining('aceita status=N'),
          code: 'PUCX-ER0010',
          field: 'X-Simular-Falha',
          path: 'X-Simular-Falha',
        },
      ],
    ]);
  });

  test('an unknown rule cannot be removed', async () => {
    expect((await admin.call('DELETE', `${FAULTS}/999999`)).status).toBe(404);
    expect((await admin.call('DELETE', `${FAULTS}/x`)).status).toBe(400);
  });
});

describe('a rule stays', () => {
  test('with its given and default members', async () => {
    const least = await fail({ fault: { kind: 'drop' } });
    const all = {
      operation: 'includeProduct',
      method: 'POST',
      path: '/catp/api/ext/produto/*',
      cpfCnpjRaiz: '12345678',
      after: 2,
      times: null,
      percent: 50,
      fault: { kind: 'status', status: 422, code: 'CATP-ER1012', message: 'Não.' },
    };
    const most = await fail(all);
    expect(most).toBeGreaterThan(least);
    expect(await rules()).toEqual([
      {
        ...{ id: least, operation: null, method: null, path: null, cpfCnpjRaiz: null },
        ...{ after: 0, times: 1, percent: 100, fault: { kind: 'drop' }, matched: 0, acted: 0 },
      },
      { id: most, ...all, matched: 0, acted: 0 },
    ]);
  });

  test('until it is removed, alone or with all', async () => {
    const [first, second] = [await fail({ fault: STATUS }), await fail({ fault: STATUS })];
    expect((await admin.call('DELETE', `${FAULTS}/${first}`)).status).toBe(204);
    expect((await rules()).map(({ id }) => id)).toEqual([second]);
    expect((await admin.call('DELETE', FAULTS)).status).toBe(204);
    expect(await rules()).toEqual([]);
    expect((await list()).status).toBe(204);
  });

  test('until the instance is reset', async () => {
    await fail({ times: null, fault: STATUS });
    expect((await admin.call('POST', '/appliance/api/reset')).status).toBe(204);
    admin = await server.as('admin');
    demo = await server.as('demo');
    expect(await rules()).toEqual([]);
  });
});

describe('a rule matches', () => {
  const actsOn = async (rule: object, ask: () => Promise<Reply>): Promise<boolean> => {
    const id = await fail({ ...rule, times: null, fault: { kind: 'status', status: 599 } });
    const { status } = await ask();
    const [{ acted } = {}] = (await rules()).filter((one) => one['id'] === id);
    expect(acted).toBe(status === 599 ? 1 : 0);
    await admin.call('DELETE', FAULTS);
    return status === 599;
  };
  const include = () => demo.call('POST', PRODUCTS, PRODUCT);

  test.each([
    ['anything', {}, true],
    ['its operation', { operation: 'includeProduct' }, true],
    ['another operation', { operation: 'listProducts' }, false],
    ['its method', { method: 'POST' }, true],
    ['another method', { method: 'GET' }, false],
    ['its path', { path: PRODUCTS }, true],
    ['a shorter path', { path: '/catp/api/ext/produto' }, false],
    ['a longer path', { path: `${PRODUCTS}/1` }, false],
    ['the beginning of its path', { path: '/catp/api/ext/prod*' }, true],
    ['all of its path and *', { path: `${PRODUCTS}*` }, true],
    ['another beginning', { path: '/portal/*' }, false],
    ['any path', { path: '*' }, true],
    ['its company', { cpfCnpjRaiz: '12345678' }, true],
    ['another company', { cpfCnpjRaiz: '87654321' }, false],
    [
      'all of it',
      { operation: 'includeProduct', method: 'POST', path: PRODUCTS, cpfCnpjRaiz: '12345678' },
      true,
    ],
    [
      'all but one',
      { operation: 'includeProduct', method: 'POST', path: PRODUCTS, cpfCnpjRaiz: '87654321' },
      false,
    ],
  ])('%s', async (_, rule, acts) => {
    expect(await actsOn(rule, include)).toBe(acts);
  });

  test('the company of a query', async () => {
    expect(await actsOn({ cpfCnpjRaiz: '12345678' }, list)).toBe(true);
    expect(await actsOn({ cpfCnpjRaiz: '87654321' }, list)).toBe(false);
  });

  test('the company of any item of a body, which the operation then reads unchanged', async () => {
    const item = (cpfCnpjRaiz: string, seq: number) => ({
      ...PRODUCT,
      seq,
      cpfCnpjRaiz,
      situacao: 'RASCUNHO',
    });
    const batch = () =>
      demo.call('POST', '/catp/api/ext/produto', [item('12345678', 1), item('87654321', 2)]);
    expect(await actsOn({ cpfCnpjRaiz: '87654321' }, batch)).toBe(true);
    let answered: Reply | undefined;
    expect(await actsOn({ cpfCnpjRaiz: '11222333' }, async () => (answered = await batch()))).toBe(false);
    expect(answered?.json.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, true]);
  });

  test('the company of a chunked body, but not of one that is too long to be read', async () => {
    const small = await openApp({ over: 'http', settings: { 'corpo.maximo': '4096' } });
    const owner = await small.as('admin');
    const sign = await small.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      ...{ 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' },
    });
    const tokens = {
      authorization: sign.headers.get('set-token') ?? '',
      'x-csrf-token': sign.headers.get('x-csrf-token') ?? '',
    };
    const batch = (denominacao: string) =>
      JSON.stringify([{ ...PRODUCT, denominacao, seq: 1, cpfCnpjRaiz: '12345678', situacao: 'RASCUNHO' }]);
    const inChunks = (text: string) =>
      fetch(`${small.url}/catp/api/ext/produto`, {
        method: 'POST',
        headers: { ...tokens, 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
      });
    const rule = (cpfCnpjRaiz: string) =>
      owner.call('POST', FAULTS, { cpfCnpjRaiz, times: null, fault: { kind: 'status', status: 599 } });
    await rule('87654321');
    const response = await inChunks(batch('Café'));
    expect([response.status, await response.json()]).toMatchObject([200, [{ sucesso: true }]]);
    const long = await inChunks(batch('é'.repeat(3000)));
    expect(long.status).toBe(413);
    await rule('12345678');
    expect((await inChunks(batch('Café'))).status).toBe(599);
    await small.close();
  });

  test('no company of a body that is no JSON, which is refused as usual', async () => {
    const sendBrokenJson = () => demo.call('POST', '/catp/api/ext/produto', '[{"cpfCnpjRaiz": "12345678"');
    expect(await actsOn({ cpfCnpjRaiz: '12345678' }, sendBrokenJson)).toBe(false);
    expect((await sendBrokenJson()).status).toBe(400);
  });

  test('a path with repeated slashes, and an unknown path', async () => {
    expect(await actsOn({ path: PRODUCTS }, () => demo.call('POST', `/${PRODUCTS}`, PRODUCT))).toBe(true);
    expect(await actsOn({ path: `/${PRODUCTS}` }, () => demo.call('POST', PRODUCTS, PRODUCT))).toBe(true);
    expect(await actsOn({ path: '//catp//api/*' }, () => demo.call('POST', PRODUCTS, PRODUCT))).toBe(true);
    expect(await actsOn({ path: '/catp/nada' }, () => demo.call('GET', '/catp/nada'))).toBe(true);
  });

  test('a request without tokens: a fault comes before their check', async () => {
    expect(await actsOn({}, () => list(server.anybody))).toBe(true);
  });
});

describe('a rule acts', () => {
  test('once by default, as often as given, or always', async () => {
    await fail({ fault: STATUS });
    expect(await statuses(3)).toEqual([503, 'ok', 'ok']);
    await fail({ times: 2, fault: STATUS });
    expect(await statuses(3)).toEqual([503, 503, 'ok']);
    await fail({ times: null, fault: STATUS });
    expect(await statuses(3)).toEqual([503, 503, 503]);
    expect((await rules()).map(({ matched, acted }) => [matched, acted])).toEqual([
      [9, 1], // used up, it still counts matches
      [6, 2],
      [3, 3],
    ]);
  });

  test('after the given number of matches, without counting other requests', async () => {
    await fail({ after: 2, times: 1, path: '/catp/api/ext/produto', fault: STATUS });
    expect((await demo.call('GET', '/portal/api/ext/webhook')).status).toBe(200);
    expect(await statuses(4)).toEqual(['ok', 'ok', 503, 'ok']);
    expect(await rules()).toMatchObject([{ matched: 4, acted: 1 }]);
  });

  test('in order of creation: the next one acts when the first is used up', async () => {
    await fail({ fault: { kind: 'status', status: 501 } });
    await fail({ times: 2, fault: { kind: 'status', status: 502 } });
    expect(await statuses(4)).toEqual([501, 502, 502, 'ok']);
  });

  test('by its percentage; otherwise the next rule is evaluated', async () => {
    await fail({ times: 2, percent: 30, fault: { kind: 'status', status: 501 } });
    await fail({ times: null, fault: { kind: 'status', status: 502 } });
    draws = [0.3, 0.299, 0.9, 0, 0];
    expect(await statuses(5)).toEqual([502, 501, 502, 501, 502]);
    expect(await rules()).toMatchObject([
      { matched: 5, acted: 2 },
      { matched: 3, acted: 3 },
    ]);
  });

  test('never at 0 percent', async () => {
    await fail({ times: null, percent: 0, fault: STATUS });
    draws = [0, 0];
    expect(await statuses(2)).toEqual(['ok', 'ok']);
  });

  test('not on a request with the header, and does not count it', async () => {
    await fail({ fault: { kind: 'status', status: 501 } });
    const reply = await demo.call('GET', LIST, undefined, { 'X-Simular-Falha': 'status=502' });
    expect([reply.status, await rules()]).toEqual([502, [expect.objectContaining({ matched: 0, acted: 0 })]]);
    expect(await statuses(2)).toEqual([501, 'ok']);
  });

  test('never under /appliance/api, nor on the health paths, nor by the header', async () => {
    await fail({ times: null, fault: STATUS });
    await fail({ times: null, path: '/appliance/api/session', fault: STATUS });
    for (const path of ['/healthz', '/readyz', '/metrics'])
      for (const header of ['status=503', 'nada'])
        expect(
          (await server.anybody.call('GET', path, undefined, { 'x-simular-falha': header })).status,
        ).toBe(200);
    const session = await demo.call('GET', '/appliance/api/session', undefined, {
      'x-simular-falha': 'drop',
    });
    expect(session.status).toBe(200);
    expect(await rules()).toMatchObject([
      { matched: 0, acted: 0 },
      { matched: 0, acted: 0 },
    ]);
  });

  test('on a sign-in too', async () => {
    await fail({ path: '/portal/api/autenticar*', fault: { kind: 'daily-stop' } });
    const signIn = () =>
      server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
        'client-id': 'demo',
        'client-secret': 'demo',
        'role-type': 'IMPEXP',
      });
    expect([(await signIn()).json.code, (await signIn()).status]).toEqual(['PUCX-ER0401', 200]);
  });
});

test('a page of another origin may send the header, and see the fault', async () => {
  const crossing = await openApp({ settings: { 'cors.origens': '*' } });
  const origin = { origin: 'http://localhost:5173' };
  const preflight = await crossing.anybody.call('OPTIONS', LIST, undefined, {
    ...origin,
    'access-control-request-method': 'GET',
  });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Simular-Falha');
  const reply = await crossing.anybody.call('GET', LIST, undefined, {
    ...origin,
    'x-simular-falha': 'status=503',
  });
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([503, origin.origin]);
  await crossing.close();
});
