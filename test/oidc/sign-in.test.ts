/** Sign-in by a provider without faults (contract section 27, "Sign-in by OpenID Connect"). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import {
  HOME,
  type ProviderApp,
  type ProviderAppOptions,
  codeOf,
  cookieOf,
  openProviderApp,
} from '../support/provider-sign-in.ts';
import { HandTime } from '../support/real-time.ts';
import { type Client, type Reply, openApp } from '../support/app.ts';
import { seal, unseal } from '../../src/db/seal.ts';

const DEMO = '00000000191';

let setup: ProviderApp;
const open = async (options?: ProviderAppOptions): Promise<ProviderApp> => {
  await setup[Symbol.asyncDispose]();
  return (setup = await openProviderApp(options));
};
beforeEach(async () => {
  setup = await openProviderApp();
});
afterEach(() => setup[Symbol.asyncDispose]());

const tokensIn = ({ headers }: { readonly headers: Headers }) => ({
  authorization: headers.get('set-token') ?? '',
  'x-csrf-token': headers.get('x-csrf-token') ?? '',
});
const sessionOf = (traded: { readonly headers: Headers }) =>
  setup.app.anybody.call('GET', '/appliance/api/session', undefined, tokensIn(traded));

describe('the start', () => {
  test('redirects the browser to the provider with state, nonce and PKCE, and back to the own address', async () => {
    const { address } = await setup.begin();
    const { origin, pathname, searchParams } = new URL(address);
    expect(`${origin}${pathname}`).toBe(`${setup.provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'catp',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${HOME}/entrar/oidc/retorno`,
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThanOrEqual(43);
  });

  test('keeps the address of return with any Host header', async () => {
    const reply = await setup.app.anybody.call('GET', '/entrar/oidc', undefined, { host: '127.0.0.1:9' });
    const address = new URL(reply.headers.get('location') ?? '');
    expect(address.searchParams.get('redirect_uri')).toBe(`${HOME}/entrar/oidc/retorno`);
  });

  test('gives the browser a cookie that no script reads, and that contains no information', async () => {
    const reply = await setup.app.anybody.call('GET', '/entrar/oidc');
    const cookie = reply.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^catp-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const state = new URL(reply.headers.get('location') ?? '').searchParams.get('state') ?? '';
    expect(cookie).not.toContain(state);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('marks the cookie as secure when people use HTTPS', async () => {
    await open({ settings: { 'servidor.endereco': 'https://catalogo.exemplo' } });
    const reply = await setup.app.anybody.call('GET', '/entrar/oidc');
    expect(reply.headers.get('set-cookie')).toMatch(/^__Host-catp-oidc=.*; SameSite=Lax; Secure$/);
  });

  test('requests the scopes of the setting', async () => {
    await open({ settings: { 'oidc.escopos': 'openid govbr_confiabilidades' } });
    const { address } = await setup.begin();
    expect(new URL(address).searchParams.get('scope')).toBe('openid govbr_confiabilidades');
  });
});

describe('the discovery document', () => {
  test('is cached for 10 minutes', async () => {
    const realTime = new HandTime();
    await open({ realTime });
    const reads = () =>
      setup.provider.requests.filter((path) => path.includes('openid-configuration')).length;
    await setup.begin();
    realTime.pass(10 * MINUTE_MS - 1);
    await setup.begin();
    expect(reads()).toBe(1);
    realTime.pass(1);
    await setup.begin();
    expect(reads()).toBe(2);
  });
});

describe('the returning user', () => {
  test.each([
    ['is accepted within 10 minutes of the start', 10 * MINUTE_MS - 30 * SECOND_MS, 302],
    ['is refused more than 10 minutes after the start', 10 * MINUTE_MS + 1, 422],
  ])('%s', async (_, ageMs, status) => {
    const { address, cookie } = await setup.begin();
    const [name, ticket = ''] = cookie.split('=');
    const [key, purpose] = [setup.app.app.core.folder.keys.secrets, 'catp oidc sign-in'];
    const started = JSON.parse(unseal(key, purpose, Buffer.from(ticket, 'base64url'), 'x')) as object;
    const older = seal(key, purpose, JSON.stringify({ ...started, startedAt: Date.now() - ageMs }));
    const query = setup.provider.authorize(address);
    const reply = await setup.back(query, `${name}=${Buffer.from(older).toString('base64url')}`);
    expect(reply.status).toBe(status);
    if (status === 302) return;
    expect(reply.text).toContain('CATP-ER1901');
    expect(setup.lines).toMatchObject([{ reason: 'a entrada começou há mais de 10 minutos' }]);
  });

  test('gets a session as IMPEXP, in the log as oidc, with the user that the claim names', async () => {
    const { reply, cookie } = await setup.signIn();
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const traded = await setup.trade(codeOf(reply), cookie);
    expect(traded.status).toBe(200);
    expect(traded.json).toEqual({ token: traded.headers.get('x-csrf-token') });
    const session = await sessionOf(traded);
    expect(session.json).toMatchObject({ documento: DEMO, perfil: 'IMPEXP' });
    expect(setup.lines).toMatchObject([
      { way: 'oidc', status: 200, user: '***.000.001-**', address: 'local' },
    ]);
  });

  test('is in the audit as oidc', async () => {
    const ADMIN = '00000000515';
    setup.provider.person = { sub: 'x', cpf: ADMIN };
    const { reply, cookie } = await setup.signIn();
    const headers = tokensIn(await setup.trade(codeOf(reply), cookie));
    const company = { cpfCnpjRaiz: '99887766', nome: 'Nova' };
    const companyReply = await setup.app.anybody.call('POST', '/appliance/api/companies', company, headers);
    expect(companyReply.status).toBe(200);
    const admin = await setup.app.as('admin');
    const audit = await admin.call('GET', '/appliance/api/audit?subject=empresa%2099887766');
    expect(audit.json.items).toMatchObject([{ actor: ADMIN, key: 'oidc' }]);
  });

  test('is authenticated without a secret when the client is public', async () => {
    await open({ provider: { isPublicClient: true } });
    const { reply } = await setup.signIn();
    expect(codeOf(reply)).not.toBe('');
  });

  test('is authenticated in the body when the provider requires it there', async () => {
    const discovery = (document: object) => ({
      ...document,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
    setup.provider.faults = { discovery };
    expect(codeOf((await setup.signIn()).reply)).not.toBe('');
  });

  test('is accepted with a signature by ES256', async () => {
    setup.provider.faults = { signature: 'ES256' };
    const { reply } = await setup.signIn();
    expect(codeOf(reply)).not.toBe('');
  });

  test('is found by a claim of userinfo that the ID token lacks, and never against the ID token', async () => {
    setup.provider.person = { sub: 'pessoa-1' };
    setup.provider.faults = { userinfo: { cpf: '00000000191' } };
    expect(codeOf((await setup.signIn()).reply)).not.toBe('');
    setup.provider.person = { sub: 'pessoa-1', cpf: '52998224725' };
    expect((await setup.signIn()).reply.status).toBe(403);
  });

  test('is found by sub when the setting requires it', async () => {
    await open({ settings: { 'oidc.documento': 'sub' } });
    setup.provider.person = { sub: DEMO };
    expect(codeOf((await setup.signIn()).reply)).not.toBe('');
  });

  test('is the user to whom an administrator bound the identity, with any claim', async () => {
    const admin = await setup.app.as('admin');
    const identity = { issuer: setup.provider.issuer, sub: 'pessoa-1' };
    const binding = await admin.call('POST', '/appliance/api/users/00000000272/identities', identity);
    expect([binding.status, binding.text]).toEqual([200, JSON.stringify(identity)]);
    const { reply, cookie } = await setup.signIn();
    const traded = await setup.trade(codeOf(reply), cookie);
    expect((await sessionOf(traded)).json).toMatchObject({ documento: '00000000272' });
    const program = await setup.app.as('demo2');
    expect((await admin.call('DELETE', '/appliance/api/users/00000000272/identities', identity)).status).toBe(
      204,
    );
    expect((await sessionOf(traded)).status).toBe(401);
    expect((await program.call('GET', '/appliance/api/session')).status).toBe(200);
    const nextSignIn = await setup.signIn();
    const other = await sessionOf(await setup.trade(codeOf(nextSignIn.reply), nextSignIn.cookie));
    expect(other.json).toMatchObject({ documento: DEMO });
    // The clock stands still: a session after the end is later than it.
    await admin.call('POST', '/appliance/api/users/00000000272/identities', identity);
    const back = await setup.signIn();
    expect((await sessionOf(await setup.trade(codeOf(back.reply), back.cookie))).status).toBe(200);
  });

  test('has no shortest time between two sign-ins', async () => {
    await open({ settings: { 'autenticacao.intervalo': '60s' } });
    for (let count = 1; count <= 2; count += 1) {
      const { reply, cookie } = await setup.signIn();
      expect((await setup.trade(codeOf(reply), cookie)).status).toBe(200);
    }
  });

  test('uses real time on a test clock that is years off', async () => {
    setup.app.clock.moveTo(Date.parse('2040-01-01T00:00:00Z'));
    const { reply, cookie } = await setup.signIn();
    const traded = await setup.trade(codeOf(reply), cookie);
    expect((await sessionOf(traded)).status).toBe(200);
  });
});

describe('the code of the page', () => {
  const expectBad = async (
    traded: Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>,
  ) => {
    const { status, text, headers } = await traded;
    expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'CATP-ER1909', status: 422 }]);
    expect(headers.get('set-token')).toBeNull();
  };

  test('is valid once', async () => {
    const { reply, cookie } = await setup.signIn();
    expect((await setup.trade(codeOf(reply), cookie)).status).toBe(200);
    await expectBad(setup.trade(codeOf(reply), cookie));
    expect(setup.lines).toMatchObject([{ status: 200 }, { way: 'oidc', status: 422, code: 'CATP-ER1909' }]);
  });

  test('is valid for the browser that started, and deleted when another one shows it', async () => {
    const { reply, cookie } = await setup.signIn();
    const another = await setup.begin();
    await expectBad(setup.trade(codeOf(reply), another.cookie));
    await expectBad(setup.trade(codeOf(reply), cookie));
  });

  test('is invalid without a cookie, and so is an invented one', async () => {
    const { reply, cookie } = await setup.signIn();
    await expectBad(setup.app.anybody.call('POST', '/appliance/api/session/oidc', { code: codeOf(reply) }));
    await expectBad(setup.trade('inventado', cookie));
  });

  test.each([
    ['just before 60 s', MINUTE_MS - 1, 200],
    ['at 60 s', MINUTE_MS, 422],
  ])('%s', async (_, ms, status) => {
    const realTime = new HandTime();
    await open({ realTime });
    const { reply, cookie } = await setup.signIn();
    realTime.pass(ms);
    expect((await setup.trade(codeOf(reply), cookie)).status).toBe(status);
  });

  test.each<[name: string, end: (admin: Client, identity: object) => Promise<Reply>]>([
    [
      'its identity is unbound',
      (admin, identity) => admin.call('DELETE', '/appliance/api/users/00000000272/identities', identity),
    ],
    [
      'an administrator ends the sessions of its user',
      (admin) => admin.call('DELETE', '/appliance/api/users/00000000272/sessions'),
    ],
  ])('ends when %s; a later one is valid', async (_, end) => {
    const admin = await setup.app.as('admin');
    const identity = { issuer: setup.provider.issuer, sub: 'pessoa-1' };
    const bind = () => admin.call('POST', '/appliance/api/users/00000000272/identities', identity);
    expect((await bind()).status).toBe(200);
    const { reply, cookie } = await setup.signIn();
    expect((await end(admin, identity)).status).toBe(204);
    await expectBad(setup.trade(codeOf(reply), cookie));
    await bind();
    const laterSignIn = await setup.signIn();
    const traded = await setup.trade(codeOf(laterSignIn.reply), laterSignIn.cookie);
    expect((await sessionOf(traded)).json).toMatchObject({ documento: '00000000272' });
  });

  test('is kept in the cookie for the time that the page requires', async () => {
    const { reply } = await setup.signIn();
    expect(reply.headers.get('set-cookie')).toContain(`Max-Age=${(2 * MINUTE_MS) / SECOND_MS};`);
    expect(cookieOf(reply)).toMatch(/^catp-oidc=./);
  });
});

test('without an issuer the page does not exist, and every code is invalid', async () => {
  const app = await openApp();
  expect((await app.anybody.call('GET', '/entrar/oidc')).status).toBe(404);
  const traded = await app.anybody.call('POST', '/appliance/api/session/oidc', { code: 'x' });
  expect([traded.status, traded.json.code]).toEqual([422, 'CATP-ER1909']);
  await app.close();
});
