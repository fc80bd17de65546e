/**
 * The client of the pages: automatic renewal of tokens, errors as values, the end of a session, a lost
 * connection.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ABORTED, Api } from '../../../src/web/api/client.ts';

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

type Answer = (request: { readonly method: string; readonly url: string }) => Response | 'cut';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** `late`: the answer of `/slow` waits for it. */
async function open(answer: Answer, late?: Promise<void>) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(({ method = '', url = '', headers, socket }, response) => {
    if (url === '/healthz') return void response.end('{}');
    requests.push({ method, path: url, headers: new Headers(headers as Record<string, string>) });
    const reply = answer({ method, url });
    if (reply === 'cut') return void socket.destroy();
    const send = async (): Promise<void> => {
      if (url === '/slow') await late;
      response.writeHead(reply.status, Object.fromEntries(reply.headers));
      response.end(await reply.text());
    };
    void send();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  } as Storage; // the members that the client uses
  return { api: new Api(`http://127.0.0.1:${port}`, storage), requests, entries };
}

const tokens = (csrf: string, until: number, jwt?: string): Headers =>
  new Headers({
    'X-CSRF-Token': csrf,
    'X-CSRF-Expiration': String(until),
    ...(jwt !== undefined && { 'Set-Token': jwt }),
  });

const SIGN_IN = '/portal/api/autenticar/chave-acesso';

describe('the client of the pages', () => {
  test('sends both tokens, and stores the newer one of every answer, also of refusals', async () => {
    const answers = [
      new Response('{}', { headers: tokens('first', 1000, 'jwt') }),
      new Response('{}', { status: 404, headers: tokens('second', 2000) }),
      // An answer to an earlier request, which arrives later.
      new Response('{}', { headers: tokens('late', 1500) }),
      new Response('{}', { headers: tokens('third', 3000) }),
    ];
    const { api, requests } = await open(() => answers.shift() ?? new Response('{}'));
    await api.post(SIGN_IN);
    for (const path of ['/a', '/b', '/c', '/d']) await api.get(path);
    const sentHeaders = requests.map(({ headers }) => [
      headers.get('authorization'),
      headers.get('x-csrf-token'),
    ]);
    expect(sentHeaders).toEqual([
      [null, null],
      ['jwt', 'first'],
      ['jwt', 'second'],
      ['jwt', 'second'],
      ['jwt', 'third'],
    ]);
  });

  test('returns a refusal as a value: message, code, tag, and each problem with its place', async () => {
    const body = {
      message: 'Corrija.',
      code: 'CATP-ER0422',
      tag: '[CATP-K3J9X2M4QA]',
      detail: [
        { message: 'a', code: 'CATP-ER1012', field: 'atributos', path: '/atributos/2/valor' },
        { message: 'b', code: 'PUCX-ER0010', field: null, path: 'ncm' },
      ],
    };
    const { api } = await open(() => Response.json(body, { status: 422 }));
    const answer = await api.post('/x', {});
    expect(answer).toEqual({
      ok: false,
      error: {
        status: 422,
        message: '2 problemas; o primeiro: a',
        code: 'CATP-ER0422',
        tag: '[CATP-K3J9X2M4QA]',
        problems: [
          { message: 'a', code: 'CATP-ER1012', place: 'atributos/2/valor' },
          { message: 'b', code: 'PUCX-ER0010', place: 'ncm' },
        ],
      },
    });
  });

  test('reads a field at the top of the body as a problem too', async () => {
    const body = {
      message: 'Já existe.',
      code: 'PLAT-ER9100',
      tag: 't',
      field: 'evento',
      path: null,
      detail: [],
    };
    const { api } = await open(() => Response.json(body, { status: 422 }));
    const answer = await api.post('/x', {});
    expect(answer).toMatchObject({ error: { problems: [{ message: 'Já existe.', place: 'evento' }] } });
  });

  test('reports an answer that is an error page, or no JSON', async () => {
    const { api } = await open(
      ({ method }) => new Response('<html>', { status: method === 'GET' ? 502 : 200 }),
    );
    expect(await api.get('/x')).toMatchObject({ ok: false, error: { status: 502, code: null } });
    expect(await api.post('/x')).toMatchObject({ ok: false, error: { status: 0, code: null } });
  });

  test('ends the session at 401, when there was one', async () => {
    const { api, entries } = await open(({ url }) =>
      url.endsWith(SIGN_IN)
        ? new Response('{}', { headers: tokens('first', 1000, 'jwt') })
        : Response.json({ message: 'não', code: 'PUCX-ER0201' }, { status: 401 }),
    );
    let ended = 0;
    api.onSessionEnd = () => (ended += 1);
    await api.get('/x');
    expect(ended).toBe(0);
    await api.post(SIGN_IN);
    await api.get('/x');
    expect([ended, entries.size]).toEqual([1, 0]);
  });

  test('ignores an answer to a replaced session, and does not end the new session for it', async () => {
    const late = Promise.withResolvers<void>();
    const { api, entries } = await open(({ url }) => {
      if (!url.endsWith(SIGN_IN)) return Response.json({ message: 'não' }, { status: 401 });
      return new Response('{}', { headers: tokens('csrf', 1000, entries.size === 0 ? 'first' : 'second') });
    }, late.promise);
    let ended = 0;
    api.onSessionEnd = () => (ended += 1);
    await api.post(SIGN_IN);
    const slow = api.get('/slow');
    await api.post(SIGN_IN);
    late.resolve();
    expect(await slow).toMatchObject({ ok: false, error: { status: 401 } });
    expect([ended, api.tokens.current?.authorization]).toEqual([0, 'second']);
  });

  test('discards the answer to a request of an earlier session', async () => {
    const late = Promise.withResolvers<void>();
    const { api } = await open(
      ({ url }) =>
        new Response('{}', { headers: tokens('csrf', 1000, url.endsWith(SIGN_IN) ? 'jwt' : undefined) }),
      late.promise,
    );
    await api.post(SIGN_IN);
    const slow = api.post('/slow', {});
    api.signOut();
    await api.post(SIGN_IN);
    late.resolve();
    expect(await slow).toEqual({ ok: false, error: ABORTED });
  });

  test('accepts a sign-in while the earlier session ends', async () => {
    const late = Promise.withResolvers<void>();
    const { api } = await open(
      () => new Response('{}', { headers: tokens('csrf', 1000, 'jwt') }),
      late.promise,
    );
    const signingIn = api.post('/slow');
    api.signOut();
    late.resolve();
    expect(await signingIn).toMatchObject({ ok: true });
    expect(api.tokens.current?.authorization).toBe('jwt');
  });

  test('announces the start of a session once, and again only when it lasts longer', async () => {
    const answers = [tokens('first', 1000, 'jwt'), tokens('second', 1000), tokens('third', 2000)];
    const { api } = await open(() => new Response('{}', { headers: answers.shift() ?? tokens('x', 1) }));
    const csrfTokens: (string | undefined)[] = [];
    api.onTokens = () => csrfTokens.push(api.tokens.current?.csrf);
    await api.post(SIGN_IN);
    for (const path of ['/a', '/b', '/c']) await api.get(path);
    expect(csrfTokens).toEqual(['first', 'third']);
  });

  test('repeats a read after a cut connection, but never sends a change twice', async () => {
    let cut = 0;
    const { api, requests } = await open(({ method }) => {
      cut += 1;
      if (method === 'GET' && cut > 1) return Response.json({ done: true });
      return 'cut';
    });
    expect(await api.get('/x')).toMatchObject({ ok: true, value: { done: true } });
    expect(requests).toHaveLength(2);
    const change = await api.post('/x', {});
    expect(change).toMatchObject({ ok: false, error: { status: 0 } });
    expect(requests).toHaveLength(3);
    expect(api.connection.state.value).toBe('lost');
  });

  test('omits empty parameters from a query', async () => {
    const { api, requests } = await open(() => new Response(null, { status: 204 }));
    const answer = await api.get('/x', { query: { ncm: '', situacao: undefined, limit: 5, nome: 'a b' } });
    expect(answer).toMatchObject({ ok: true, value: undefined });
    expect(requests[0]?.path).toBe('/x?limit=5&nome=a+b');
  });
});
