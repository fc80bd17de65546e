/**
 * The pause after a search: as long as the search if that started attempts, otherwise nine times as long. So
 * searching takes at most half of the CPU, and a tenth while no slot is free, however many receivers have a
 * backlog.
 */
import type { RealTime } from '../../../clock.ts';

const PAUSE_FACTOR = 1;
const PAUSE_FACTOR_IN_VAIN = 9;
/** A shorter pause is skipped: it follows a search among a hundred receivers. */
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
