/**
 * HTTPS with client certificates on one port. Bun's HTTP server exposes no client certificate and cannot
 * replace its own certificate. `node:tls` does both. So TLS ends in this module, and the plain bytes go to a
 * loopback listener of the same HTTP server: the code for plain HTTP serves every operation. (Measured
 * against `node:http` on the same sockets: twice the requests per second, and none of its differences.)
 */
import type { Server, Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { nodeNet, nodeTls } from '../system/builtin.ts';
import { REAL_TIME, SECOND_MS, type Timer } from '../clock.ts';
import { InFlight } from '../http/in-flight.ts';
import { type Listening, listen, urlOf } from '../http/server.ts';
import type { Credentials } from './credentials.ts';
import type { PresentedCertificate } from './fitness.ts';
import { Forwarding, LOOPBACK } from './forwarding.ts';

export interface TlsListenParts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly fetch: (request: Request, inFlight: number) => Response | Promise<Response>;
  readonly inFlight?: InFlight;
  /** Limit of concurrent connections; a further one is closed (setting `servidor.conexoes`). */
  readonly connections?: number;
  /**
   * Time from the connection to its first complete header, in milliseconds (setting
   * `servidor.segundosCabecalho`).
   */
  readonly headerMs?: number;
  readonly credentials: Credentials;
  /** Time limit of a handshake, in milliseconds. */
  readonly handshakeMs?: number;
  /** Receives each failed handshake. */
  readonly onHandshakeFailed?: (address: string, error: Error) => void;
}

export interface TlsListening extends Listening {
  /** Port of the inner listener on the loopback. */
  readonly innerPort: number;
}

const HANDSHAKE_MAX_MS = 10 * SECOND_MS;
const HEADER_MAX_MS = 30 * SECOND_MS;

/** A client's connection to this port, as its requests see it. */
export interface TlsPortConnection {
  readonly address: string;
  /** False for plain HTTP, whose requests are refused. */
  readonly isSecure: boolean;
  presented(): PresentedCertificate | undefined;
}

/** A connection with the timer that closes it unless its first request arrives in time. */
interface InnerConnection extends TlsPortConnection {
  headerTimeout: Timer | undefined;
}

const connectionOf = new WeakMap<Request, TlsPortConnection>();

/** Returns the connection of a request that came to the TLS port, or `undefined`. */
export const tlsPortConnectionOf = (request: Request): TlsPortConnection | undefined =>
  connectionOf.get(request);

/** Returns the connection of a request that came over TLS, or `undefined`. */
export function secureConnectionOf(request: Request): TlsPortConnection | undefined {
  const connection = connectionOf.get(request);
  return connection?.isSecure === true ? connection : undefined;
}

/** Returns true for a request that came to the TLS port as plain HTTP. */
export const isPlainOnTlsPort = (request: Request): boolean => connectionOf.get(request)?.isSecure === false;

/** Starts the listener. Rejects if the port is in use. */
export async function listenTls(parts: TlsListenParts): Promise<TlsListening> {
  const { host, port, fetch, credentials, inFlight = new InFlight() } = parts;
  const { connections: connectionsMax = Number.POSITIVE_INFINITY, headerMs = HEADER_MAX_MS } = parts;
  const { handshakeMs = Math.min(HANDSHAKE_MAX_MS, headerMs) } = parts;
  /** Connections by their source port at the inner listener, which accepts no other client. */
  const connections = new Map<number, InnerConnection>();
  const inner = listen({
    host: LOOPBACK,
    port: 0,
    inFlight,
    fetch: (request, count, server) => {
      const connection = connections.get(server.requestIP(request)?.port ?? 0);
      if (connection === undefined) return new Response(null, { status: MISDIRECTED });
      connection.headerTimeout?.cancel();
      connection.headerTimeout = undefined;
      connectionOf.set(request, connection);
      return fetch(request, count);
    },
  });
  let context = contextOf(credentials);
  const sockets = new Set<Socket>();
  const failed = (address: string, error: Error): void => parts.onHandshakeFailed?.(address, error);
  const forward = (socket: Socket, connection: Omit<InnerConnection, 'headerTimeout'>): void => {
    const innerConnection: InnerConnection = {
      ...connection,
      headerTimeout: REAL_TIME.after(headerMs, () => socket.destroy()),
    };
    socket.on('close', () => innerConnection.headerTimeout?.cancel());
    new Forwarding(
      socket,
      inner.port,
      (sourcePort) => connections.set(sourcePort, innerConnection),
      (sourcePort) => connections.delete(sourcePort),
    );
  };
  const startTls = (socket: Socket, address: string, done: () => void): void => {
    const secure = new (nodeTls().TLSSocket)(socket, { ...context, isServer: true });
    secure.on('close', () => sockets.delete(socket));
    let isSecure = false;
    secure.on('error', (error) => {
      if (!isSecure) failed(address, error);
      secure.destroy();
    });
    secure.on('secure', () => {
      isSecure = true;
      done();
      forward(secure, { address, isSecure, presented: () => certificatePresentedBy(secure) });
    });
  };
  const outer = nodeNet().createServer({ allowHalfOpen: true }, (socket) => {
    if (sockets.size >= connectionsMax) {
      socket.destroy();
      return;
    }
    const address = socket.remoteAddress ?? 'unknown';
    // Also limits the time before the first byte.
    const late = REAL_TIME.after(handshakeMs, () => socket.destroy());
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      late.cancel();
      sockets.delete(socket);
    });
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) {
        socket.destroy(); // closed without a byte
        return;
      }
      socket.unshift(first);
      if (!isHttp(first)) {
        startTls(socket, address, () => late.cancel());
        return;
      }
      late.cancel();
      failed(address, Object.assign(new Error('plain HTTP'), { code: 'HTTP_REQUEST' }));
      forward(socket, { address, isSecure: false, presented: () => undefined });
    });
  });
  try {
    await startListening(outer, host, port);
  } catch (error) {
    await inner.stop(0);
    throw error;
  }
  credentials.onChange(() => {
    context = contextOf(credentials);
  });
  const address = outer.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: urlOf('https', host, boundPort),
    port: boundPort,
    innerPort: inner.port,
    stop: async (graceMs) => {
      outer.close();
      await inner.stop(graceMs);
      const closed = [...sockets].map((secure) => new Promise((resolve) => secure.once('close', resolve)));
      const late = REAL_TIME.after(FLUSH_MAX_MS, () => sockets.forEach((secure) => secure.destroy()));
      await Promise.all(closed);
      late.cancel();
    },
  };
}

/** Status for a foreign client of the inner port. */
const MISDIRECTED = 421;
/** Time at a stop for clients to receive completed responses, in milliseconds. */
const FLUSH_MAX_MS = 500;

/**
 * Builds the options of TLS sockets. They request a client certificate if there are authorities, and never
 * require one.
 */
function contextOf({ pair, trust }: Credentials): {
  readonly secureContext: SecureContext;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
} {
  const requestCert = trust.authorities.length > 0;
  const secureContext = nodeTls().createSecureContext({
    cert: pair?.cert,
    key: pair?.key,
    minVersion: 'TLSv1.2',
    ...(requestCert && { ca: [...trust.authorities] }),
  });
  return { secureContext, requestCert, rejectUnauthorized: false };
}

/** A request line of HTTP begins with its method; a TLS record never begins with a letter. */
const isHttp = (bytes: Uint8Array): boolean =>
  /^[A-Z]{1,20} /.test(Buffer.from(bytes).toString('latin1', 0, 32));

function startListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A connection that could not be accepted, for lack of descriptors. The client sees the failure, and
      // the next one may succeed.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Maximum length of a chain, longer than any valid chain. */
const CHAIN_MAX_LENGTH = 10;

function certificatePresentedBy(secure: TLSSocket): PresentedCertificate | undefined {
  const chain: Uint8Array[] = [];
  let next = secure.getPeerCertificate(true) as ReturnType<TLSSocket['getPeerCertificate']> | undefined;
  while (next?.raw !== undefined && chain.length < CHAIN_MAX_LENGTH) {
    chain.push(next.raw);
    const issuer = 'issuerCertificate' in next ? next.issuerCertificate : undefined;
    // The last certificate is its own issuer.
    next = issuer === next ? undefined : issuer;
  }
  if (chain.length === 0) return undefined;
  const refusal = secure.authorized ? undefined : String(secure.authorizationError ?? 'não verificado');
  return { chain, refusal, byProxy: false };
}
