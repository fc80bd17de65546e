/**
 * HTTPS with client certificates on one port. Bun's HTTP server shows no client certificate and keeps the certificate that
 * it began with; `node:tls` does both. So TLS ends here, and what comes out of it goes byte by byte to a listener of the
 * same HTTP server on the loopback: every operation is served by the one code that serves plain HTTP. (Measured beside
 * `node:http` on the same sockets: twice the requests per second, and none of its differences.)
 */
import type { Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';
import { nodeTls } from '../system/builtin.ts';
import { REAL_TIME, SECOND_MS, type Timer } from '../clock.ts';
import { InFlight } from '../http/in-flight.ts';
import { type Listening, listen, urlOf } from '../http/server.ts';
import type { Credentials } from './credentials.ts';
import type { Presented } from './fitness.ts';
import { Forwarding, LOOPBACK } from './forwarding.ts';

export interface TlsListenParts {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly fetch: (request: Request, inFlight: number) => Response | Promise<Response>;
  readonly inFlight?: InFlight;
  /** The most connections at a time; one more is closed (setting `servidor.conexoes`). */
  readonly connections?: number;
  /** How long a connection may take to its first whole header (setting `servidor.segundosCabecalho`). */
  readonly headerMs?: number;
  readonly credentials: Credentials;
  /** How long a handshake may take. */
  readonly handshakeMs?: number;
  /** Receives each handshake that failed. */
  readonly handshakeFailed?: (address: string, error: Error) => void;
}

export interface TlsListening extends Listening {
  /** Of the listener behind TLS, on the loopback. */
  readonly innerPort: number;
}

const HANDSHAKE_MAX_MS = 10 * SECOND_MS;
const HEADER_MAX_MS = 30 * SECOND_MS;

/** A client's connection, as the requests that come over it know it. */
export interface SecureConnection {
  readonly address: string;
  presented(): Presented | undefined;
}

/** With what ends it, until its first request is there. */
interface InnerConnection extends SecureConnection {
  late: Timer | undefined;
}

const connectionOf = new WeakMap<Request, SecureConnection>();

/** The connection of a request that came over TLS. */
export const secureConnectionOf = (request: Request): SecureConnection | undefined =>
  connectionOf.get(request);

/** Rejects when the port is taken. */
export async function listenTls(parts: TlsListenParts): Promise<TlsListening> {
  const { host, port, fetch, credentials, inFlight = new InFlight() } = parts;
  const { connections: most = Number.POSITIVE_INFINITY, headerMs = HEADER_MAX_MS } = parts;
  const { handshakeMs = Math.min(HANDSHAKE_MAX_MS, headerMs) } = parts;
  /** By the port from which each one goes on to the inner listener; nobody else may come in there. */
  const connections = new Map<number, InnerConnection>();
  const inner = listen({
    host: LOOPBACK,
    port: 0,
    inFlight,
    fetch: (request, count, server) => {
      const connection = connections.get(server.requestIP(request)?.port ?? 0);
      if (connection === undefined) return new Response(null, { status: MISDIRECTED });
      connection.late?.cancel();
      connection.late = undefined;
      connectionOf.set(request, connection);
      return fetch(request, count);
    },
  });
  const sockets = new Set<Socket>();
  const handshakes = new WeakMap<Socket, Timer>();
  const outer = nodeTls().createServer({ ...contextOf(credentials), allowHalfOpen: true }, (secure) => {
    handshakes.get(secure)?.cancel();
    const connection: InnerConnection = {
      address: secure.remoteAddress ?? 'unknown',
      presented: () => presentedBy(secure),
      late: REAL_TIME.after(headerMs, () => secure.destroy()),
    };
    secure.on('close', () => connection.late?.cancel());
    new Forwarding({
      secure,
      port: inner.port,
      onOpen: (from) => connections.set(from, connection),
      onClose: (from) => connections.delete(from),
    });
  });
  // Also before the handshake; Bun does not obey `handshakeTimeout`.
  outer.on('connection', (socket: Socket) => {
    if (sockets.size >= most) {
      socket.destroy();
      return;
    }
    const late = REAL_TIME.after(handshakeMs, () => socket.destroy());
    handshakes.set(socket, late);
    sockets.add(socket);
    socket.on('close', () => {
      late.cancel();
      sockets.delete(socket);
    });
  });
  outer.on('tlsClientError', (error, socket) =>
    parts.handshakeFailed?.(socket.remoteAddress ?? 'unknown', error),
  );
  try {
    await listening(outer, host, port);
  } catch (error) {
    await inner.stop(0);
    throw error;
  }
  credentials.onChange(() => outer.setSecureContext(contextOf(credentials)));
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

/** For who finds the inner port and is not us. */
const MISDIRECTED = 421;
/** What has been answered at the stop gets so long to be taken. */
const FLUSH_MAX_MS = 500;

/** A client certificate is asked for where there are authorities, and never demanded. */
function contextOf({ pair, trust }: Credentials) {
  const asksForCertificate = trust.authorities.length > 0;
  return {
    cert: pair?.cert,
    key: pair?.key,
    minVersion: 'TLSv1.2' as const,
    requestCert: asksForCertificate,
    rejectUnauthorized: false,
    ...(asksForCertificate && { ca: [...trust.authorities] }),
  };
}

function listening(server: TlsServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A connection that could not be taken, for want of descriptors: the client sees it, and the next one may be.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Longer than any that verifies. */
const CHAIN_MAX_LENGTH = 10;

function presentedBy(secure: TLSSocket): Presented | undefined {
  const chain: Uint8Array[] = [];
  let next = secure.getPeerCertificate(true) as ReturnType<TLSSocket['getPeerCertificate']> | undefined;
  while (next?.raw !== undefined && chain.length < CHAIN_MAX_LENGTH) {
    chain.push(next.raw);
    const issuer = 'issuerCertificate' in next ? next.issuerCertificate : undefined;
    // The last one has issued itself.
    next = issuer === next ? undefined : issuer;
  }
  if (chain.length === 0) return undefined;
  const refusal = secure.authorized ? undefined : String(secure.authorizationError ?? 'não verificado');
  return { chain, refusal, byProxy: false };
}
