/** Listens for requests, and stops without losing any. */
import type { Server } from 'bun';
import { InFlight } from './in-flight.ts';
import { RUNTIME_HEADER_MAX_BYTES, RUNTIME_HEADER_OPTION } from './header-limit.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting and waits at most `graceMs` for accepted requests. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenParts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly fetch: (
    request: Request,
    inFlight: number,
    server: Server<undefined>,
  ) => Response | Promise<Response>;
  /** The counter that this listener shares with others. Default: its own. */
  readonly inFlight?: InFlight;
}

const IDLE_SECONDS = 120;

/**
 * Limit of Bun's server in bytes. Above it the server answers 413 without a body; the lower limit of each
 * operation applies first. A body without a reader is not kept in memory: its sender waits until the answer
 * is sent.
 */
const RUNTIME_BODY_MAX_BYTES = 2 ** 40;

/** Any server can report the remote address of every unanswered request. */
let anyServer: Server<undefined> | undefined;

/** Returns the remote address of a request's connection. Over TLS, `secureConnectionOf` reports it. */
export const plainAddressOf = (request: Request): string =>
  anyServer?.requestIP(request)?.address ?? 'unknown';

export const urlOf = (scheme: 'http' | 'https', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Returns the remote port. Over TLS it is the port of the inner connection. */
export const plainPortOf = (request: Request): number | undefined => anyServer?.requestIP(request)?.port;

/**
 * Switches the idle timeout off for a request. The runtime counts the connection as idle from the request on,
 * even while a body arrives: a long one would be cut.
 */
export const stayAwake = (request: Request): void => anyServer?.timeout(request, IDLE_SECONDS);

/** Listens for plain HTTP. Throws when the port is taken. */
export function listen({ host, port, fetch, inFlight = new InFlight() }: ListenParts): Listening {
  raiseRuntimeHeaderLimit();
  const server: Server<undefined> = Bun.serve({
    hostname: host,
    port,
    // Otherwise a broken answer is logged with its source code, and two servers may share one port.
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

/** Sets the limit when run from source. The executable carries the option. */
function raiseRuntimeHeaderLimit(): void {
  if (process.execArgv.some((option) => option.startsWith(RUNTIME_HEADER_OPTION))) return;
  const http = require('node:http') as { maxHeaderSize: number }; // not loaded by the executable
  http.maxHeaderSize = RUNTIME_HEADER_MAX_BYTES;
}
