/**
 * No user takes more than a share of the server (contract section 16, Limits): each limit on both sides, over
 * sockets.
 */
import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SECOND_MS } from '../../src/clock.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { HandTime } from '../support/real-time.ts';
import { SCHEMES, type Scheme, serverCertificate } from '../support/tls.ts';

const COMPANY = '12345678';
const OTHER = '11222333';
const CREATE = `/catp/api/ext/produto/${COMPANY}`;
const LIST = `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`;

type Who = 'demo' | 'demo2' | 'estranho' | 'publico';

let server: TestApp;
let time: HandTime;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function open(settings: Partial<Record<SettingName, string>>, over: Scheme = 'http'): Promise<void> {
  time = new HandTime();
  // The profile that also serves public agents, who act for no company.
  const producao = { ambiente: 'producao', ...settings };
  server = await openApp({ over, settings: producao, parts: { realTime: time } });
}

async function tokensOf(who: Who): Promise<string> {
  const key = { 'client-id': who, 'client-secret': who, 'role-type': 'IMPEXP' };
  const { headers } = await server.anybody.call(
    'POST',
    '/portal/api/autenticar/chave-acesso',
    undefined,
    key,
  );
  return `Authorization: ${headers.get('set-token')}\r\nX-CSRF-Token: ${headers.get('x-csrf-token')}\r\n`;
}

interface HeldConnection {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<void>;
}

/** Opens a request with a body of `length` bytes. Resolves once the server has received `body`. */
async function openHeld(
  who: Who,
  { length = 100, body = '{', path = CREATE, type = 'application/json' } = {},
): Promise<HeldConnection> {
  const waiting = time.armed(BODY_MS);
  const held = await connected(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${await tokensOf(who)}\r\n${body}`,
  );
  // The server waits for the first byte, then for the byte after the received ones.
  await waiting.then(() => time.armed(BODY_MS));
  return held;
}

/** Opens a connection that has sent `head`, and keeps the received text. */
async function connected(head: string): Promise<HeldConnection> {
  const { protocol, port } = new URL(server.url ?? '');
  const to = { host: '127.0.0.1', port: Number(port) };
  const { ca } = await serverCertificate();
  const socket = protocol === 'https:' ? connectTls({ ...to, ca }) : connect(to);
  sockets.push(socket);
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(head);
  return { socket, received: () => received, closed };
}

const BODY_MS = 30 * SECOND_MS;

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
};

const list = async (client: Client, company = COMPANY): Promise<Reply> =>
  client.call('GET', LIST.replace(COMPANY, company));

function expectRefused({ status, headers, json }: Reply, why: string): void {
  expect([status, headers.get('retry-after'), json.code]).toEqual([503, '2', 'CATP-ER0503']);
  expect(json.message).toContain(why);
}

/** A third user of the first company. */
const join = (): Promise<unknown> =>
  server.app.core.session.accounts.putRepresentation({
    documento: '00000000353',
    cpfCnpjRaiz: COMPANY,
    perfil: 'IMPEXP',
  });

describe('servidor.simultaneas', () => {
  test('a user has a quarter of them, a company half; every other user is served', async () => {
    await open({ 'servidor.simultaneas': '8' });
    await join();
    const [demo, demo2, third] = [
      await server.as('demo'),
      await server.as('demo2'),
      await server.as('estranho'),
    ];
    await openHeld('demo');
    expect((await list(demo)).status).toBe(204);
    const last = await openHeld('demo');
    expectRefused(await list(demo), 'um quarto de servidor.simultaneas');
    expectRefused(await list(demo, '87654321'), 'um quarto');
    await openHeld('demo2');
    expect((await list(demo2)).status).toBe(204);
    await openHeld('demo2');
    expectRefused(await list(third), `a parte da empresa ${COMPANY} (metade de servidor.simultaneas)`);
    expect((await list(third, OTHER)).status).toBe(204);
    expect((await list(await server.as('publico'))).status).toBe(204);

    last.socket.destroy();
    await until(async () => (await list(demo)).status === 204);
  });

  test('of a few, each user has one; one above the total gets a time to retry, for any user', async () => {
    await open({ 'servidor.simultaneas': '3' });
    await openHeld('demo');
    for (const who of ['estranho', 'publico'] as const)
      await openHeld(who, { path: '/portal/api/ext/webhook' });
    const refused = await server.anybody.call('GET', '/openapi.json');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refused.json.message).toContain('Há mais de 3 requisições');
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await server.anybody.call('GET', path)).status).toBe(200);
  });

  test('a streamed answer counts as running until it has been read or discarded', async () => {
    await open({ 'servidor.simultaneas': '4' });
    const demo = await server.as('demo');
    await demo.call('POST', CREATE, { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' });
    for (let n = 0; n < 3; n += 1) expect((await list(demo)).status).toBe(200);
    const headers = Object.fromEntries(
      (await tokensOf('demo'))
        .trim()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]),
    );
    const answer = await server.app.fetch(new Request(`http://catp.test${LIST}`, { headers }));
    expectRefused(await list(demo), 'um quarto');
    await answer.body?.cancel();
    expect((await list(demo)).status).toBe(200);
  });
});

const KIB = 1024;

describe('corpo.memoria', () => {
  const SETTINGS = { 'corpo.memoria': String(64 * KIB) };
  const body = (bytes: number): string => `{${' '.repeat(bytes - 1)}`;
  const post = (client: Client, bytes: number): Promise<Reply> => client.call('POST', CREATE, body(bytes));

  test('a user has a quarter of the bodies without an answer, a company half; a first one can be longer', async () => {
    await open(SETTINGS);
    await join();
    const [demo, third] = [await server.as('demo'), await server.as('estranho')];
    expect((await post(demo, 40 * KIB)).status).toBe(400);
    const first = await openHeld('demo', { length: 20 * KIB, body: body(10 * KIB) });
    await until(async () => (await post(demo, 6 * KIB + 1)).status === 503);
    expect((await post(demo, 6 * KIB)).status).toBe(400);
    expectRefused(await post(demo, 6 * KIB + 1), 'um quarto de corpo.memoria');
    await openHeld('demo2', { length: 30 * KIB, body: body(16 * KIB) });
    await until(async () => (await post(third, 6 * KIB + 1)).status === 503);
    expect((await post(third, 6 * KIB)).status).toBe(400);
    expectRefused(await post(third, 6 * KIB + 1), `a parte da empresa ${COMPANY} (metade de corpo.memoria)`);
    expect((await third.call('POST', CREATE.replace(COMPANY, OTHER), body(7 * KIB))).status).toBe(400);

    first.socket.destroy();
    await until(async () => (await post(demo, 16 * KIB)).status === 400);
  });

  test('above the total every sender is refused', async () => {
    await open(SETTINGS);
    const others = await server.as('publico');
    const subscribe = (bytes: number) => others.call('POST', '/portal/api/ext/webhook', body(bytes));
    await openHeld('demo', { length: 60 * KIB, body: body(50 * KIB) });
    await until(async () => (await subscribe(14 * KIB + 1)).status === 503);
    expect((await subscribe(14 * KIB)).status).toBe(400);
    expect((await subscribe(14 * KIB + 1)).json.message).toContain(
      'o máximo desta instância (corpo.memoria)',
    );
  });
});

test('twenty bodies of ten megabytes that stop before their end leave room for every other user', async () => {
  await open({});
  const refusedConnections = new Set<HeldConnection>();
  const length = 10_000_000;
  const part = `{${' '.repeat(length - 100_000)}`;
  const all = await Promise.all(Array.from({ length: 20 }, () => openHeld('demo', { length, body: part })));
  await until(() => {
    for (const one of all) if (one.received().startsWith('HTTP/1.1 503 ')) refusedConnections.add(one);
    return refusedConnections.size >= 14;
  });
  expect(refusedConnections.size).toBe(14);
  const demo2 = await server.as('demo2');
  expect((await demo2.call('POST', CREATE, part)).status).toBe(400);
});

test.each(SCHEMES)('over %s, a reader of a list that stops reading is cut off', async (over) => {
  await open({ 'servidor.listas': '4' }, over);
  fillProducts(server.app.core.db, 60_000);
  const reader = await connected(`GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n${await tokensOf('demo')}\r\n`);
  await until(() => reader.received() !== '');
  reader.socket.pause();
  // A reader is not cut while nobody waits. The buffers between it and the server become full after some
  // time.
  while (!time.set.includes(100 * SECOND_MS)) {
    time.pass(SECOND_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await list(await server.as('demo'))).status).toBe(200);
  reader.socket.resume();
  await reader.closed;
  expect(reader.received()).not.toEndWith('0\r\n\r\n');
});

test('a client that disconnects before the end of a body causes no fault of the server', async () => {
  const exchanges: number[] = [];
  const spy = spyOn(Metrics.prototype, 'request').mockImplementation(
    (_, status) => void exchanges.push(status),
  );
  try {
    await open({});
    const { socket } = await openHeld('demo');
    exchanges.length = 0;
    socket.destroy();
    await until(() => exchanges.length > 0);
    expect(exchanges).toEqual([400]);
  } finally {
    spy.mockRestore();
  }
});

describe.each(SCHEMES)('servidor.segundosCorpo, over %s', (over) => {
  const REST = JSON.stringify({ denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' });

  test('a stalled body is answered with 408, and its connection ends', async () => {
    await open({}, over);
    const slow = await openHeld('demo', { length: REST.length, body: REST.slice(0, 1) });
    for (const byte of REST.slice(1, 4)) {
      time.pass(BODY_MS - 1);
      const timer = time.armed(BODY_MS);
      slow.socket.write(byte);
      await timer;
    }
    const stopped = await openHeld('demo2', { length: REST.length, body: REST.slice(0, -1) });
    time.pass(BODY_MS - 1);
    slow.socket.write(REST.slice(4));
    await until(() => slow.received().includes('"codigo"'));
    expect(slow.received()).toStartWith('HTTP/1.1 200 ');
    time.pass(1);
    await stopped.closed;
    expect(stopped.received()).toStartWith('HTTP/1.1 408 ');
    expect(stopped.received()).toContain('"code":"CATP-ER0408"');
    expect(stopped.received()).toContain('servidor.segundosCorpo');
  });

  test('a stalled upload is answered with 408 too', async () => {
    await open({}, over);
    const type = 'multipart/form-data; boundary=x';
    const stopped = await openHeld('demo', { path: '/appliance/api/imports', type, body: '--x\r\n' });
    time.pass(BODY_MS);
    await stopped.closed;
    expect(stopped.received()).toStartWith('HTTP/1.1 408 ');
  });
});
