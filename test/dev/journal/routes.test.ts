/** The journal of a development instance (contract section 15): requests, answers, and never a secret. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { SCHEMES, trusting } from '../../support/tls.ts';

const REQUESTS = '/appliance/api/requests';
const PRODUCT = { denominacao: 'Café', modalidade: 'IMPORTACAO', ncm: '09012100' };
const SUBSCRIPTIONS = '/portal/api/ext/webhook';
const KEY_SIGN_IN = '/portal/api/autenticar/chave-acesso';

interface Row {
  readonly id: number;
  readonly problems: { readonly message: string; readonly code: string; readonly path: string | null }[];
  readonly [member: string]: unknown;
}
interface Detail extends Row {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
  readonly truncated: boolean;
}

describe.each(SCHEMES)('over %s', (over) => {
  let server: TestApp;
  let demo: Client;
  let admin: Client;
  beforeAll(async () => {
    server = await openApp({ over });
    [demo, admin] = await Promise.all([server.as('demo'), server.as('admin')]);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    expect((await admin.call('DELETE', REQUESTS)).status).toBe(204);
  });

  const rows = async (query = ''): Promise<Row[]> => {
    const reply = await admin.call('GET', `${REQUESTS}${query}`);
    expect(reply.status).toBe(200);
    return reply.json as Row[];
  };
  const last = async (): Promise<Row> => (await rows('?limit=1'))[0] as Row;
  const detail = async (id?: number): Promise<Detail> =>
    (await admin.call('GET', `${REQUESTS}/${id ?? (await last()).id}`)).json as Detail;

  test('a row has the request and its result', async () => {
    await demo.call('GET', '/catp/api/ext/produto/12345678/99999/1?a=1&b=x%20y&a=2&token=abc');
    const row = await last();
    expect(row).toEqual({
      id: expect.any(Number),
      at: '2026-01-15T09:00:00.000-03:00',
      arrivedAt: expect.stringMatching(/^20\d\d-.*-03:00$/),
      method: 'GET',
      path: '/catp/api/ext/produto/12345678/99999/1',
      query: { a: ['1', '2'], b: 'x y', token: '***' },
      operation: 'getProductVersion',
      status: 404,
      ms: expect.any(Number),
      tag: expect.stringMatching(/^\[CATP-[A-Z0-9]{10}\]$/),
      user: '00000000191',
      fault: null,
      notices: [],
      problems: [expect.objectContaining({ code: 'CATP-ER0404', field: null, path: null })],
    });
  });

  test('a success has no tag and no problems', async () => {
    await demo.call('GET', SUBSCRIPTIONS);
    expect(await last()).toMatchObject({ tag: null, problems: [] });
  });

  test('a refusal has the problems and the tag of its answer', async () => {
    const refused = await demo.call('POST', '/catp/api/ext/produto/12345678', { ncm: '1', modalidade: 'X' });
    expect(refused.status).toBe(400);
    const { detail: problems, tag } = refused.json as { detail: unknown[]; tag: string };
    expect(await last()).toMatchObject({ operation: 'includeProduct', tag, problems });
    const short = await server.anybody.call('POST', KEY_SIGN_IN, undefined, { 'client-id': 'demo' });
    expect(await last()).toMatchObject({ status: 422, tag: short.json.tag, user: null });
  });

  test('an unknown path is listed, without an operation; the journal’s own paths, health, metrics and pages are not', async () => {
    await server.anybody.call('GET', '/nada');
    for (const path of ['/healthz', '/readyz', '/metrics', '/', `${REQUESTS}/x/y`])
      await server.anybody.call('GET', path);
    await admin.call('GET', `${REQUESTS}/0`);
    const entries = await rows();
    expect(entries.map(({ path, status, operation }) => [path, status, operation])).toEqual([
      ['/nada', 404, null],
    ]);
  });

  test('a request with too long headers is listed too', async () => {
    await server.anybody.call('GET', `/catp/api/ext/produto?denominacao=${'x'.repeat(70_000)}`);
    expect(await last()).toMatchObject({ status: 431, operation: null });
  });

  describe('the list', () => {
    test('is filtered by operation, status, method and a part of the path', async () => {
      await demo.call('GET', SUBSCRIPTIONS);
      await demo.call('POST', '/catp/api/ext/produto/12345678', {});
      await demo.call('GET', '/nada/mesmo');
      const paths = async (query: string) => (await rows(query)).map(({ path }) => path);
      expect(await paths('?operation=listSubscriptions')).toEqual([SUBSCRIPTIONS]);
      expect(await paths('?status=400')).toEqual(['/catp/api/ext/produto/12345678']);
      expect(await paths('?method=post')).toEqual(['/catp/api/ext/produto/12345678']);
      expect(await paths('?path=/mesmo')).toEqual(['/nada/mesmo']);
      expect(await paths('?path=/mesmo&method=POST')).toEqual([]);
      expect(await paths('')).toEqual(['/nada/mesmo', '/catp/api/ext/produto/12345678', SUBSCRIPTIONS]);
    });

    test('continues after the last row', async () => {
      for (let at = 1; at <= 5; at += 1) await server.anybody.call('GET', `/nada/${at}`);
      const first = await rows('?limit=2');
      const second = await rows(`?limit=2&after=${first.at(-1)?.id}`);
      const third = await rows(`?limit=2&after=${second.at(-1)?.id}`);
      expect([...first, ...second, ...third].map(({ path }) => path)).toEqual(
        [5, 4, 3, 2, 1].map((at) => `/nada/${at}`),
      );
    });

    test('refuses limits above the number of kept requests', async () => {
      for (const [query, status] of [
        ['limit=0', 400],
        ['limit=1', 200],
        ['limit=1000', 200],
        ['limit=1001', 400],
        ['after=0', 400],
        ['status=99', 400],
      ] as const)
        expect([query, (await admin.call('GET', `${REQUESTS}?${query}`)).status]).toEqual([query, status]);
    });

    test('keeps the last 1000, and is empty after DELETE', async () => {
      for (let at = 1; at <= 1001; at += 1) await server.anybody.call('GET', `/nada/${at}`);
      const entries = await rows('?limit=1000');
      expect([entries.length, entries[0]?.path, entries.at(-1)?.path]).toEqual([
        1000,
        '/nada/1001',
        '/nada/2',
      ]);
      expect((await admin.call('GET', `${REQUESTS}/${(entries.at(-1)?.id ?? 0) - 1}`)).status).toBe(404);
      expect((await admin.call('DELETE', REQUESTS)).status).toBe(204);
      expect(await rows()).toEqual([]);
      expect((await admin.call('GET', `${REQUESTS}/${entries[0]?.id}`)).status).toBe(404);
    });
  });

  describe('a request in detail', () => {
    test('has headers and bodies of the request and the answer', async () => {
      const reply = await demo.call('POST', '/catp/api/ext/produto/12345678', PRODUCT);
      expect(await detail()).toMatchObject({
        method: 'POST',
        requestBody: JSON.stringify(PRODUCT),
        responseBody: reply.text,
        truncated: false,
        requestHeaders: { 'content-type': 'application/json', authorization: '***', 'x-csrf-token': '***' },
        responseHeaders: { 'content-type': 'application/json; charset=utf-8', 'x-csrf-token': '***' },
      });
    });

    test('has the body of a request that was refused before anything read it', async () => {
      await server.anybody.call('POST', '/catp/api/ext/produto/12345678', PRODUCT);
      expect(await detail()).toMatchObject({ status: 401, user: null, requestBody: JSON.stringify(PRODUCT) });
    });

    test('has a streamed body, which the client gets completely', async () => {
      for (const denominacao of ['um', 'dois'])
        await demo.call('POST', '/catp/api/ext/produto/12345678', { ...PRODUCT, denominacao });
      const reply = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
      expect(reply.json.length).toBeGreaterThan(1);
      expect(await detail()).toMatchObject({ responseBody: reply.text, truncated: false });
    });

    test('is cut at 64 KiB, between two characters', async () => {
      const limit = 64 * 1024;
      const sized = (bytes: number) => JSON.stringify({ denominacao: 'x'.repeat(bytes - 18) });
      expect(sized(100)).toHaveLength(100);
      for (const [bytes, isCut] of [
        [limit, false],
        [limit + 1, true],
      ] as const) {
        await demo.call('POST', '/catp/api/ext/produto/12345678', sized(bytes));
        const { requestBody, truncated } = await detail();
        expect([requestBody, truncated]).toEqual([sized(bytes).slice(0, limit), isCut]);
      }
      await demo.call('POST', '/catp/api/ext/produto/12345678', `x${'é'.repeat(limit)}`);
      const { requestBody } = await detail();
      expect(requestBody).toBe(`x${'é'.repeat(limit / 2 - 1)}`);
    });

    test('hides every secret, wherever it occurs', async () => {
      const secrets: string[] = [];
      const remember = (secret: string): string => {
        secrets.push(secret);
        return secret;
      };
      const signedIn = await server.anybody.call('POST', KEY_SIGN_IN, undefined, {
        'client-id': 'demo',
        'client-secret': 'demo',
        'role-type': 'IMPEXP',
      });
      remember(signedIn.headers.get('set-token') ?? '');
      remember(signedIn.headers.get('x-csrf-token') ?? '');
      remember((signedIn.json as { token: string }).token);
      await server.anybody.call('POST', KEY_SIGN_IN, undefined, {
        'client-id': 'demo',
        'client-secret': remember('canario-um'),
        'role-type': 'IMPEXP',
      });
      const key = (await admin.call('POST', '/appliance/api/keys', { documento: '00000000191' })).json as {
        clientSecret: string;
      };
      remember(key.clientSecret);
      const target = { evento: 'duex-historico', endpoint: 'https://u:canario-dois@erp.empresa.com.br/n' };
      remember('canario-dois');
      await demo.call('POST', SUBSCRIPTIONS, { ...target, chaveSecreta: remember('canario-3') });
      await demo.call('POST', SUBSCRIPTIONS, { ...target, chaveAutenticacao: [remember('canario-quatro')] });
      await demo.call('POST', SUBSCRIPTIONS, { ...target, chaveSecrta: remember('canario-cinco') });
      await demo.call('POST', SUBSCRIPTIONS, `{"chaveSecreta": '${remember('canario-seis')}'}`);
      await demo.call('POST', SUBSCRIPTIONS, String.raw`{"chave\u0053ecreta":"${remember('canario-sete')}"}`);
      await demo.call('POST', SUBSCRIPTIONS, `chaveSecreta=${remember('canario-oito')}`, {
        'content-type': 'application/x-www-form-urlencoded',
      });
      await demo.call('GET', `${SUBSCRIPTIONS}?client_secret=${remember('canario-nove')}`);
      await demo.call('GET', SUBSCRIPTIONS, undefined, { cookie: remember('canario-dez') });
      const entries = await rows();
      expect(entries.length).toBe(11);
      const all: string[] = [JSON.stringify(entries)];
      for (const { id } of entries) {
        all.push((await admin.call('GET', `${REQUESTS}/${id}`)).text);
        all.push((await admin.call('GET', `${REQUESTS}/${id}/curl`)).text);
      }
      expect(secrets.filter((secret) => secret === '' || all.some((text) => text.includes(secret)))).toEqual(
        [],
      );
    });
  });

  describe('the live stream', () => {
    test('sends each new request, and ends with the server', async () => {
      const own = await openApp({ over });
      const watcher = await own.as('admin');
      await watcher.call('DELETE', REQUESTS);
      const { headers } = await own.anybody.call('POST', KEY_SIGN_IN, undefined, {
        'client-id': 'admin',
        'client-secret': 'admin',
        'role-type': 'IMPEXP',
      });
      const response = await trusting(`${own.url}${REQUESTS}/live`, {
        headers: {
          authorization: headers.get('set-token') ?? '',
          'x-csrf-token': headers.get('x-csrf-token') ?? '',
        },
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let stream = '';
      const until = async (mark: RegExp): Promise<void> => {
        while (!mark.test(stream)) stream += (await reader?.read())?.value ?? '';
      };
      await until(/^: catp\n\n/);
      await own.anybody.call('GET', '/nada/um');
      await until(/nada\/um.*\n\n/);
      await own.anybody.call('GET', '/nada/dois?token=canario');
      await until(/nada\/dois.*\n\n/);
      const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Row);
      const listed = (await watcher.call('GET', REQUESTS)).json as Row[];
      expect(events).toEqual(listed.slice(0, 2).toReversed());
      await own.app.stop();
      expect((await reader?.read())?.done).toBe(true);
      await own.close();
    });
  });
});

test('an upload passes through unread, and its beginning is in the journal', async () => {
  const server = await openApp({ over: 'http', demo: true });
  const [demo, admin] = await Promise.all([server.as('demo'), server.as('admin')]);
  const form = new FormData();
  const text = JSON.stringify(Array.from({ length: 2000 }, (_, seq) => ({ seq: seq + 1, ...PRODUCT })));
  form.set('tipo', 'produto');
  form.set('file', new File([text], 'produtos.json', { type: 'application/json' }));
  const reply = await demo.call('POST', '/appliance/api/imports', form);
  expect([reply.status, reply.text]).toEqual([202, expect.any(String)]);
  const [row] = (await admin.call('GET', `${REQUESTS}?operation=startImport`)).json as Row[];
  const { requestBody, truncated } = (await admin.call('GET', `${REQUESTS}/${row?.id}`)).json as Detail;
  expect(truncated).toBe(true);
  expect(requestBody).toContain('produtos.json');
  await server.close();
});

test('catp serve has no journal', async () => {
  const server = await openApp({ parts: { mode: 'serve' } });
  const admin = await server.as('admin');
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/1'],
    ['GET', '/1/curl'],
    ['GET', '/live'],
  ] as const)
    expect((await admin.call(method, REQUESTS + path)).status).toBe(404);
  await server.close();
});
