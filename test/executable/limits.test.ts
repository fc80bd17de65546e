/**
 * The concurrency limits of one server (contract section 16), in the executable: each limit on both sides.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Reply } from '../support/app.ts';
import { faultsOf } from '../contract/error-body.ts';
import type { RunningCatp } from '../support/executable.ts';
import { SCHEMES, type Scheme, certificateFiles, serverCertificate, trusting } from '../support/tls.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const CLOSE = { connection: 'close' };
const BODY = JSON.stringify({ denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' });

let ca: string;
let sandbox: Sandbox;
const sockets: Socket[] = [];
beforeAll(async () => {
  ({ ca } = await serverCertificate());
});
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sandbox.close();
});

/** A connection that stores the received bytes. */
interface HeldConnection {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<void>;
}

async function hold(url: string): Promise<HeldConnection> {
  const { protocol, port } = new URL(url);
  const target = { host: '127.0.0.1', port: Number(port) };
  const socket = protocol === 'https:' ? connectTls({ ...target, ca }) : connect(target);
  sockets.push(socket);
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const open = new Promise<void>((resolve) =>
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve()),
  );
  await Promise.race([open, closed]);
  return { socket, received: () => received, closed };
}

const until = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isMet())) await Bun.sleep(5);
};

const PRODUCTS = '/catp/api/ext/produto/12345678';

const head = (tokens: Record<string, string>, length = BODY.length): string =>
  `POST ${PRODUCTS} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${Object.entries(tokens)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

describe.each(SCHEMES)('servidor.simultaneas, over %s', (scheme: Scheme) => {
  test('a user has a quarter of them; one more request gets a time to retry, and other users are not delayed', async () => {
    const { cert, key } = await certificateFiles();
    const tls = scheme === 'https' ? ['--tls-port', '0', '--tls-cert', cert, '--tls-key', key] : [];
    const catp = await sandbox.start(
      ...['dev', '--port', '0', '--empty', '--set', 'servidor.simultaneas=12', ...tls],
    );
    const url = urlOf(catp, scheme);
    const tokens = (await tokensOf(url, 'demo', 'demo')) as Record<string, string>;
    const list = async (): Promise<Reply> => {
      const answer = await trusting(url + LIST, { headers: { ...tokens, ...CLOSE } });
      const bytes = await answer.bytes();
      const text = new TextDecoder().decode(bytes);
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        bytes,
        get json() {
          return JSON.parse(text) as unknown;
        },
      };
    };
    // These requests wait for their bodies.
    const first = [await hold(url), await hold(url)];
    for (const { socket } of first) socket.write(head(tokens));
    expect((await list()).status).toBe(204);

    const last = await hold(url);
    last.socket.write(head(tokens));
    let refusal = await list();
    await until(async () => (refusal = await list()).status === 503);
    expect(faultsOf(refusal, { status: 503, mnemonico: 'CATP' })).toEqual([]);
    expect(refusal.json.message).toContain('servidor.simultaneas');
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, (await trusting(url + path, { headers: CLOSE })).status]).toEqual([path, 200]);

    const daysLeft = /^catp_certificate_days_left (\S+)$/m.exec(
      await (await trusting(`${url}/metrics`, { headers: CLOSE })).text(),
    );
    expect([scheme, Number(daysLeft?.[1] ?? 0) > 0]).toEqual([scheme, scheme === 'https']);

    // The waiting requests are completed, and new ones are accepted.
    for (const { socket } of [...first, last]) socket.write(BODY);
    await until(() => [...first, last].every(({ received }) => received().startsWith('HTTP/1.1 200 ')));
    await until(async () => (await list()).status === 200);
  });
});

test('servidor.conexoes: one connection above it is closed without an answer, and accepted when another has closed', async () => {
  const { cert, key } = await certificateFiles();
  const TLS = ['--tls-port', '0', '--tls-cert', cert, '--tls-key', key];
  const catp = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--set', 'servidor.conexoes=2', ...TLS],
  );
  const url = urlOf(catp, 'https');
  const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const [first, second] = [await hold(url), await hold(url)];
  const third = await hold(url);
  await third.closed;
  expect(third.received()).toBe('');
  for (const { socket, received } of [first, second]) {
    socket.write(health);
    await until(() => received().startsWith('HTTP/1.1 200 '));
  }
  first.socket.destroy();
  let next = await hold(url);
  await until(async () => {
    next.socket.write(health);
    await Promise.race([next.closed, until(() => next.received() !== '')]);
    if (next.received() === '') next = await hold(url);
    return next.received().startsWith('HTTP/1.1 200 ');
  });
});

test('corpo.memoria: a user has a quarter of the memory for received bodies, and others are still accepted', async () => {
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--set', 'corpo.memoria=4096');
  const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
  const post = async (bytes: number, headers = tokens): Promise<readonly [number, string]> => {
    const answer = await trusting(`${catp.url}${PRODUCTS}`, {
      method: 'POST',
      headers: { ...headers, ...CLOSE },
      body: ' '.repeat(bytes),
    });
    return [answer.status, await answer.text()];
  };
  const connection = await hold(catp.url);
  connection.socket.write(head(tokens, 1000) + ' '.repeat(900));
  await until(async () => (await post(125))[0] === 503);
  expect((await post(124))[0]).toBe(400);
  expect((await post(125))[1]).toContain('um quarto de corpo.memoria');
  const otherTokens = (await tokensOf(catp.url, 'demo2', 'demo2')) as Record<string, string>;
  expect((await post(1024, otherTokens))[0]).toBe(400);
});

test('servidor.segundosCorpo: a stalled body is answered with 408, a moving one is awaited', async () => {
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--set', 'servidor.segundosCorpo=1');
  const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
  const slow = await hold(catp.url);
  slow.socket.write(head(tokens));
  const drip = setInterval(() => slow.socket.write(' '), 300);
  const stalled = await hold(catp.url);
  stalled.socket.write(head(tokens) + BODY.slice(0, -1));
  await stalled.closed;
  expect(stalled.received()).toMatch(/^HTTP\/1\.1 408 [^]*servidor\.segundosCorpo/);
  clearInterval(drip);
  expect(slow.received()).toBe('');
});

test('servidor.segundosCabecalho: the start reports the substitute for HTTP without TLS', async () => {
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--set', 'servidor.segundosCabecalho=5');
  expect(await catp.stop()).toBe(0);
  expect(await catp.allStderr()).toContain('em HTTP sem TLS o runtime fecha aos 12 segundos');
  const plainServer = await sandbox.start('dev', '--port', '0', '--empty');
  expect(await plainServer.stop()).toBe(0);
  expect(await plainServer.allStderr()).not.toContain('12 segundos');
});

test('servidor.segundosCabecalho: an unfinished header closes the connection; a body can arrive later', async () => {
  const { cert, key } = await certificateFiles();
  const TLS = ['--tls-port', '0', '--tls-cert', cert, '--tls-key', key];
  const catp = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--set', 'servidor.segundosCabecalho=1', ...TLS],
  );
  const url = urlOf(catp, 'https');
  const tokens = (await tokensOf(url, 'demo', 'demo')) as Record<string, string>;
  const headerSent = await hold(url);
  headerSent.socket.write(head(tokens));
  const silent = await hold(url);
  const slow = await hold(url);
  slow.socket.write('GET /healthz HTTP/1.1\r\nX: ');
  const drip = setInterval(() => slow.socket.write('x'), 50);
  await Promise.all([slow.closed, silent.closed]);
  clearInterval(drip);
  expect([slow.received(), silent.received()]).toEqual(['', '']);
  headerSent.socket.write(BODY);
  await until(() => headerSent.received().startsWith('HTTP/1.1 200 '));
});

const urlOf = (catp: RunningCatp, scheme: Scheme): string =>
  scheme === 'http'
    ? (/pronto em (http:\S+)/.exec(catp.stdout)?.[1] ?? '')
    : (/TLS em (https:\S+)/.exec(catp.stdout)?.[1] ?? '');
