/** A server behind a proxy: the trusted proxies, and the trusted headers (contract section 16). */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REAL_TIME, SECOND_MS } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { FAILURES_BEFORE_BLOCK } from '../../src/session/throttle.ts';
import { Proxies } from '../../src/tls/proxies.ts';
import type { KeyPair } from '../../src/authority/authority.ts';
import { TestCa, selfSigned } from './authority.ts';
import { type Secured, type SecuredOptions, openSecured } from './secured.ts';

const NAME = 'MARIA:00000000191';
const TRUSTED = { 'proxy.confiavel': '127.0.0.1' };
const BRINGING = { ...TRUSTED, 'proxy.certificado': 'X-Client-Cert' };
const UNUSABLE = 'PLAT-ER2001';
const SECRET = 'b5d1c0ffee';

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
const open = async (options: SecuredOptions = {}): Promise<Secured> =>
  (opened = await openSecured({ authorities: ca.pem, ...options }));

/** Returns the logged reasons for which certificates were unusable. */
const unusableReasons = ({ exchanges }: Secured): unknown[] =>
  exchanges.flatMap((line) => line['unfit'] ?? []);

/** Encodes a certificate like nginx's `$ssl_client_escaped_cert`. */
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

test('only answers over HTTPS require HTTPS for a year, in `serve`', async () => {
  const secured = await open({ settings: TRUSTED, app: { parts: { mode: 'serve' } } });
  const transportSecurity = async (headers?: Headers): Promise<string | null> =>
    (await fetch(`${secured.plain.url}/nada`, { ...(headers && { headers }) })).headers.get(
      'strict-transport-security',
    );
  expect(await transportSecurity()).toBeNull();
  expect(await transportSecurity({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
  expect((await secured.signIn()).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

describe('the address behind trusted proxies', () => {
  const proxies = new Proxies(['127.0.0.1/32', '10.0.0.0/8', 'fd00::/8']);
  const clientAddress = (forwarded: string | null, peer = '127.0.0.1'): string =>
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
    expect(clientAddress(forwarded)).toBe(expected);
  });

  test('a proxy is recognised also by its address in IPv6 form; a neighbour is not', () => {
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

test.each(['X Client', 'X-Cert:', 'é'])('proxy.certificado refuses %p', (name) => {
  const reading = () => readSettings({ environment: {}, commandLine: [['proxy.certificado', name]] });
  expect(reading).toThrow(/proxy\.certificado: recebido .*; aceita o nome de um cabeçalho HTTP/);
});

describe('a certificate that a proxy forwards', () => {
  test('signs in, over plain HTTP, if the proxy is trusted', async () => {
    const secured = await open({ settings: BRINGING });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe('signed in');
    expect(await signedInBy(secured, {})).toBe(UNUSABLE);
    expect(secured.printed.at(-1)).toContain('o proxy não trouxe um certificado em X-Client-Cert. Confira');
    const signIns = secured.exchanges.flatMap(({ way, user, status }) => (way ? [[way, user, status]] : []));
    expect(signIns).toEqual([
      ['proxy', '***.000.001-**', 200],
      ['certificate', null, 422],
    ]);
  });

  test('is ignored unless the setting names its header', async () => {
    const secured = await open({ settings: TRUSTED });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe(UNUSABLE);
    expect(unusableReasons(secured)).toEqual([]);
    expect(secured.printed).toEqual([
      expect.stringContaining('o certificado que o proxy recebeu não chega aqui'),
    ]);
  });

  test('prevents the start if no authority is named that could have issued it', async () => {
    const settings = { ...BRINGING, 'tls.clientes': '' };
    expect(open({ settings })).rejects.toThrow(
      /^proxy\.certificado \('X-Client-Cert'\) pede tls\.clientes \(--tls-client-ca\)/,
    );
  });

  test('must be issued by an authority of tls.clientes, with valid signatures', async () => {
    const secured = await open({ settings: BRINGING });
    const namesake = await TestCa.create('AC Teste');
    const faults = [
      await selfSigned(NAME),
      await namesake.issue(NAME),
      await (await TestCa.create('AC Outra')).issue(NAME),
    ];
    for (const fault of faults)
      expect(await signedInBy(secured, { 'x-client-cert': escaped(fault) })).toBe(UNUSABLE);
    expect(unusableReasons(secured)).toEqual(faults.map(() => 'não é de uma autoridade de tls.clientes'));
  });

  test('can be issued through intermediates, if they are in tls.clientes', async () => {
    const intermediate = await ca.intermediate('AC Intermediária');
    const own = await intermediate.issue(NAME);
    const chain = { 'x-client-cert': encodeURIComponent(`${own.cert}\n${intermediate.pem}`) };
    const rootAlone = await open({ settings: BRINGING });
    expect(await signedInBy(rootAlone, chain)).toBe(UNUSABLE);
    await rootAlone.close();
    const both = await open({ settings: BRINGING, authorities: `${ca.pem}\n${intermediate.pem}` });
    expect(await signedInBy(both, chain)).toBe('signed in');
    expect(await signedInBy(both, { 'x-client-cert': escaped(own) })).toBe('signed in');
    // Only the first certificate counts: another one after it has no effect.
    const first = { 'x-client-cert': encodeURIComponent(`${intermediate.pem}\n${own.cert}`) };
    expect(await signedInBy(both, first)).toBe(UNUSABLE);
  });

  test('is refused if an intermediate was revoked', async () => {
    const below = await ca.intermediate('AC Intermediária');
    const own = await below.issue(NAME);
    const lists = (await ca.revocations([below.cert.serialNumber])).toString('pem');
    const secured = await open({
      settings: BRINGING,
      authorities: `${ca.pem}\n${below.pem}`,
      revoked: [lists],
    });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(own) })).toBe(UNUSABLE);
    expect(unusableReasons(secured)).toEqual(['foi revogado']);
  });

  test('opens no session of an administrator, unless the setting allows it', async () => {
    const admin = { 'x-client-cert': escaped(await ca.issue('ADMIN:00000000515')) };
    const usual = await open({ settings: BRINGING });
    expect(await signedInBy(usual, admin)).toBe(UNUSABLE);
    await usual.close();
    const allowed = await open({ settings: { ...BRINGING, 'proxy.administradores': 'true' } });
    expect(await signedInBy(allowed, admin)).toBe('signed in');
  });

  test.each([
    ['nobody is', { 'proxy.certificado': 'X-Client-Cert' }],
    ['others are', { ...BRINGING, 'proxy.confiavel': '10.0.0.0/8, 127.0.0.2, ::1' }],
  ])('is ignored when %s', async (_case, settings) => {
    const secured = await open({ settings });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe(UNUSABLE);
    expect(unusableReasons(secured)).toEqual([]);
    expect(secured.printed).toEqual([
      expect.stringContaining('por HTTP não vem certificado. Use o endereço'),
    ]);
  });

  test('is read from the header of the setting, and from no other', async () => {
    const secured = await open({ settings: { ...BRINGING, 'proxy.certificado': 'X-SSL-Cert' } });
    expect(await signedInBy(secured, { 'x-client-cert': escaped(maria) })).toBe(UNUSABLE);
    expect(await signedInBy(secured, { 'x-ssl-cert': escaped(maria) })).toBe('signed in');
  });

  test('is verified again: its dates, its purpose, its number, the lists', async () => {
    const lists = (await ca.revocations([maria.serial])).toString('pem');
    const secured = await open({ settings: BRINGING, revoked: [lists] });
    const faults = [
      await ca.issue(NAME, { from: -3, to: -1 }),
      await ca.issue(NAME, { from: 1, to: 3 }),
      await ca.issue(NAME, { purposes: ['1.3.6.1.5.5.7.3.1'] }),
      await ca.issue('MARIA'),
      maria,
    ];
    for (const fault of faults)
      expect(await signedInBy(secured, { 'x-client-cert': escaped(fault) })).toBe(UNUSABLE);
    expect(unusableReasons(secured)).toEqual([
      'está vencido',
      'ainda não é válido',
      'não é para autenticação de cliente',
      'não tem um CPF ou CNPJ de titular',
      'foi revogado',
    ]);
    expect(await signedInBy(secured, { 'x-client-cert': escaped(await ca.issue(NAME)) })).toBe('signed in');
  });

  test('counts as missing if it is unreadable, or its header is repeated', async () => {
    const secured = await open({ settings: BRINGING });
    const whole = escaped(maria);
    const broken = ['x', '%', '%FF', whole.slice(0, 300), `${whole}, ${whole}`, maria.key].map((text) =>
      text.replaceAll('\n', ''),
    );
    for (const text of broken) expect(await signedInBy(secured, { 'x-client-cert': text })).toBe(UNUSABLE);
  });

  test('applies instead of the proxy’s own', async () => {
    const secured = await open({ settings: BRINGING });
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

describe('a proxy that has a secret', () => {
  const withSecret = async (): Promise<Secured> => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-segredo-'));
    writeFileSync(join(folder, 'segredo'), `${SECRET}\n`);
    const secured = await open({ settings: { ...BRINGING, 'proxy.segredo': join(folder, 'segredo') } });
    rmSync(folder, { recursive: true });
    return secured;
  };

  test('is trusted with the secret, and not with another, with none, or with two', async () => {
    const secured = await withSecret();
    const bringing = { 'x-client-cert': escaped(maria), 'x-forwarded-for': '203.0.113.7' };
    const outcomeWith = async (headers: Headers): Promise<unknown> => {
      const outcome = await signedInBy(secured, { ...bringing, ...headers });
      return [outcome, secured.exchanges.findLast(({ status }) => status !== undefined)?.['address']];
    };
    expect(await outcomeWith({ 'x-proxy-secret': SECRET })).toEqual(['signed in', '203.0.113.7']);
    for (const headers of [{}, { 'x-proxy-secret': 'x' }, { 'x-proxy-secret': `${SECRET}, ${SECRET}` }])
      expect(await outcomeWith(headers)).toEqual([UNUSABLE, '127.0.0.1']);
  });

  test('gives it in a file: a missing or empty file prevents the start, and its content is never shown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-segredo-'));
    const withFile = (name: string) =>
      open({ settings: { ...TRUSTED, 'proxy.segredo': join(folder, name) } });
    writeFileSync(join(folder, 'vazio'), ' \n');
    writeFileSync(join(folder, 'duas'), `${SECRET}\n${SECRET}`);
    expect(withFile('nenhum')).rejects.toThrow(/^proxy\.segredo \('.*nenhum'\) não pôde ser lido/);
    for (const name of ['vazio', 'duas']) {
      const refusal = await withFile(name).catch((error: Error) => error.message);
      expect(refusal).toMatch(/^proxy\.segredo \('.*'\) não tem um segredo que caiba em um cabeçalho/);
      expect(refusal).not.toContain(SECRET);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('the throttle of access keys and the log', () => {
  const attempt = async ({ plain }: Secured, forwarded: string, secret: string): Promise<number> => {
    const headers = {
      'client-id': secret === 'demo' ? 'demo' : `x${secret}`,
      'client-secret': secret,
      'role-type': 'IMPEXP',
      'x-forwarded-for': forwarded,
      'x-forwarded-proto': 'https',
    };
    return (await fetch(`${plain.url}/portal/api/autenticar/chave-acesso`, { method: 'POST', headers }))
      .status;
  };

  /** Real time without waits: it only records the waits that were requested. */
  const countingTime = () => {
    let waited = 0;
    const after = (ms: number, work: () => void) => {
      if (ms === SECOND_MS) waited += 1;
      const handle = setTimeout(work, ms === SECOND_MS ? 0 : ms);
      return { cancel: () => clearTimeout(handle) };
    };
    return { parts: { realTime: { ...REAL_TIME, after } }, waited: () => waited };
  };

  test('use the address that a trusted proxy names', async () => {
    const { parts, waited } = countingTime();
    const secured = await open({ settings: TRUSTED, app: { parts } });
    for (let time = 0; time < FAILURES_BEFORE_BLOCK; time += 1)
      await attempt(secured, `198.51.100.${time}, 203.0.113.7`, String(time));
    await attempt(secured, '203.0.113.8', 'outro');
    expect(waited()).toBe(0);
    await attempt(secured, '203.0.113.7', 'outro');
    expect(waited()).toBe(1);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ status: 422, address: '203.0.113.7', scheme: 'https' }),
    );
  });

  test('use the connection’s address without a trusted proxy', async () => {
    const { parts, waited } = countingTime();
    const secured = await open({ app: { parts } });
    for (let time = 0; time < FAILURES_BEFORE_BLOCK; time += 1)
      await attempt(secured, `203.0.113.${time}`, String(time));
    await attempt(secured, '203.0.113.99', 'outro');
    expect(waited()).toBe(1);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ status: 422, address: '127.0.0.1', scheme: 'http' }),
    );
  });
});
