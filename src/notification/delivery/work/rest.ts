/**
 * The pause after a search, relative to its duration: equal after a search that started attempts, nine times
 * as long after one that did not. Whatever the number of receivers with a backlog, searching takes half of
 * the CPU at most, and a tenth while no slot is free.
 */
import type { RealTime } from '../../../clock.ts';

const REST_PER_SEARCH = 1;
const REST_PER_SEARCH_IN_VAIN = 9;
/** A shorter pause is skipped: it follows a search among a hundred receivers. */
const REST_MIN_MS = 5;

export class Rest {
  readonly #realTime: RealTime;
  #ms = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Sets the pause after a search that began at `since` and started `started` attempts. */
  earn(started: number, since: number): void {
    const rests = started > 0 ? REST_PER_SEARCH : REST_PER_SEARCH_IN_VAIN;
    this.#ms = rests * (this.#realTime.now() - since);
  }

  /** Runs `work` after the pause, never in the call itself. */
  before(work: () => void): void {
    if (this.#ms > REST_MIN_MS) this.#realTime.after(this.#ms, work);
    else setImmediate(work);
  }
}
