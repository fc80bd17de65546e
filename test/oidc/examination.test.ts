/**
 * The check of the provider by `catp doctor`, and the end of a session at the provider (contract section
 * 27).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { REAL_TIME, SECOND_MS } from '../../src/clock.ts';
import { CLOCK_TOLERANCE_MS, examineProvider } from '../../src/oidc/examination.ts';
import { readSettings } from '../../src/settings/config.ts';
import { HostileProvider } from '../support/hostile-provider.ts';
import { codeOf, openProviderApp } from '../support/provider-sign-in.ts';
import { issue } from '../support/tls.ts';
import { folderForEachTest, verdictOf } from '../doctor/support.ts';

let provider: HostileProvider;
beforeEach(() => {
  provider = new HostileProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

const settingsFor = (issuer: string) => ({
  'oidc.emissor': issuer,
  'oidc.clienteId': 'catp',
  'servidor.endereco': 'http://catalogo.exemplo',
});
const look = (issuer: string, aheadMs = 0) =>
  examineProvider(
    readSettings({ environment: {}, commandLine: Object.entries(settingsFor(issuer)) }),
    REAL_TIME,
    () => Date.now() + aheadMs,
  );

describe('the provider', () => {
  test('that is correct', async () => {
    expect(await look(provider.issuer)).toEqual({ kind: 'good' });
  });

  test.each([-1, 1])('whose clock differs by more than an ID token allows (%d)', async (sign) => {
    const aheadMs = sign * (CLOCK_TOLERANCE_MS + 5 * SECOND_MS);
    const state = await look(provider.issuer, aheadMs);
    expect(state.kind).toBe('wrong clock');
    expect(await look(provider.issuer, sign * (CLOCK_TOLERANCE_MS - SECOND_MS))).toEqual({ kind: 'good' });
  });

  test('that is offline, or whose document is invalid', async () => {
    provider.faults = { discovery: (document) => ({ ...document, issuer: 'https://outro.exemplo' }) };
    expect(await look(provider.issuer)).toMatchObject({
      kind: 'away',
      reason: expect.stringContaining('issuer'),
    });
    const signs = ['PS256', 'HS256'];
    provider.faults = {
      discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: signs }),
    };
    expect(await look(provider.issuer)).toMatchObject({ reason: expect.stringContaining('RS256 nem ES256') });
    await provider[Symbol.asyncDispose]();
    expect(await look(provider.issuer)).toMatchObject({ reason: expect.stringContaining('alcançado') });
  });

  test('whose certificate is not accepted', async () => {
    await using secure = new HostileProvider({ tls: await issue() });
    expect(await look(secure.issuer)).toMatchObject({
      kind: 'away',
      reason: expect.stringContaining('o certificado não foi aceito'),
    });
  });
});

describe('the doctor', () => {
  folderForEachTest();
  test('reports nothing without an issuer', async () => {
    expect(await verdictOf('provider')).toEqual(['none', '']);
  });
  test('reports a good provider, one that is offline, and unusable settings', async () => {
    expect((await verdictOf('provider', { settings: settingsFor(provider.issuer) }))[0]).toBe('ok');
    const offlineVerdict = await verdictOf('provider', { settings: settingsFor('http://127.0.0.1:1') });
    expect(offlineVerdict[0]).toBe('warning');
    const unusable = { ...settingsFor(provider.issuer), 'servidor.endereco': '' };
    expect((await verdictOf('provider', { settings: unusable }))[0]).toBe('error');
  });
});

describe('the end of a session', () => {
  const END = '/appliance/api/session';

  test('of the provider returns the sign-out address of the provider, if it has one', async () => {
    await using setup = await openProviderApp();
    const end = async () => {
      const { reply, cookie } = await setup.signIn();
      const { headers } = await setup.trade(codeOf(reply), cookie);
      const tokens = {
        authorization: headers.get('set-token') ?? '',
        'x-csrf-token': headers.get('x-csrf-token') ?? '',
      };
      const ended = await setup.app.anybody.call('DELETE', END, undefined, tokens);
      expect((await setup.app.anybody.call('GET', END, undefined, tokens)).status).toBe(401);
      return ended;
    };
    const { status, json } = await end();
    const { origin, pathname, searchParams } = new URL(json.endSession);
    expect([status, `${origin}${pathname}`]).toEqual([200, `${setup.provider.issuer}/end`]);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'catp',
      post_logout_redirect_uri: 'http://catalogo.exemplo:8080/entrar',
    });
  });

  test('is 204 when the provider has none, and for a session of a key', async () => {
    await using setup = await openProviderApp();
    setup.provider.faults = { discovery: ({ end_session_endpoint: _, ...document }) => document };
    const { reply, cookie } = await setup.signIn();
    const { headers } = await setup.trade(codeOf(reply), cookie);
    const tokens = {
      authorization: headers.get('set-token') ?? '',
      'x-csrf-token': headers.get('x-csrf-token') ?? '',
    };
    expect((await setup.app.anybody.call('DELETE', END, undefined, tokens)).status).toBe(204);
    expect((await (await setup.app.as('demo')).call('DELETE', END)).status).toBe(204);
  });
});
