/**
 * Checks the limits on the client: no request in a closed hour or in a stop, and no two sign-ins within a
 * minute.
 */
import { MINUTE_MS, SECOND_MS } from '../../../src/clock.ts';
import { nextTime } from '../../../src/remote/wire/governor.ts';
import type { Passage } from './witness.ts';

/** Outside of a known stop, no request is allowed for this long after a stop was reported. */
const AFTER_STOP_MS = 5 * MINUTE_MS;
const SIGN_IN_PACE_MS = 60 * SECOND_MS;
/** The one request that was already leaving when the stop began. */
const LEAVING = 1;

export class Guest {
  readonly problems: string[] = [];
  /** Number of reported and obeyed hours and stops. */
  rests = 0;
  readonly #closed = new Map<string, number>();
  #signedInAt = -Infinity;
  /** The client was killed after these reports: it may not have stored them. */
  readonly #mayNotKnow = new Set<string>();
  #told: readonly string[] = [];
  /** A stop that the client knew beforehand. */
  #stop = { until: -Infinity, asked: 0 };

  asked({ operation, at, since, path }: Passage): void {
    this.#told = [];
    if (at < this.#stop.until) {
      this.#stop.asked += 1;
      if (this.#stop.asked > LEAVING) this.problems.push(`${operation} (${path}) pedida em uma parada`);
    }
    for (const of of ['all', operation]) {
      if ((this.#closed.get(of) ?? 0) <= at) continue;
      if (this.#mayNotKnow.delete(of)) continue;
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

  answered({ operation, since }: Passage, answer: string): void {
    if (answer.includes('"PUCX-ER1001"')) {
      const [, time] = /após as (\d\d:\d\d)/.exec(answer) ?? [];
      if (time !== undefined)
        this.#close(operation === 'authenticate' ? 'all' : operation, nextTime(time, since));
    }
    if (answer.includes('"PUCX-ER0401"')) this.#close('all', since + AFTER_STOP_MS);
  }

  /** Enters a stop that the client knows. */
  enter(until: number): void {
    this.#stop = { until, asked: 0 };
  }

  #close(of: string, until: number): void {
    this.rests += 1;
    this.#told = [of];
    this.#mayNotKnow.delete(of);
    this.#closed.set(of, Math.max(until, this.#closed.get(of) ?? 0));
  }

  /** Records a kill of the client: its last report may be lost. */
  killed(): void {
    for (const of of this.#told) this.#mayNotKnow.add(of);
    this.#told = [];
  }
}
