/**
 * Paces background work: each pause lasts as long as the work before it, times a share, so that a GET finds a
 * free core.
 */
import { monotonicMs } from '../clock.ts';

/** The server has the machine for two thirds of the time. */
export const PAUSES_BESIDE_A_SERVER = 2;
/** For work without a server. */
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
