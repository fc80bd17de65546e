/**
 * A provider that lies, is offline, or is impersonated (contract section 27): a page with the reason and
 * the next step, one line in the log, no session.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Claims, Faults } from '../support/hostile-provider.ts';
import { type ProviderApp, codeOf, openProviderApp } from '../support/provider-sign-in.ts';
import { HandTime } from '../support/real-time.ts';
import type { Reply } from '../support/app.ts';

let setup: ProviderApp;
beforeEach(async () => {
  setup = await openProviderApp();
});
afterEach(() => setup[Symbol.asyncDispose]());

const STATUS_OF: Readonly<Record<string, number>> = {
  'CATP-ER1902': 403,
  'CATP-ER1906': 503,
  'CATP-ER1907': 403,
  'CATP-ER1908': 403,
};

/** Expects the page and the one line of the log. `reason`: the beginning or a part of what both say. */
function expectRefused(reply: Reply, code: string, reason: string | RegExp): void {
  expect([reply.status, reply.headers.get('location')]).toEqual([STATUS_OF[code] ?? 422, null]);
  expect(reply.headers.get('content-type')).toStartWith('text/html');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('set-token')).toBeNull();
  expect(reply.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(reply.text).toContain('<h1>Não foi possível entrar</h1>');
  expect(reply.text).toContain('href="/entrar"');
  expect(reply.text).toContain(code);
  expect(setup.lines).toHaveLength(1);
  const [line] = setup.lines;
  expect(line).toMatchObject({ way: 'oidc', address: 'local', code, status: reply.status });
  expect(String(line?.['reason'])).toMatch(reason);
  expect(reply.text).toContain(String(line?.['tag']));
}

const DISCOVERY = '/.well-known/openid-configuration';
const past = Math.floor(Date.now() / 1000) - 3600;

describe('the ID token', () => {
  const withClaims = (members: Claims): Faults => ({ claims: (claims) => ({ ...claims, ...members }) });
  test.each<[name: string, faults: Faults, reason: RegExp]>([
    ['a wrong nonce', withClaims({ nonce: 'outro' }), /nonce/],
    ['no nonce', withClaims({ nonce: undefined }), /nonce/],
    ['a wrong audience', withClaims({ aud: 'outro' }), /aud/],
    ['a second audience without an authorized party', withClaims({ aud: ['catp', 'outro'] }), /aud/],
    ['another authorized party', withClaims({ aud: ['catp', 'outro'], azp: 'outro' }), /azp/],
    ['a wrong issuer', withClaims({ iss: 'https://outro.exemplo' }), /iss/],
    ['no issuer', withClaims({ iss: undefined }), /iss/],
    ['no subject', withClaims({ sub: undefined }), /sub/],
    ['an end that has passed', withClaims({ iat: past, exp: past + 60 }), /exp/],
    ['no end', withClaims({ exp: undefined }), /exp/],
    ['a beginning that is still to come', withClaims({ nbf: past + 7200 }), /nbf/],
    ['a signature by a strange key', { signature: 'strange key' }, /signature/],
    ['a signature by HS256 with the secret of the client', { signature: 'HS256' }, /alg/],
    ['a signature by PS256', { signature: 'PS256' }, /alg/],
    ['no signature', { signature: 'none' }, /alg/],
    ['a signature that was cut off', { idToken: (token) => token.replace(/\.[^.]*$/, '.') }, /signature/],
    ['claims of another token', { idToken: withOtherClaims }, /signature/],
    ['no form', { idToken: () => 'x.y' }, /JWT/],
  ])('with %s is refused', async (_, faults, reason) => {
    setup.provider.faults = faults;
    expectRefused((await setup.signIn()).reply, 'CATP-ER1905', reason);
  });

  test('is accepted without a fault', async () => {
    setup.provider.faults = {
      answers: { '/token': () => Response.json({ access_token: 'x', token_type: 'Bearer' }) },
    };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1905', /id_token/);
  });

  test('with another person in its userinfo is refused', async () => {
    setup.provider.person = { sub: 'pessoa-1' };
    setup.provider.faults = { userinfo: { sub: 'pessoa-2', cpf: '00000000191' } };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1905', /sub/);
  });

  /** Puts the CPF of another person into a signed token. */
  function withOtherClaims(token: string): string {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const forgedClaims = Buffer.from(JSON.stringify({ ...claims, cpf: '00000000272' })).toString('base64url');
    return [header, forgedClaims, signature].join('.');
  }
});

describe('the return', () => {
  test('without the cookie is refused, and the provider is not called', async () => {
    const { address } = await setup.begin();
    const query = setup.provider.authorize(address);
    const requestsBefore = setup.provider.requests.length;
    expectRefused(await setup.back(query), 'CATP-ER1901', /navegador/);
    expect(setup.provider.requests).toHaveLength(requestsBefore);
  });

  test.each<[name: string, change: (query: URLSearchParams) => void]>([
    ['a wrong state', (query) => query.set('state', 'outro')],
    ['no state', (query) => query.delete('state')],
    ['two states', (query) => query.append('state', query.get('state') ?? '')],
  ])('with %s is refused', async (_, change) => {
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    change(query);
    expectRefused(await setup.back(query, cookie), 'CATP-ER1901', /state/);
  });

  test('with the cookie of another sign-in is refused', async () => {
    const { address } = await setup.begin();
    const { cookie } = await setup.begin();
    expectRefused(await setup.back(setup.provider.authorize(address), cookie), 'CATP-ER1901', /state/);
  });

  test.each(['catp-oidc=inventado', 'catp-oidc=', 'outro=1', `catp-oidc=${'A'.repeat(400)}`])(
    'with the cookie %s is refused',
    async (cookie) => {
      const { address } = await setup.begin();
      expectRefused(await setup.back(setup.provider.authorize(address), cookie), 'CATP-ER1901', /navegador/);
    },
  );

  test('after the same return is refused, and its code is not sent again', async () => {
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    expect(codeOf(await setup.back(query, cookie))).not.toBe('');
    const requestsBefore = setup.provider.requests.length;
    expectRefused(await setup.back(query, cookie), 'CATP-ER1901', /já foi usada/);
    expect(setup.provider.requests).toHaveLength(requestsBefore);
  });

  test('with a code that was used before is refused', async () => {
    const first = await setup.begin();
    const used = setup.provider.authorize(first.address);
    expect(codeOf(await setup.back(used, first.cookie))).not.toBe('');
    const second = await setup.begin();
    const query = setup.provider.authorize(second.address);
    query.set('code', used.get('code') ?? '');
    expectRefused(await setup.back(query, second.cookie), 'CATP-ER1903', /invalid_grant/);
  });

  test('with the code of another sign-in is refused: its PKCE is another', async () => {
    const stolen = setup.provider.authorize((await setup.begin()).address);
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    query.set('code', stolen.get('code') ?? '');
    expectRefused(await setup.back(query, cookie), 'CATP-ER1903', /invalid_grant/);
  });

  test('with a refusal of the provider shows its text, and no HTML of it', async () => {
    const { address, cookie } = await setup.begin();
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: '<b>não</b>\nautorizado',
      state: setup.provider.authorize(address).get('state') ?? '',
    });
    const reply = await setup.back(query, cookie);
    expectRefused(reply, 'CATP-ER1902', /^access_denied: <b>não<\/b> autorizado$/);
    expect(reply.text).not.toContain('<b>');
  });

  test('without a code is refused', async () => {
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    query.delete('code');
    expectRefused(await setup.back(query, cookie), 'CATP-ER1905', /code/);
  });

  test('with another issuer in its address is refused', async () => {
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    query.set('iss', 'https://outro.exemplo');
    expectRefused(await setup.back(query, cookie), 'CATP-ER1905', /iss/);
  });
});

describe('the discovery document', () => {
  const beginRefused = async (reason: RegExp): Promise<void> => {
    const reply = await setup.app.anybody.call('GET', '/entrar/oidc');
    expectRefused(reply, 'CATP-ER1906', reason);
  };
  test.each<[name: string, discovery: (document: Claims) => Claims, reason: RegExp]>([
    ['another issuer', (one) => ({ ...one, issuer: 'https://outro.exemplo' }), /issuer/],
    ['no issuer', ({ issuer: _, ...one }) => one, /issuer/],
    ['no address of tokens', ({ token_endpoint: _, ...one }) => one, /token_endpoint/],
    ['no keys', ({ jwks_uri: _, ...one }) => one, /jwks_uri/],
    ...[
      'authorization_endpoint',
      'token_endpoint',
      'jwks_uri',
      'userinfo_endpoint',
      'end_session_endpoint',
    ].flatMap((name): [string, (document: Claims) => Claims, RegExp][] => [
      [
        `${name} by http`,
        (one) => ({ ...one, [name]: 'http://outro.exemplo/x' }),
        new RegExp(`${name} não é https`),
      ],
      [`${name} that is no address`, (one) => ({ ...one, [name]: 7 }), new RegExp(name)],
      [`${name} that is a script`, (one) => ({ ...one, [name]: 'javascript:alert(1)' }), new RegExp(name)],
    ]),
  ])('with %s is refused', async (_, discovery, reason) => {
    setup.provider.faults = { discovery };
    await beginRefused(reason);
  });

  test.each<[name: string, answer: (request: Request) => Response, reason: RegExp]>([
    ['an error', () => new Response('x', { status: 500 }), /respondeu 500/],
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), /./],
    ['broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } }), /./],
    ['a list', () => Response.json([]), /./],
    ['a redirect', ({ url }) => Response.redirect(`${url}x`, 302), /redirecionamento/],
    ['an endless body', endless, /passa de 1 MiB/],
  ])('that is %s is refused', async (_, answer, reason) => {
    setup.provider.faults = { answers: { [DISCOVERY]: answer } };
    await beginRefused(reason);
  });

  test('is requested again after a failure', async () => {
    setup.provider.faults = { answers: { [DISCOVERY]: () => new Response('x', { status: 500 }) } };
    await beginRefused(/500/);
    setup.provider.faults = {};
    expect(codeOf((await setup.signIn()).reply)).not.toBe('');
  });
});

describe('an endpoint', () => {
  test.each(['/token', '/jwks', '/userinfo'])('%s that redirects is not followed', async (path) => {
    setup.provider.person = { sub: 'pessoa-1' };
    const otherAddress = `${setup.provider.issuer}/alhures`;
    setup.provider.faults = { answers: { [path]: () => Response.redirect(otherAddress, 307) } };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1906', /redirecionamento/);
    expect(setup.provider.requests).not.toContain('/alhures');
  });

  test.each(['/token', '/jwks', '/userinfo'])('%s without an end is cut', async (path) => {
    setup.provider.person = { sub: 'pessoa-1' };
    setup.provider.faults = { answers: { [path]: endless } };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1906', /passa de 1 MiB/);
  });

  test('/token that refuses the client is reported so', async () => {
    const answer = () => Response.json({ error: 'invalid_client' }, { status: 401 });
    setup.provider.faults = { answers: { '/token': answer } };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1904', /invalid_client/);
  });

  test('/token that fails is reported so', async () => {
    setup.provider.faults = { answers: { '/token': () => new Response('', { status: 502 }) } };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1906', /502/);
  });
});

describe('a provider that is', () => {
  test('offline at the start', async () => {
    await setup.provider[Symbol.asyncDispose]();
    expectRefused(
      await setup.app.anybody.call('GET', '/entrar/oidc'),
      'CATP-ER1906',
      /não pôde ser alcançado/,
    );
  });

  test('offline at the return leaves the other methods open', async () => {
    const { address, cookie } = await setup.begin();
    const query = setup.provider.authorize(address);
    await setup.provider[Symbol.asyncDispose]();
    expectRefused(await setup.back(query, cookie), 'CATP-ER1906', /não pôde ser alcançado/);
    const demo = await setup.app.as('demo');
    expect((await demo.call('GET', '/appliance/api/session')).status).toBe(200);
  });

  test.each([DISCOVERY, '/token'])('slow at %s has 10 seconds', async (path) => {
    await setup[Symbol.asyncDispose]();
    const realTime = new HandTime();
    setup = await openProviderApp({ realTime });
    const never = new Promise<Response>(() => undefined);
    const reached = Promise.withResolvers<void>();
    const start = path === DISCOVERY ? undefined : await setup.begin();
    const slow = () => {
      reached.resolve();
      return never;
    };
    setup.provider.faults = { answers: { [path]: slow } };
    const reply =
      start === undefined
        ? setup.app.anybody.call('GET', '/entrar/oidc')
        : setup.back(setup.provider.authorize(start.address), start.cookie);
    await reached.promise;
    realTime.pass(10_000);
    expectRefused(await reply, 'CATP-ER1906', /10 segundos/);
  });
});

describe('a person with an account at the provider', () => {
  test('and without one in this instance gets the received values and the next step', async () => {
    setup.provider.person = { sub: 'pessoa-9', cpf: '529.982.247-25' };
    const { reply } = await setup.signIn();
    expectRefused(reply, 'CATP-ER1907', /CPF que não é de um usuário/);
    for (const word of ['pessoa-9', '52998224725', setup.provider.issuer, 'quem administra esta instalação'])
      expect(reply.text).toContain(word);
    const { issuer } = setup.provider;
    expect(setup.lines).toMatchObject([{ user: '***.982.247-**', sub: 'pessoa-9', issuer }]);
  });

  test('with an endless name is shown with its beginning', async () => {
    setup.provider.person = { sub: 'x'.repeat(100_000) };
    const { reply } = await setup.signIn();
    expectRefused(reply, 'CATP-ER1907', /não veio/);
    expect(reply.text.length).toBeLessThan(10_000);
    expect(setup.lines).toMatchObject([{ sub: 'x'.repeat(300) }]);
  });

  test.each<[name: string, cpf: unknown, reason: RegExp]>([
    ['no claim', undefined, /não veio/],
    ['a number, which has lost its zeros', 191, /não traz um CPF como texto/],
    ['a list', ['00000000191'], /não traz um CPF como texto/],
    ['fewer digits', '0000000191', /não traz um CPF como texto/],
    ['more digits', '000000001910', /não traz um CPF como texto/],
  ])('by %s is unknown', async (_, cpf, reason) => {
    setup.provider.person = { sub: 'pessoa-1', cpf };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1907', reason);
  });

  test('and without a represented company gets no session', async () => {
    const admin = await setup.app.as('admin');
    const user = { documento: '52998224725', nome: 'Nova Pessoa', tipo: 'PRIV' };
    expect((await admin.call('POST', '/appliance/api/users', user)).status).toBe(200);
    setup.provider.person = { sub: 'pessoa-9', cpf: '52998224725' };
    expectRefused((await setup.signIn()).reply, 'CATP-ER1908', /representações/);
  });
});

/** Sends an endless answer, as fast as the client reads it. */
function endless(): Response {
  const chunk = new TextEncoder().encode(`"${'x'.repeat(65_536)}",`);
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":[')),
    pull: (controller) => controller.enqueue(chunk),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
