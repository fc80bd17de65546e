import type { RealTime, Timer } from '../../../clock.ts';
import type { Withdrawal } from './withdrawal.ts';

export type CutReason = 'timeout' | 'withdrawn';

/**
 * The single deadline of a request: everything that belongs to the request ends with it. It uses no
 * AbortController: creating, listening to and aborting one took a seventh of the CPU of a delivery.
 */
export class Deadline {
  /** Resolves when the request must end before it has an outcome. */
  readonly cut: Promise<CutReason>;
  readonly ms: number;
  readonly #realTime: RealTime;
  readonly #startedAt: number;
  readonly #timer: Timer;
  #endStep: (() => void) | undefined;
  #hasEnded = false;

  /** `withdrawal` belongs to this request alone, and is discarded with it. */
  constructor(ms: number, realTime: RealTime, withdrawal: Withdrawal | undefined) {
    const { promise, resolve } = Promise.withResolvers<CutReason>();
    const cut = (why: CutReason): void => {
      resolve(why);
      this.#end();
    };
    this.ms = ms;
    this.cut = promise;
    this.#realTime = realTime;
    this.#startedAt = realTime.now();
    this.#timer = realTime.after(ms, () => cut('timeout'));
    withdrawal?.onWithdrawn(() => cut('withdrawn'));
  }

  /** Returns true when no new step may begin. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sets how to end the current step. `undefined`: the step has completed. */
  setCurrentStep(end: (() => void) | undefined): void {
    this.#endStep = end;
    if (this.#hasEnded) end?.();
  }

  /** Returns whole milliseconds since the start. */
  get elapsedMs(): number {
    return Math.round(this.#realTime.now() - this.#startedAt);
  }

  /**
   * Returns true when the time is up, even if the timer has not run: a busy machine does not extend the
   * deadline.
   */
  get isOver(): boolean {
    return this.#realTime.now() - this.#startedAt > this.ms;
  }

  /** Ends everything that still runs. Call it when the outcome is known. */
  release(): void {
    this.#timer.cancel();
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#endStep?.();
  }
}
