/**
 * After a search the next one waits as long as it took, after one in vain nine times as long: however many receivers
 * have a backlog, looking for a free slot takes half of the CPU at most, and a tenth while none is free.
 */
import type { RealTime } from '../../../clock.ts';

const REST_PER_SEARCH = 1;
const REST_PER_SEARCH_IN_VAIN = 9;
/** Up to here nobody need wait: a search among a hundred receivers. */
const REST_MIN_MS = 5;

export class Rest {
  readonly #realTime: RealTime;
  #ms = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Earned by a search that began at `since` and started so many attempts. */
  earn(started: number, since: number): void {
    const rests = started > 0 ? REST_PER_SEARCH : REST_PER_SEARCH_IN_VAIN;
    this.#ms = rests * (this.#realTime.now() - since);
  }

  /** Does `work` when the rest is over; never in the call itself. */
  before(work: () => void): void {
    if (this.#ms > REST_MIN_MS) this.#realTime.after(this.#ms, work);
    else setImmediate(work);
  }
}
