/**
 * A sender that trusts the test authority and reaches local receivers through `entrega.mapa`, like a user's.
 */
import { expect } from 'bun:test';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { SystemClock } from '../../src/clock.ts';
import type { FailureReason, Outcome, Phase } from '../../src/notification/delivery/send/outcome.ts';
import type { DeliveryRequest, HttpsSenderParts } from '../../src/notification/delivery/send/sender.ts';
import { HttpsSender } from '../../src/notification/delivery/send/sender.ts';
import { parseTargetMap } from '../../src/notification/delivery/send/target-map.ts';
import { serverPeriod } from '../../src/authority/authority.ts';
import { testAuthority } from './receiver.ts';

export const HOST = 'erp.exemplo';
export const ENDPOINT = `https://${HOST}/notificacoes?fila=1`;
export const REQUEST: DeliveryRequest = {
  endpoint: ENDPOINT,
  headers: { secret: 'canário-1' },
  body: '{"a":"ação"}',
};

/** The phase in which an attempt fails, by its reason. Some connections and answers fail in other phases. */
const PHASES: Readonly<Record<FailureReason, Phase>> = {
  request: 'request',
  name: 'name',
  'forbidden-address': 'connection',
  connection: 'connection',
  tls: 'tls',
  certificate: 'tls',
  timeout: 'answer',
  answer: 'answer',
  redirect: 'answer',
  status: 'answer',
};

/** Returns the expected outcome of a failure, with any duration. */
export const failure = (
  reason: FailureReason,
  description: RegExp,
  more: { status?: number; phase?: Phase; answer?: string } = {},
): Outcome => ({
  kind: 'failed',
  reason,
  phase: PHASES[reason],
  ms: expect.any(Number),
  description: expect.stringMatching(description),
  ...more,
});

export interface TestSender extends Disposable {
  readonly sender: HttpsSender;
}

/** `using opened = await openSender(receiver)`: closed with its block. */
export async function openSender(
  receiver: { readonly port: number } | undefined,
  parts: Partial<HttpsSenderParts> = {},
): Promise<TestSender> {
  const sender = new HttpsSender({
    policy: { loopback: false, privateNetworks: 'all' },
    map: parseTargetMap(receiver === undefined ? [] : [`${HOST}:443=127.0.0.1:${receiver.port}`]),
    ca: [(await testAuthority()).pem],
    ...parts,
  });
  return { sender, [Symbol.dispose]: () => sender.close() };
}

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted until now. */
  readonly sockets: readonly Socket[];
}

/** Opens a TLS receiver with a valid certificate; `onConnection` writes its answers. */
export async function openRawTls(
  onConnection: (socket: TLSSocket, number: number) => void,
): Promise<RawServer> {
  const pair = await (await testAuthority()).issue([HOST], serverPeriod(new SystemClock().now()));
  let number = 0;
  return listen(createTlsServer(pair), 'secureConnection', (socket) =>
    onConnection(socket as TLSSocket, ++number),
  );
}

/** Opens the same receiver without TLS. */
export const openRawTcp = (onConnection: (socket: Socket) => void): Promise<RawServer> =>
  listen(createTcpServer(), 'connection', onConnection);

async function listen(
  server: Server,
  event: string,
  onConnection: (socket: Socket) => void,
): Promise<RawServer> {
  const sockets: Socket[] = [];
  server.on(event, (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
