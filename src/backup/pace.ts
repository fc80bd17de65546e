/**
 * Paces background work, so that requests get CPU time. Each pause lasts as long as the work before it,
 * multiplied by a share.
 */
import { monotonicMs } from '../clock.ts';

/** Share next to a running server, which then has the CPU for two thirds of the time. */
export const PAUSES_NEXT_TO_SERVER = 2;
/** Share without a running server. */
export const NO_PAUSES = 0;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class Pace {
  readonly #share: number;
  #lastPauseMs = monotonicMs();

  constructor(share: number) {
    this.#share = share;
  }

  /**
   * Pauses for the work since the last pause. Blocks the thread: only for a Worker, or when no other task
   * runs.
   */
  pause(): void {
    const ms = (monotonicMs() - this.#lastPauseMs) * this.#share;
    if (ms > 0) Atomics.wait(sleeper, 0, 0, ms);
    this.#lastPauseMs = monotonicMs();
  }
}
