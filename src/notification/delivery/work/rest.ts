/**
 * The pause after a search for due attempts. It is as long as the search if the search started attempts,
 * otherwise nine times as long. So searches take at most half of the CPU, and at most a tenth while no slot
 * is free, for any number of receivers with a backlog.
 */
import type { RealTime } from '../../../clock.ts';

const PAUSE_FACTOR = 1;
const PAUSE_FACTOR_IN_VAIN = 9;
/** A shorter pause is skipped: the search before it looked at a hundred receivers or fewer. */
const PAUSE_MIN_MS = 5;

export class SearchPause {
  readonly #realTime: RealTime;
  #ms = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Sets the pause after a search that began at `since` and started `started` attempts. */
  setAfterSearch(started: number, since: number): void {
    const factor = started > 0 ? PAUSE_FACTOR : PAUSE_FACTOR_IN_VAIN;
    this.#ms = factor * (this.#realTime.now() - since);
  }

  /** Runs `work` after the pause, never in the call itself. */
  runAfter(work: () => void): void {
    if (this.#ms > PAUSE_MIN_MS) this.#realTime.after(this.#ms, work);
    else setImmediate(work);
  }
}
