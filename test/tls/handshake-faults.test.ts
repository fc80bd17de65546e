/** The lines of TLS handshakes that fail, by real TLS clients (contract section 2). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { MINUTE_MS } from '../../src/clock.ts';
import { HandshakeFaults } from '../../src/tls/handshake-faults.ts';
import { type Secured, answerOf, openSecured, requestText } from './secured.ts';

let secured: Secured;
beforeEach(async () => {
  secured = await openSecured();
});
afterEach(() => secured.close());

const ADDRESS = 'A conexão TLS de 127.0.0.1 não se completou: ';
const lines = (): string[] => secured.logged.filter((line) => line.startsWith(ADDRESS));

/** Sends bytes over TCP and resolves with the answer once the server has closed the connection. */
const tcp = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(secured.listening.port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(parts).toString()));
  });

const openssl = (...options: readonly string[]): Promise<number> =>
  Bun.spawn(['openssl', 's_client', '-connect', `127.0.0.1:${secured.listening.port}`, ...options], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  }).exited;

test.each<[string, readonly string[], string]>([
  ['TLS 1.1', ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'], 'não oferece TLS 1.2'],
  [
    'a client of TLS 1.2 that trusts no such authority',
    ['-tls1_2', '-verify_return_error'],
    'não confia no certificado',
  ],
  [
    'a client of TLS 1.3 that trusts no such authority',
    ['-tls1_3', '-verify_return_error'],
    'não confia no certificado',
  ],
  ['no common cipher', ['-tls1_2', '-cipher', 'DHE-RSA-AES256-GCM-SHA384'], 'cifra em comum'],
])('%s leaves one line with its reason', async (_, options, reason) => {
  await openssl(...options);
  await until(() => lines().length > 0);
  expect(lines()).toEqual([expect.stringContaining(reason)]);
});

test('plain HTTP logs a line that names https; a connection without a byte, and a good one, log none', async () => {
  await tcp('');
  expect((await secured.signIn()).status).toBe(422);
  await tcp('GET / HTTP/1.1\r\nHost: catp.test\r\n\r\n');
  await tcp('nor TLS nor HTTP\r\n\r\n');
  await until(() => lines().length > 1);
  expect(lines()).toEqual([
    expect.stringContaining('veio HTTP sem TLS. O endereço desta porta começa com https://'),
    expect.stringContaining('o que veio não é TLS.'),
  ]);
});

test.each(['GET', 'POST', 'DELETE'])(
  'plain HTTP by %s is answered 400 with the HTTPS address',
  async (method) => {
    const text = await tcp(requestText('/catp/api/ext/produto', { connection: 'close' }, method));
    const { status, headers, json } = answerOf(text);
    expect([status, headers.get('strict-transport-security')]).toEqual([400, null]);
    expect(json).toMatchObject({
      code: 'APPL-ER0400',
      status: 400,
      detail: [],
      info: { mnemonico: 'CATP', url: '/catp/api/ext/produto' },
      message: expect.stringMatching(/^Veio HTTP sem TLS, .* começa com https:\/\/catp\.test\.$/),
    });
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ status: 400, code: 'APPL-ER0400', address: '127.0.0.1', scheme: 'http' }),
    );
  },
);

test('an address has ten lines a minute, each address its own', () => {
  const addresses: unknown[] = [];
  let now = 0;
  const log = { warning: (_: string, { address }: { address: string }) => addresses.push(address) };
  const faults = new HandshakeFaults(log as never, { now: () => now });
  const fail = (address: string) =>
    faults.note(address, Object.assign(new Error('x'), { code: 'ERR_SSL_X' }));
  for (let count = 0; count < 15; count += 1) fail('10.0.0.1');
  fail('10.0.0.2');
  expect(addresses).toEqual([...Array.from({ length: 10 }, () => '10.0.0.1'), '10.0.0.2']);
  now = MINUTE_MS;
  fail('10.0.0.1');
  expect(addresses).toHaveLength(12);
});

/** The server learns of a failed handshake in a later turn of the event loop. */
async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
}
