import type { SecureContext } from 'node:tls';
import { type RealTime, SECOND_MS } from '../../../clock.ts';
import { nodeTls } from '../../../system/builtin.ts';
import type { Connection, Dial } from './connection.ts';

/** The idle timeout: shorter than the 5 s after which common servers close an idle connection. */
export const CONNECTION_IDLE_MS = 4 * SECOND_MS;

/** The maximum age of a kept connection, so that a changed certificate is noticed. */
export const CONNECTION_AGE_MS = 60 * SECOND_MS;

/** The margin before the receiver closes an idle connection. Within it the connection is not used. */
const MARGIN_SECONDS = 1;

/** A pool of idle connections, keyed by the dialled address and the proven name. Each has a maximum age. */
export class Connections {
  readonly #idleMs: number;
  readonly #realTime: RealTime;
  readonly #idle = new Map<string, Connection[]>();
  readonly #bornAt = new WeakMap<Connection, number>();
  #isClosed = false;

  constructor(idleMs: number, realTime: RealTime) {
    this.#idleMs = idleMs;
    this.#realTime = realTime;
  }

  /** Takes the most recently used connection, so that the others reach their age limit and close. */
  take(dial: Dial): Connection | undefined {
    const key = keyOf(dial);
    const idle = this.#idle.get(key);
    const connection = idle?.pop();
    if (idle?.length === 0) this.#idle.delete(key);
    return connection;
  }

  /**
   * Keeps a connection for the next request to this receiver. `keptSeconds`: for how long the receiver keeps
   * it, if stated.
   */
  keep(dial: Dial, connection: Connection, keptSeconds = Infinity): void {
    const idleMs = Math.min(this.#idleMs, (keptSeconds - MARGIN_SECONDS) * SECOND_MS);
    const now = this.#realTime.now();
    const bornAt = this.#bornAt.get(connection) ?? now;
    const isOld = now - bornAt >= CONNECTION_AGE_MS;
    if (idleMs <= 0 || isOld || this.#isClosed) return connection.destroy();
    this.#bornAt.set(connection, bornAt);
    const key = keyOf(dial);
    const others = this.#idle.get(key) ?? [];
    this.#idle.set(key, others);
    others.push(connection);
    connection.startIdle(idleMs, () => {
      others.splice(others.indexOf(connection), 1);
      if (others.length === 0) this.#idle.delete(key);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const connections of this.#idle.values()) for (const connection of connections) connection.destroy();
    this.#idle.clear();
  }
}

const keyOf = ({ address, port, host }: Dial): string => `${address} ${port} ${host}`;

/**
 * Builds the TLS requirements: TLS 1.2 at least, and a chain to the usual roots or to one of `extraRoots`
 * (PEM).
 */
export function tlsContextWith(extraRoots: readonly string[]): SecureContext {
  const { createSecureContext, rootCertificates } = nodeTls();
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...rootCertificates, ...extraRoots] });
}
