/** The forwarding of TLS: complete, in order, at the pace of the other side, and to its end. */
import { afterEach, beforeAll, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { type Socket, connect as connectTcp } from 'node:net';
import { type TLSSocket, connect } from 'node:tls';
import { type TlsListenParts, type TlsListening, listenTls } from '../../src/tls/listener.ts';
import { serverCertificate, serverCredentials } from '../support/tls.ts';

const MIB = 2 ** 20;

let ca: string;
beforeAll(async () => {
  ({ ca } = await serverCertificate());
});

let listening: TlsListening | undefined;
afterEach(async () => {
  await listening?.stop(0);
  listening = undefined;
});

async function serving(
  fetch: (request: Request) => Response | Promise<Response>,
  more: Pick<TlsListenParts, 'handshakeMs'> = {},
): Promise<{ url: string; port: number }> {
  const credentials = await serverCredentials();
  listening = await listenTls({ host: '127.0.0.1', port: 0, fetch, credentials, ...more });
  return listening;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function connected(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket;
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await Bun.sleep(5);
};

test('uploads and downloads of many megabytes arrive unchanged, many at a time', async () => {
  const { url } = await serving(async (request) => {
    const bytes = await request.bytes();
    return new Response(bytes, { headers: { digest: digestOf(bytes) } });
  });
  const bodies = [1, 16 * 1024, 3 * MIB, 24 * MIB].map((size) => randomBytes(size));
  await Promise.all(
    bodies.map(async (body) => {
      const answer = await fetch(url, { method: 'POST', body, tls: { ca } });
      expect(answer.headers.get('digest')).toBe(digestOf(body));
      expect(digestOf(await answer.bytes())).toBe(digestOf(body));
    }),
  );
});

test('two hundred simultaneous connections are each kept for many requests', async () => {
  const { port } = await serving((request) => new Response(new URL(request.url).pathname));
  const sendRequests = async (client: number): Promise<void> => {
    const socket = await connected(port);
    for (let time = 0; time < 5; time += 1) {
      const path = `/${client}/${time}`;
      const answer = new Promise<string>((resolve) =>
        socket.once('data', (part: Buffer) => resolve(part.toString())),
      );
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(await answer).toEndWith(`\r\n\r\n${path}`);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: 200 }, (_, client) => sendRequests(client)));
});

test('a stalled reader stops the answer, and gets all of it when it continues', async () => {
  const CHUNK = new Uint8Array(64 * 1024).fill(120);
  const WHOLE = 64 * MIB;
  let produced = 0;
  const { port } = await serving(
    () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            // The event loop gets a turn between two chunks, as in a list that is read.
            await Bun.sleep(0);
            controller.enqueue(CHUNK);
            produced += CHUNK.length;
            if (produced >= WHOLE) controller.close();
          },
        }),
      ),
  );
  const socket = await connected(port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('readable', resolve));
  let before = -1;
  while (produced !== before) {
    before = produced;
    await Bun.sleep(300);
  }
  expect(produced).toBeLessThan(WHOLE / 2);
  let received = 0;
  socket.on('data', (part: Buffer) => {
    for (const byte of part) if (byte === 120) received += 1;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  expect(received).toBe(WHOLE);
});

test('a server that does not read stops the upload', async () => {
  const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
  const { port } = await serving(async (request) => {
    await mayRead;
    return new Response(String((await request.bytes()).length));
  });
  const socket = await connected(port);
  const size = 48 * MIB;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
  const block = Buffer.alloc(MIB, 121);
  for (let offset = 0; offset < size; offset += MIB) socket.write(block);
  const answer = new Promise<string>((resolve) =>
    socket.once('data', (part: Buffer) => resolve(part.toString())),
  );
  read();
  expect(await answer).toEndWith(`\r\n\r\n${size}`);
  socket.destroy();
});

test('the disconnection of a client ends the work for it', async () => {
  let ended = false;
  const { port } = await serving((request) => {
    request.signal.addEventListener('abort', () => (ended = true));
    return new Response(
      new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1);
          controller.enqueue(new Uint8Array(1024));
        },
      }),
    );
  });
  const socket = await connected(port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await until(() => ended);
});

test('a stop completes the current answer, and ends idle connections', async () => {
  const { promise: mayAnswer, resolve: go } = Promise.withResolvers<void>();
  let isAsked = false;
  const { port } = await serving(async () => {
    isAsked = true;
    await mayAnswer;
    return new Response('x'.repeat(MIB));
  });
  const [busy, idle] = await Promise.all([connected(port), connected(port)]);
  const idleClosed = new Promise((resolve) => idle.once('close', resolve));
  busy.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let received = 0;
  busy.on('data', (part: Buffer) => (received += part.length));
  const busyClosed = new Promise((resolve) => busy.once('close', resolve));
  await until(() => isAsked);
  const stopped = listening?.stop(3000);
  go();
  await Promise.all([stopped, busyClosed, idleClosed]);
  listening = undefined;
  expect(received).toBeGreaterThan(MIB);
  expect(connected(port)).rejects.toThrow();
});

test('a client that speaks no TLS, breaks off the handshake or never ends it is disconnected, and disturbs nobody', async () => {
  const { url, port } = await serving(() => new Response('ok'), { handshakeMs: 300 });
  const early = await connected(port);
  const spoken = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const socket: Socket = connectTcp({ host: '127.0.0.1', port }, () => socket.write(text));
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.on('close', () => resolve());
    });
  await Promise.all([
    spoken('GET / HTTP/1.1\r\n\r\n'),
    spoken('\x16\x03\x01\x00\x10 and never more'),
    spoken('\0'.repeat(9000)),
  ]);
  // A connection with a complete handshake outlives that deadline.
  const answer = new Promise<string>((resolve) =>
    early.once('data', (part: Buffer) => resolve(part.toString())),
  );
  early.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answer).toEndWith('ok');
  early.destroy();
  const half = connectTcp({ host: '127.0.0.1', port }, () => half.destroy());
  expect(await (await fetch(url, { tls: { ca } })).text()).toBe('ok');
});
