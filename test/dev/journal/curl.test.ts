/**
 * The curl of a request in the journal (contract section 15): pasted into bash it repeats the request,
 * byte for byte.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../../support/app.ts';
import { SCHEMES } from '../../support/tls.ts';

const REQUESTS = '/appliance/api/requests';
const PRODUCT = { denominacao: 'Café', modalidade: 'IMPORTACAO', ncm: '09012100' };
const PRODUCTS = '/catp/api/ext/produto/12345678';
const SUBSCRIPTIONS = '/portal/api/ext/webhook';
const KEY_SIGN_IN = '/portal/api/autenticar/chave-acesso';

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

  const ids = async (query: string): Promise<number[]> =>
    ((await admin.call('GET', `${REQUESTS}${query}`)).json as { id: number }[]).map(({ id }) => id);
  const bodyOf = async (id: number): Promise<string> =>
    (await admin.call('GET', `${REQUESTS}/${id}`)).json.requestBody;
  const curl = async (): Promise<Reply> => {
    const [last] = await ids('?limit=1');
    return admin.call('GET', `${REQUESTS}/${last}/curl`);
  };

  const variables = async (): Promise<Record<string, string>> => {
    const { headers } = await server.anybody.call('POST', KEY_SIGN_IN, undefined, {
      'client-id': 'demo',
      'client-secret': 'demo',
      'role-type': 'IMPEXP',
    });
    return { TOKEN: headers.get('set-token') ?? '', CSRF: headers.get('x-csrf-token') ?? '' };
  };
  const paste = async (command: string, environment?: Record<string, string>): Promise<string> => {
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', command], {
      env: {
        PATH: process.env['PATH'] ?? '',
        CLIENT_SECRET: 'demo',
        ...(environment ?? (await variables())),
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, errors] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ]);
    return `${output}${errors}`;
  };

  test('returns the same status when it is pasted', async () => {
    const caller = await server.as('demo'); // another sign-in would have the CSRF token of another session
    const base = '/catp/api/ext/produto';
    const nasty = { ...PRODUCT, denominacao: `it's "quoted" $HOME \`id\` \\ ! [a-z] {b} ação\n%41` };
    for (const [method, path, body, headers, status] of [
      ['POST', `${base}/12345678`, nasty, {}, 200],
      ['POST', `${base}/12345678`, { ncm: "'" }, {}, 400],
      [
        'GET',
        `${base}?cpfCnpjRaiz=12345678&denominacao=${encodeURIComponent("it's [a] {1,2} $x")}`,
        undefined,
        {},
        204,
      ],
      ['GET', `${base}/12345678/99999/1`, undefined, {}, 404],
      // A client that waits for the body of an answer to HEAD never ends.
      ['HEAD', `${base}/12345678/99999/1`, undefined, {}, 404],
      ['POST', `${base}/11222333`, PRODUCT, {}, 403],
      ['POST', `${base}/12345678`, '{"a":1}', { 'content-type': 'text/plain' }, 415],
      [
        'POST',
        KEY_SIGN_IN,
        undefined,
        { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' },
        200,
      ],
      ['POST', KEY_SIGN_IN, undefined, { 'client-id': 'demo', 'role-type': 'NADA' }, 422],
      ['DELETE', '/nada', undefined, {}, 404],
    ] as const) {
      const reply = await caller.call(method, path, body, headers);
      expect([path, reply.status]).toEqual([path, status]);
      const command = await curl();
      expect(command.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const output = await paste(command.text);
      expect([command.text, output]).toEqual([
        command.text,
        expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `)),
      ]);
    }
    // Both requests sent the same body.
    const bodies = (await ids('?operation=includeProduct&status=200&limit=2')).map(bodyOf);
    expect(await Promise.all(bodies)).toEqual([JSON.stringify(nasty), JSON.stringify(nasty)]);
  });

  test('sends a body that begins with @ unchanged: it is never read as a file name', async () => {
    await demo.call('POST', '/catp/api/ext/produto/12345678', '@/etc/hostname');
    await paste((await curl()).text);
    const bodies = (await ids('?operation=includeProduct&limit=2')).map(bodyOf);
    expect(await Promise.all(bodies)).toEqual(['@/etc/hostname', '@/etc/hostname']);
  });

  test('names the variables to set', async () => {
    await demo.call('GET', SUBSCRIPTIONS);
    const { text } = await curl();
    expect(text).toContain("# Preencha antes: TOKEN='…'");
    expect(text).toContain(`"$TOKEN"`);
    expect(text).toContain(server.url + SUBSCRIPTIONS);
  });

  describe('a body is repeated byte for byte', () => {
    /** Returns the body that the command of the last request sends to a server in this server's place. */
    async function repeatedBody(): Promise<Uint8Array> {
      let body: Uint8Array = new Uint8Array();
      const receiver = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: async (request) => {
          body = await request.bytes();
          return new Response();
        },
      });
      try {
        const { text } = await curl();
        await paste(text.replace(String(server.url), receiver.url.origin), { TOKEN: 'x', CSRF: 'x' });
      } finally {
        await receiver.stop(true);
      }
      return body;
    }

    const json = { 'content-type': 'application/json' };
    const every = Uint8Array.from({ length: 255 }, (_, index) => index + 1);

    test.each([
      ['in Latin-1', Buffer.from(JSON.stringify(PRODUCT), 'latin1')],
      ['in Latin-1 that has digits, quotes and backslashes after it', Buffer.from(`{"é0'é\\\\"}`, 'latin1')],
      ['with a byte order mark', Buffer.from(`\uFEFF${JSON.stringify(PRODUCT)}`)],
      ['with two of them', Buffer.from(`\uFEFF\uFEFF{}`)],
      ['with a byte order mark, and in Latin-1', Buffer.from('\xEF\xBB\xBF{"a":"\xE9"}', 'latin1')],
      ['of nothing but a byte order mark', Buffer.from('\uFEFF')],
      ['of every byte but NUL', every],
    ])('%s', async (_what, body) => {
      await demo.call('POST', PRODUCTS, body, json);
      expect(Buffer.from(await repeatedBody()).toString('hex')).toBe(Buffer.from(body).toString('hex'));
    });

    test('in Latin-1 is refused again', async () => {
      const body = Buffer.from(JSON.stringify(PRODUCT), 'latin1');
      const { status } = await demo.call('POST', PRODUCTS, body, json);
      expect([status, (await paste((await curl()).text)).slice(0, 12)]).toEqual([400, 'HTTP/1.1 400']);
    });

    test('with hidden secrets, whatever its encoding', async () => {
      for (const mark of ['', '\xEF\xBB\xBF']) {
        const body = Buffer.from(`${mark}{"n":"\xE9","chaveSecreta":"canario"}`, 'latin1');
        await demo.call('POST', SUBSCRIPTIONS, body, json);
        const { text } = await curl();
        expect([text.includes('canario'), text.includes('"$CHAVE_SECRETA"')]).toEqual([false, true]);
      }
    });

    test('with a NUL, which no command can contain, from a file', async () => {
      await demo.call('POST', PRODUCTS, Buffer.from('{}\0'), json);
      const { text } = await curl();
      expect(text).toContain('--data-binary "@$CORPO"');
      expect(text).toContain("# Preencha antes: CORPO='…'");
    });
  });
});
