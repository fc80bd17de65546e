/**
 * A server on the loopback from which lists are fetched, and a proxy that resolves names that DNS does not
 * know.
 */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, type Socket, connect, createServer as createTcp } from 'node:net';
import { zipWith } from '../../src/files/zip-out.ts';
import { type Scheme, serverCertificate } from './tls.ts';

export interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

export interface TestOrigin {
  readonly url: string;
  readonly port: number;
  /** The received requests, the newest last. */
  readonly requests: readonly ReceivedRequest[];
  /** Handles all later requests. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers later requests with this body. */
  serves(body: string | Uint8Array): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openOrigin(scheme: Scheme = 'https'): Promise<TestOrigin> {
  const requests: ReceivedRequest[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    origin.answer(request, response);
  };
  const server = scheme === 'http' ? createHttp(handle) : createHttps(await serverCertificate(), handle);
  const { port, close } = await listening(server);
  const origin: TestOrigin = {
    url: `${scheme}://localhost:${port}/lista`,
    port,
    requests,
    answer: (_, response) => void response.writeHead(404).end(),
    serves: (body) => (origin.answer = (_, response) => void response.end(body)),
    [Symbol.asyncDispose]: close,
  };
  return origin;
}

export interface TestProxy {
  readonly url: string;
  /** The received requests: the first line, and the other headers. */
  readonly requests: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a proxy that resolves every name to that local port. `refusal`: its answer instead. */
export async function openProxy(port: number, refusal?: string): Promise<TestProxy> {
  const requests: string[] = [];
  const server = createTcp((client) => {
    client.on('error', () => undefined);
    client.once('data', (head) => {
      requests.push(head.toString());
      if (refusal !== undefined) return client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => client.destroy());
      return undefined;
    });
  });
  const { port: own, close } = await listening(server);
  return { url: `http://127.0.0.1:${own}`, requests, [Symbol.asyncDispose]: close };
}

async function listening(server: ReturnType<typeof createTcp>) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Returns a zip with one member of this name. */
export const zipped = (name: string, text: string): Promise<Uint8Array> =>
  new Response(
    zipWith(
      [],
      name,
      (async function* () {
        yield text;
      })(),
      0,
    ),
  ).bytes();
