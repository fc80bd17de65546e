/** Listens for requests, and stops without losing any. */
import type { Server } from 'bun';
import { InFlight } from './in-flight.ts';
import { RUNTIME_HEADER_MAX_BYTES, RUNTIME_HEADER_OPTION } from './header-limit.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, waits for what was accepted, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenParts {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly fetch: (
    request: Request,
    inFlight: number,
    server: Server<undefined>,
  ) => Response | Promise<Response>;
  /** Where this listener's requests are counted with those of others; by default, alone. */
  readonly inFlight?: InFlight;
}

const IDLE_SECONDS = 120;

/**
 * Over its own limit Bun's server answers 413 without a body, so that each operation's limit is the one that answers. A body
 * that nobody reads is not kept: its sender waits, or it is let go once the answer is out.
 */
const RUNTIME_BODY_MAX_BYTES = 2 ** 40;

/** Any server knows the other side of every request that has not been answered. */
let anyServer: Server<undefined> | undefined;

/** The other side of the connection of a request; over TLS `secureConnectionOf` knows it. */
export const plainAddressOf = (request: Request): string =>
  anyServer?.requestIP(request)?.address ?? 'unknown';

export const urlOf = (scheme: 'http' | 'https', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The port at that other side; over TLS that of the connection behind it. */
export const plainPortOf = (request: Request): number | undefined => anyServer?.requestIP(request)?.port;

/** The runtime counts a connection as idle from its request on, whatever comes of the body: a long one would be cut. */
export const stayAwake = (request: Request): void => anyServer?.timeout(request, IDLE_SECONDS);

/** Listens for plain HTTP. Throws when the port is taken. */
export function listen({ host, port, fetch, inFlight = new InFlight() }: ListenParts): Listening {
  raiseRuntimeHeaderLimit();
  const server: Server<undefined> = Bun.serve({
    hostname: host,
    port,
    // Else an answer that is broken off is printed with its source, into the log; and then two may have one port.
    development: false,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: RUNTIME_BODY_MAX_BYTES,
    fetch: (request, self) => fetch(request, inFlight.count, self),
  });
  anyServer = server;
  inFlight.add(server);
  const boundPort = server.port ?? port;
  return {
    url: urlOf('http', host, boundPort),
    port: boundPort,
    stop: async (graceMs) => {
      const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([server.stop(false), grace]);
      await server.stop(true);
      inFlight.remove(server);
    },
  };
}

/** The executable carries the option; run from source, the same limit is set here. */
function raiseRuntimeHeaderLimit(): void {
  if (process.execArgv.some((option) => option.startsWith(RUNTIME_HEADER_OPTION))) return;
  const http = require('node:http') as { maxHeaderSize: number }; // not loaded by the executable
  http.maxHeaderSize = RUNTIME_HEADER_MAX_BYTES;
}
