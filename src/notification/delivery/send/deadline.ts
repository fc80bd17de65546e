import type { RealTime, Timer } from '../../../clock.ts';
import type { Withdrawal } from './withdrawal.ts';

export type Cut = 'timeout' | 'withdrawn';

/**
 * The one deadline of a request: everything that belongs to the request ends with it. No AbortController: making,
 * listening to and aborting one took a seventh of the CPU of a delivery.
 */
export class Deadline {
  /** Resolves when the request must end before it has an outcome. */
  readonly cut: Promise<Cut>;
  readonly ms: number;
  readonly #realTime: RealTime;
  readonly #startedAt: number;
  readonly #timer: Timer;
  #underWay: (() => void) | undefined;
  #hasEnded = false;

  /** `withdrawal` belongs to this request alone, and goes with it. */
  constructor(ms: number, realTime: RealTime, withdrawal: Withdrawal | undefined) {
    const { promise, resolve } = Promise.withResolvers<Cut>();
    const cut = (why: Cut): void => {
      resolve(why);
      this.#end();
    };
    this.ms = ms;
    this.cut = promise;
    this.#realTime = realTime;
    this.#startedAt = realTime.now();
    this.#timer = realTime.after(ms, () => cut('timeout'));
    withdrawal?.endsBy(() => cut('withdrawn'));
  }

  /** Whether nothing may be begun any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** How to end what is under way now, one thing at a time; `undefined`: it has ended by itself. */
  setUnderWay(end: (() => void) | undefined): void {
    this.#underWay = end;
    if (this.#hasEnded) end?.();
  }

  /** Whole milliseconds since the start. */
  get elapsedMs(): number {
    return Math.round(this.#realTime.now() - this.#startedAt);
  }

  /** A machine too busy to run the timer in time does not lengthen the deadline. */
  get isOver(): boolean {
    return this.#realTime.now() - this.#startedAt > this.ms;
  }

  /** Ends whatever still runs; to be called when the outcome is known. */
  release(): void {
    this.#timer.cancel();
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#underWay?.();
  }
}
