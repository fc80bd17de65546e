/** Hostile clients on the loopback: slow ones, very many, and injections into headers and paths. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { zipSync } from 'fflate';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { SCHEMES, serverCertificate } from '../support/tls.ts';

const HELD = 300;

describe.each(SCHEMES)('over %s', (over) => {
  let server: TestApp;
  let demo: Client;
  let ca: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    server = await openApp({ over });
    demo = await server.as('demo');
    ({ ca } = await serverCertificate());
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  /** Opens a connection, sends `text`, and ignores later errors of the connection. */
  function open(text: string): Promise<Socket> {
    const to = { host: '127.0.0.1', port: Number(new URL(server.url ?? '').port) };
    const socket = over === 'https' ? connectTls({ ...to, ca }) : connect(to);
    sockets.push(socket);
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.once(over === 'https' ? 'secureConnect' : 'connect', () => {
        socket.write(text);
        resolve(socket);
      });
      socket.once('close', () => resolve(socket));
    });
  }

  async function answerTo(text: string): Promise<string> {
    const socket = await open(text);
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  }

  const isServed = async (): Promise<boolean> =>
    (await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678')).status === 204;

  test('hundreds of connections with nothing, half a header or half a body delay no other client', async () => {
    const halves = [
      '',
      'GET /healthz HTTP/1.1\r\nX: ',
      'POST /portal/api/autenticar/chave-acesso HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{',
      'POST /catp/api/ext/produto/12345678 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{',
    ];
    const openSockets = await Promise.all(
      Array.from({ length: HELD }, (_, index) => open(halves[index % halves.length] ?? '')),
    );
    expect(openSockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(HELD / 2);
    // One byte at a time, while the server answers others.
    for (const _byte of Array.from({ length: 20 })) {
      for (const socket of openSockets) if (!socket.destroyed) socket.write('x');
      expect(await isServed()).toBe(true);
    }
    for (const socket of openSockets) socket.destroy();
    expect(await isServed()).toBe(true);
  });

  test('hundreds of connections that open and close at once leave no resource', async () => {
    for (const _wave of Array.from({ length: 3 })) {
      const wave = await Promise.all(Array.from({ length: HELD }, () => open('GET /healthz HTT')));
      for (const socket of wave) socket.destroy();
    }
    expect(await isServed()).toBe(true);
  });

  test.each([
    ['the path', 'GET /x%0d%0aSet-Token:%20roubado HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    [
      'the query',
      'GET /healthz?x=%0d%0aSet-Token:%20roubado HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    [
      'Origin',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nOrigin: a%0d%0aSet-Token: roubado\r\nConnection: close\r\n\r\n',
    ],
    [
      'Role-Type',
      'POST /portal/api/autenticar HTTP/1.1\r\nHost: x\r\nRole-Type: A\rSet-Token: roubado\r\nConnection: close\r\n\r\n',
    ],
    [
      'X-Forwarded-For',
      'GET /nada HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4%0d%0aSet-Token: roubado\r\nConnection: close\r\n\r\n',
    ],
  ])('nothing in %s becomes a header of the answer', async (_where, request) => {
    const [head = ''] = (await answerTo(request)).split('\r\n\r\n');
    expect(head).toStartWith('HTTP/1.1 ');
    expect(head).not.toMatch(/^set-token:/im);
  });

  test.each([
    '/../../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/ajuda/../../catp.key',
    '/ajuda/..%2f..%2fcatp.key',
    '/docs/..%5c..%5ccatp.key',
    '/appliance/api/imports/..%2f..%2fcatp.key/errors.csv',
    '/catp.key',
    '/catp.sqlite',
    '/catp.toml',
    '//etc/passwd',
    '/file:///etc/passwd',
  ])('the path %s reaches no file', async (path) => {
    const answer = await answerTo(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|401|404) /);
    expect(answer).not.toContain('root:');
  });

  test('the names in an uploaded archive reach no file', async () => {
    const item = { seq: 1, cpfCnpjRaiz: '12345678', denominacao: 'a', modalidade: 'AMBOS', ncm: '39269090' };
    const items = new TextEncoder().encode(JSON.stringify([item]));
    const names = ['../../fora.json', '/tmp/catp-fora.json', '..\\..\\fora.json', 'C:\\fora.json'];
    const before = readdirSync(dirname(server.folder)).filter((name) => name.includes('fora'));
    for (const name of names) {
      const form = new FormData();
      form.set('tipo', 'produto');
      form.set('simular', 'true');
      form.set('file', new Blob([zipSync({ [name]: items })]), name);
      const started = await demo.call('POST', '/appliance/api/imports', form);
      expect([name, started.status]).toEqual([name, 202]);
      const path = `/appliance/api/imports/${started.json.id}`;
      while (!['done', 'failed'].includes((await demo.call('GET', path)).json.state)) await Bun.sleep(5);
    }
    expect(readdirSync(dirname(server.folder)).filter((name) => name.includes('fora'))).toEqual(before);
    for (const path of ['/tmp/catp-fora.json', join(server.folder, '../../fora.json')])
      expect([path, existsSync(path)]).toEqual([path, false]);
  });
});
