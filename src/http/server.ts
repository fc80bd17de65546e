/** Listens for requests, and stops without losing any. */
import type { Server } from 'bun';
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
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** PEM texts; without them it is plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const IDLE_SECONDS = 120;

/**
 * Over its own limit Bun's server answers 413 without a body, so that each operation's limit is the one that answers. A body
 * that nobody reads is not kept: its sender waits, or it is let go once the answer is out.
 */
const RUNTIME_BODY_MAX_BYTES = 2 ** 40;

/** Remembers the other side of each request until it is answered. */
const addresses = new WeakMap<Request, string>();

export const addressOf = (request: Request): string => addresses.get(request) ?? 'unknown';

/** Throws, with a message for the operator, when the port is taken. */
export function listen({ host, port, fetch, tls }: ListenParts): Listening {
  raiseRuntimeHeaderLimit();
  const server: Server<undefined> = Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: RUNTIME_BODY_MAX_BYTES,
    ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
    fetch: (request, self) => {
      // Only authentication asks for the address; a key authentication is a POST.
      if (request.method === 'POST') addresses.set(request, self.requestIP(request)?.address ?? 'unknown');
      return fetch(request);
    },
  });
  const boundPort = server.port ?? port;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    stop: async (graceMs) => {
      const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([server.stop(false), grace]);
      await server.stop(true);
    },
  };
}

/** The executable carries the option; run from source, the same limit is set here. */
function raiseRuntimeHeaderLimit(): void {
  if (process.execArgv.some((option) => option.startsWith(RUNTIME_HEADER_OPTION))) return;
  const http = require('node:http') as { maxHeaderSize: number }; // not loaded by the executable
  http.maxHeaderSize = RUNTIME_HEADER_MAX_BYTES;
}
