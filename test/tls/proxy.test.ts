/** Behind a proxy: who is believed, and what (contract section 16). */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readSettings } from '../../src/config.ts';
import { FAILURES_BEFORE_BLOCK } from '../../src/session/throttle.ts';
import { Proxies } from '../../src/tls/proxies.ts';
import type { KeyPair } from '../../src/receiver/ca.ts';
import { TestCa } from './authority.ts';
import { type Secured, type SecuredOptions, openSecured } from './secured.ts';

const NAME = 'MARIA:00000000191';
const TRUSTED = { 'proxy.confiavel': '127.0.0.1' };
const UNUSABLE = 'PLAT-ER2001';

let ca: TestCa;
let maria: KeyPair & { readonly serial: string };
beforeAll(async () => {
  ca = await TestCa.create('AC Teste');
  maria = await ca.issue(NAME);
});

let opened: Secured | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (options: SecuredOptions = {}): Promise<Secured> => (opened = await openSecured(options));

/** As nginx's `$ssl_client_escaped_cert`. */
const escaped = ({ cert }: KeyPair): string => encodeURIComponent(cert);

type Headers = Readonly<Record<string, string>>;

async function signedInBy({ plain }: Secured, headers: Headers): Promise<unknown> {
  const reply = await fetch(`${plain.url}/portal/api/autenticar`, {
    method: 'POST',
    headers: { 'role-type': 'IMPEXP', ...headers },
  });
  const { code } = (await reply.json()) as { code?: string };
  return reply.status === 200 ? 'signed in' : code;
}

describe('The address behind trusted proxies', () => {
  const proxies = new Proxies(['127.0.0.1/32', '10.0.0.0/8', 'fd00::/8'], 'X-Client-Cert');
  const behind = (forwarded: string | null, peer = '127.0.0.1'): string =>
    proxies.addressBehind(
      peer,
      new Request('http://x', forwarded === null ? {} : { headers: { 'x-forwarded-for': forwarded } }),
    );

  test.each([
    ['one address', '203.0.113.7', '203.0.113.7'],
    ['the rightmost that is not trusted', '198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['never one left of a stranger', '10.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['the leftmost, where all are trusted', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['the proxy, where nobody is named', null, '127.0.0.1'],
    ['IPv6', '2001:db8::1, fd00::5', '2001:db8::1'],
    ['IPv4 inside of IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['with a port', '203.0.113.7:51234', '203.0.113.7'],
    ['IPv6 with a port', '[2001:db8::1]:51234', '2001:db8::1'],
    ['the last that is one, where the next is none', '203.0.113.7, unknown, 10.0.0.2', '10.0.0.2'],
    ['the proxy, where it is none', 'unknown', '127.0.0.1'],
    ['the proxy, where it is empty', '', '127.0.0.1'],
    ['no short form', '203.7', '127.0.0.1'],
  ])('is %s: %p', (_case, forwarded, expected) => {
    expect(behind(forwarded)).toBe(expected);
  });

  test('a proxy is known also as IPv6 writes its address; a neighbour is not one', () => {
    expect(proxies.isTrusted('::ffff:10.0.0.1')).toBe(true);
    for (const stranger of ['127.0.0.2', '11.0.0.1', 'fe80::1', 'unknown', ''])
      expect(proxies.isTrusted(stranger)).toBe(false);
  });
});

test.each(['10.0.0.0/33', '10.0.0/8', 'proxy.local', '10.0.0.1-10.0.0.9', 'fd00::/129', '300.1.1.1'])(
  'proxy.confiavel refuses %s by name',
  (network) => {
    const reading = () =>
      readSettings({ environment: {}, commandLine: [['proxy.confiavel', `10.0.0.1, ${network}`]] });
    expect(reading).toThrow(/proxy\.confiavel: recebido .*; aceita endereços IP ou CIDR/);
  },
);

test.each(['', 'X Client', 'X-Cert:', 'é'])('proxy.certificado refuses %p', (name) => {
  const reading = () => readSettings({ environment: {}, commandLine: [['proxy.certificado', name]] });
  expect(reading).toThrow(/proxy\.certificado: recebido .*; aceita o nome de um cabeçalho HTTP/);
});

describe('A certificate that a proxy brings', () => {
  test('signs in, over plain HTTP, where the proxy is trusted', async () => {
    const secured = await open({ settings: TRUSTED });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe('signed in');
    expect(await signedInBy(secured, {})).toBe(UNUSABLE);
  });

  test.each([
    ['nobody is', {}],
    ['others are', { 'proxy.confiavel': '10.0.0.0/8, 127.0.0.2, ::1' }],
  ])('is ignored where %s', async (_case, settings) => {
    const secured = await open({ settings });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe(UNUSABLE);
    expect(secured.logged).toEqual([]);
  });

  test('comes in the header of the setting, and in no other', async () => {
    const secured = await open({ settings: { ...TRUSTED, 'proxy.certificado': 'X-SSL-Cert' } });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe(UNUSABLE);
    expect(await signedInBy(secured, { 'x-ssl-cert': escaped(maria) })).toBe('signed in');
  });

  test('is looked at again: its dates, its use, its number, the lists', async () => {
    const lists = (await ca.revocations([maria.serial])).toString('pem');
    const secured = await open({ settings: TRUSTED, revoked: [lists] });
    const faults = [
      await ca.issue(NAME, { from: -3, to: -1 }),
      await ca.issue(NAME, { from: 1, to: 3 }),
      await ca.issue(NAME, { purposes: ['1.3.6.1.5.5.7.3.1'] }),
      await ca.issue('MARIA'),
      maria,
    ];
    for (const fault of faults)
      expect(await signedInBy(secured, { 'x-client-cert': escaped(fault) })).toBe(UNUSABLE);
    expect(secured.logged).toEqual(
      [
        'está vencido',
        'ainda não é válido',
        'não é para autenticação de cliente',
        'não tem um CPF ou CNPJ de titular',
        'foi revogado',
      ].map((reason) => `O certificado de cliente de 127.0.0.1 ${reason}.`),
    );
    expect(await signedInBy(secured, { 'x-client-cert': escaped(await ca.issue(NAME)) })).toBe('signed in');
  });

  test('is none where it cannot be read', async () => {
    const secured = await open({ settings: TRUSTED });
    const whole = escaped(maria);
    const broken = ['x', '%', '%FF', whole.slice(0, 300), `${whole}, ${whole}`, maria.key].map((text) =>
      text.replaceAll('\n', ''),
    );
    for (const text of broken) expect(await signedInBy(secured, { 'x-client-cert': text })).toBe(UNUSABLE);
  });

  test('counts instead of the one that the proxy itself has shown', async () => {
    const secured = await open({ authorities: ca.pem, settings: TRUSTED });
    const proxy = await ca.issue('PROXY:00000000272');
    expect((await secured.signIn(proxy)).json.code).toBe(UNUSABLE);
    const reply = await secured.signIn(proxy, { 'role-type': 'IMPEXP', 'x-client-cert': escaped(maria) });
    expect(reply.status).toBe(200);
    const session = await fetch(`${secured.plain.url}/appliance/api/session`, {
      headers: {
        authorization: reply.headers.get('set-token') ?? '',
        'x-csrf-token': reply.headers.get('x-csrf-token') ?? '',
      },
    });
    expect(await session.json()).toMatchObject({ documento: '00000000191' });
  });
});

describe('The throttle of access keys and the log', () => {
  const attempt = async ({ plain }: Secured, forwarded: string, secret: string): Promise<number> => {
    const headers = {
      ...{ 'client-id': secret === 'demo' ? 'demo' : `x${secret}`, 'client-secret': secret },
      ...{ 'role-type': 'IMPEXP', 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' },
    };
    return (await fetch(`${plain.url}/portal/api/autenticar/chave-acesso`, { method: 'POST', headers }))
      .status;
  };

  test('go by the address that a trusted proxy names', async () => {
    const secured = await open({ settings: TRUSTED });
    for (let time = 0; time < FAILURES_BEFORE_BLOCK; time += 1)
      await attempt(secured, `198.51.100.${time}, 203.0.113.7`, String(time));
    expect(await attempt(secured, '203.0.113.7', 'demo')).toBe(422);
    expect(await attempt(secured, '203.0.113.8', 'demo')).toBe(200);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ status: 422, address: '203.0.113.7', scheme: 'https' }),
    );
  });

  test('go by the connection where nobody is trusted', async () => {
    const secured = await open();
    for (let time = 0; time < FAILURES_BEFORE_BLOCK; time += 1)
      await attempt(secured, `203.0.113.${time}`, String(time));
    expect(await attempt(secured, '203.0.113.99', 'demo')).toBe(422);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ status: 422, address: '127.0.0.1', scheme: 'http' }),
    );
  });
});
