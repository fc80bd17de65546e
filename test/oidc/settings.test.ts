/** The settings of the provider (contract section 27). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REAL_TIME } from '../../src/clock.ts';
import { providerSettings } from '../../src/oidc/from-settings.ts';
import { Provider } from '../../src/oidc/provider.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { HostileProvider } from '../support/hostile-provider.ts';
import { openProxy } from '../support/origin.ts';
import { codeOf, openProviderApp } from '../support/provider-sign-in.ts';
import { certificateFiles, issue } from '../support/tls.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-oidc-settings-'));
  writeFileSync(join(folder, 'segredo'), 's3gr3do\n');
  writeFileSync(join(folder, 'vazio'), '\n');
  writeFileSync(join(folder, 'linhas'), 'um\ndois\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

type SettingValues = Partial<Record<SettingName, string>>;
const read = (values: SettingValues) =>
  readSettings({ environment: {}, commandLine: Object.entries(values) });
const SOUND: SettingValues = {
  'oidc.emissor': 'https://login.exemplo.com.br',
  'oidc.clienteId': 'catp',
  'servidor.endereco': 'https://catalogo.exemplo.com.br/',
};

test('the address of this instance loses the slash at its end', () => {
  expect(providerSettings(read(SOUND))).toMatchObject({ address: 'https://catalogo.exemplo.com.br' });
});

test('a secret is the line of its file', () => {
  const settings = { ...SOUND, 'oidc.segredo': join(folder, 'segredo') };
  expect(providerSettings(read(settings)).secret).toBe('s3gr3do');
  expect(providerSettings(read(SOUND)).secret).toBeUndefined();
});

describe('an issuer', () => {
  test.each<[name: string, given: SettingValues, message: RegExp]>([
    ['without the address of this instance', { 'servidor.endereco': '' }, /pede servidor\.endereco/],
    ['without a client', { 'oidc.clienteId': '' }, /pede oidc\.clienteId/],
    [
      'with a secret that is not there',
      { 'oidc.segredo': '/nenhum' },
      /oidc\.segredo: o arquivo \/nenhum não pode/,
    ],
    [
      'with authorities that are not there',
      { 'oidc.ca': '/nenhum' },
      /oidc\.ca: o arquivo \/nenhum não pode/,
    ],
  ])('%s is refused', (_, values, message) => {
    expect(() => providerSettings(read({ ...SOUND, ...values }))).toThrow(message);
  });

  test.each(['vazio', 'linhas'])('with a secret in the file %s is refused', (file) => {
    const settings = { ...SOUND, 'oidc.segredo': join(folder, file) };
    expect(() => providerSettings(read(settings))).toThrow(/não tem um segredo em uma linha/);
  });
});

test.each<[SettingName, string]>([
  ['oidc.emissor', 'http://login.exemplo.com.br'],
  ['oidc.emissor', 'https://a:b@login.exemplo.com.br'],
  ['oidc.emissor', 'login.exemplo.com.br'],
  ['oidc.escopos', 'profile email'],
  ['oidc.escopos', 'openid "x"'],
  ['oidc.rotulo', ' '],
  ['oidc.rotulo', 'x'.repeat(61)],
  ['servidor.endereco', 'https://catalogo.exemplo/catp'],
  ['servidor.endereco', 'https://a@catalogo.exemplo'],
  ['servidor.endereco', 'ftp://catalogo.exemplo'],
])('%s does not accept %s', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name);
});

test.each<[SettingName, string]>([
  ['oidc.emissor', 'http://127.0.0.1:8081/realms/empresa'],
  ['oidc.escopos', ' profile  openid'],
  ['oidc.rotulo', 'x'.repeat(60)],
  ['servidor.endereco', 'http://catalogo:8080'],
])('%s accepts %s', (name, value) => {
  expect(() => read({ [name]: value })).not.toThrow();
});

test('the connection to the provider uses the proxy of the environment, except for the names of NO_PROXY', async () => {
  const [tls, { ca }] = await Promise.all([issue(), certificateFiles()]);
  await using provider = new HostileProvider({ tls });
  const { port } = new URL(provider.issuer);
  await using proxy = await openProxy(Number(port));
  await using refusing = await openProxy(Number(port), '407 Proxy Authentication Required');
  const discovered = (environment: Readonly<Record<string, string>>) => {
    const commandLine = Object.entries({ ...SOUND, 'oidc.emissor': provider.issuer, 'oidc.ca': ca });
    const settings = providerSettings(readSettings({ environment, commandLine }));
    return new Provider(settings, REAL_TIME).metadata();
  };
  expect((await discovered({ HTTPS_PROXY: proxy.url })).issuer).toBe(provider.issuer);
  expect(proxy.requests).toEqual([expect.stringContaining(`CONNECT 127.0.0.1:${port} HTTP/1.1`)]);
  await discovered({ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
  expect(proxy.requests).toHaveLength(1);
  for (const [address, reason] of [
    [refusing.url, 'o proxy recusou a conexão (407)'],
    ['http://127.0.0.1:1', 'o proxy não pôde ser alcançado (ECONNREFUSED)'],
    ['socks5://127.0.0.1', 'confira HTTPS_PROXY'],
  ] as const) {
    const refusal = await discovered({ HTTPS_PROXY: address }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ rule: 'providerAway', reason: expect.stringContaining(reason) });
  }
});

test('a provider with a private authority requires it in oidc.ca', async () => {
  const [tls, { ca }] = await Promise.all([issue(), certificateFiles()]);
  await using strange = await openProviderApp({ provider: { tls } });
  const refused = await strange.app.anybody.call('GET', '/entrar/oidc');
  expect([refused.status, refused.text]).toEqual([
    503,
    expect.stringContaining('o certificado não foi aceito'),
  ]);
  await using trusted = await openProviderApp({ provider: { tls }, settings: { 'oidc.ca': ca } });
  expect(codeOf((await trusted.signIn()).reply)).not.toBe('');
});
