import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { SECOND_MS } from '../../clock.ts';

/** Shorter than the 5 s after which common servers close an idle connection. */
export const CONNECTION_IDLE_MS = 4 * SECOND_MS;

/** Then a connection is not kept any more, so that a receiver whose certificate changed is noticed. */
export const CONNECTION_AGE_MS = 60 * SECOND_MS;

export interface ConnectionOptions extends RequestOptions {
  readonly secureContext: SecureContext;
}

export interface Ages {
  readonly idleMs: number;
  readonly ageMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** An agent whose connections grow old: none is kept for another request once `ageMs` old, nor idle for `idleMs`. */
export class AgeingAgent extends Agent {
  readonly #bornAt = new WeakMap<Duplex, number>();
  readonly #ages: Ages;

  constructor(ages: Ages, options: AgentOptions = {}) {
    // A connection belongs to the address dialled and the name that it proved (`servername`): Node's own key for it.
    // Sessions are not resumed: a resumed one would skip the check of the name.
    super({ ...options, keepAlive: true, maxCachedSessions: 0, timeout: ages.idleMs, scheduling: 'lifo' });
    this.#ages = ages;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const { now, ageMs } = this.#ages;
    const bornAt = this.#bornAt.get(socket) ?? now();
    this.#bornAt.set(socket, bornAt);
    // Declared as void, but its documentation and its caller say boolean.
    return now() - bornAt < ageMs && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}

/** What a receiver must prove: TLS 1.2 at least, and a chain to the usual roots or to one of `extraRoots` (PEM). */
export function trust(extraRoots: readonly string[]): SecureContext {
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...rootCertificates, ...extraRoots] });
}
