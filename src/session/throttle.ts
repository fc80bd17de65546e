/**
 * After ten failed key authentications of one client id or address within a minute, one minute of refusals. By real time,
 * also on a test clock (contract section 2): whoever moves a clock neither frees a guesser nor locks anybody out.
 */
import { MINUTE_MS } from '../clock.ts';
import { latest } from '../system/latest.ts';

export const FAILURES_BEFORE_BLOCK = 10;
const WINDOW_MS = MINUTE_MS;
const BLOCK_MS = MINUTE_MS;
/** Those seen last, so that a flood of invented ids cannot fill the memory. */
const REMEMBERED_SOURCES = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

interface Failures {
  /** Readings of the stopwatch, in ms. */
  times: number[];
  blockedUntil: number;
}

export class Throttle {
  readonly #stopwatch: () => number;
  readonly #failures = latest<string, Failures>(REMEMBERED_SOURCES);

  /** `stopwatch`: a monotonic reading in ms. */
  constructor(stopwatch: () => number) {
    this.#stopwatch = stopwatch;
  }

  isBlocked(source: string): boolean {
    return (this.#failures.get(source)?.blockedUntil ?? NEVER) > this.#stopwatch();
  }

  fail(source: string): void {
    const now = this.#stopwatch();
    const failures = this.#failures.get(source) ?? { times: [], blockedUntil: NEVER };
    this.#failures.set(source, failures);
    failures.times = failures.times.filter((time) => now - time < WINDOW_MS);
    failures.times.push(now);
    if (failures.times.length < FAILURES_BEFORE_BLOCK) return;
    failures.times = [];
    failures.blockedUntil = now + BLOCK_MS;
  }

  succeed(source: string): void {
    this.#failures.delete(source);
  }
}
