import type { Agent, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { nodeHttps, nodeTls } from '../../../system/builtin.ts';
import { type RealTime, SECOND_MS } from '../../../clock.ts';

/** Shorter than the 5 s after which common servers close an idle connection. */
export const CONNECTION_IDLE_MS = 4 * SECOND_MS;

/** Then a connection is not kept any more, so that a receiver whose certificate changed is noticed. */
export const CONNECTION_AGE_MS = 60 * SECOND_MS;

export interface ConnectionOptions extends RequestOptions {
  /** Absent: a local receiver, whose certificate is not looked at. */
  readonly secureContext?: SecureContext;
}

/** An agent whose connections grow old: none is kept for another request once it is old, nor idle for `idleMs`. */
export function ageingAgent(idleMs: number, realTime: RealTime): Agent {
  // A connection belongs to the address dialled and the name that it proved (`servername`).
  // Sessions are not resumed: a resumed one would skip the check of the name.
  const options = { keepAlive: true, maxCachedSessions: 0, timeout: idleMs, scheduling: 'lifo' } as const;
  const agent = new (nodeHttps().Agent)(options);
  const nameOf = agent.getName.bind(agent);
  // Node's key joins everything that TLS may be told, three times a request: but for these all our requests are told the same.
  agent.getName = (asked = {}) => {
    const { host, port, servername, checkServerIdentity } = asked as ConnectionOptions;
    return checkServerIdentity === undefined ? `${host}:${port}:${servername}` : nameOf(asked);
  };
  const bornAt = new WeakMap<Duplex, number>();
  // Declared as void, but its documentation and its caller say boolean.
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const born = bornAt.get(socket) ?? realTime.now();
    bornAt.set(socket, born);
    return realTime.now() - born < CONNECTION_AGE_MS && Boolean(keep(socket));
  };
  return agent;
}

/** What a receiver must prove: TLS 1.2 at least, and a chain to the usual roots or to one of `extraRoots` (PEM). */
export function trust(extraRoots: readonly string[]): SecureContext {
  const { createSecureContext, rootCertificates } = nodeTls();
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...rootCertificates, ...extraRoots] });
}
