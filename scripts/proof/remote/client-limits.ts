/**
 * Checks the limits on the client: it sends no request of an operation in an hour that the remote closed, no
 * request during a stop, and no two sign-ins within a minute.
 */
import { MINUTE_MS, SECOND_MS } from '../../../src/clock.ts';
import { nextTime } from '../../../src/remote/wire/governor.ts';
import type { Passage } from './recording-proxy.ts';

/** Time without requests after the remote reports a stop that the client did not know. */
const AFTER_STOP_MS = 5 * MINUTE_MS;
const SIGN_IN_PACE_MS = 60 * SECOND_MS;
/** One request may already be on its way when the stop begins. */
const REQUESTS_IN_FLIGHT = 1;

export class ClientLimits {
  readonly problems: string[] = [];
  /** Number of closed hours and stops that the remote reported. */
  reportedLimits = 0;
  readonly #closed = new Map<string, number>();
  #signedInAt = -Infinity;
  /** Reports after which the client was killed. It may not have stored them. */
  readonly #maybeLost = new Set<string>();
  #lastReported: readonly string[] = [];
  /** A stop that the client knew before it began. */
  #stop = { until: -Infinity, requests: 0 };

  /** Checks a request that the client sent. */
  checkRequest({ operation, at, since, path }: Passage): void {
    this.#lastReported = [];
    if (at < this.#stop.until) {
      this.#stop.requests += 1;
      if (this.#stop.requests > REQUESTS_IN_FLIGHT)
        this.problems.push(`${operation} (${path}) pedida em uma parada`);
    }
    for (const of of ['all', operation]) {
      if ((this.#closed.get(of) ?? 0) <= at) continue;
      if (this.#maybeLost.delete(of)) continue;
      const until = new Date(this.#closed.get(of) ?? 0).toISOString();
      this.problems.push(
        `${operation} (${path}) pedida em ${new Date(at).toISOString()}, dentro do que estava fechado até ${until}`,
      );
    }
    if (operation !== 'authenticate') return;
    if (at - this.#signedInAt < SIGN_IN_PACE_MS)
      this.problems.push(`duas entradas em menos de 60 s, em ${new Date(at).toISOString()}`);
    this.#signedInAt = since;
  }

  /** Records the limits that an answer reports. */
  readAnswer({ operation, since }: Passage, answer: string): void {
    if (answer.includes('"PUCX-ER1001"')) {
      const [, time] = /após as (\d\d:\d\d)/.exec(answer) ?? [];
      if (time !== undefined)
        this.#close(operation === 'authenticate' ? 'all' : operation, nextTime(time, since));
    }
    if (answer.includes('"PUCX-ER0401"')) this.#close('all', since + AFTER_STOP_MS);
  }

  /** Starts a stop that the client knows. */
  startStop(until: number): void {
    this.#stop = { until, requests: 0 };
  }

  #close(of: string, until: number): void {
    this.reportedLimits += 1;
    this.#lastReported = [of];
    this.#maybeLost.delete(of);
    this.#closed.set(of, Math.max(until, this.#closed.get(of) ?? 0));
  }

  /** Records a kill of the client: its last report may be lost. */
  recordKill(): void {
    for (const of of this.#lastReported) this.#maybeLost.add(of);
    this.#lastReported = [];
  }
}
