import { REAL_TIME, type RealTime } from '../../../clock.ts';

/** Monotonic real time: a network keeps no test clock, and a step of the machine's clock is no answer. */
export type Stopwatch = RealTime;

export const MONOTONIC: Stopwatch = REAL_TIME;

export type Cut = 'timeout' | 'withdrawn';

/** The one deadline of a request: everything that belongs to the request ends when `signal` aborts. */
export class Deadline {
  /** Resolves when the request must end before it has an outcome. */
  readonly cut: Promise<Cut>;
  readonly signal: AbortSignal;
  readonly ms: number;
  readonly #stopwatch: Stopwatch;
  readonly #startedAt: number;
  readonly #release: () => void;

  constructor(ms: number, stopwatch: Stopwatch, withdrawal: AbortSignal | undefined) {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Cut>();
    const cut = (why: Cut): void => {
      resolve(why);
      controller.abort();
    };
    const withdraw = (): void => cut('withdrawn');
    this.#startedAt = stopwatch.now();
    const timer = stopwatch.after(ms, () => cut('timeout'));
    withdrawal?.addEventListener('abort', withdraw, { once: true });
    if (withdrawal?.aborted === true) withdraw();

    this.ms = ms;
    this.cut = promise;
    this.signal = controller.signal;
    this.#stopwatch = stopwatch;
    this.#release = () => {
      timer.cancel();
      withdrawal?.removeEventListener('abort', withdraw);
      controller.abort();
    };
  }

  /** Whole milliseconds since the start. */
  get elapsedMs(): number {
    return Math.round(this.#stopwatch.now() - this.#startedAt);
  }

  /** A machine too busy to run the timer in time does not lengthen the deadline. */
  get isOver(): boolean {
    return this.#stopwatch.now() - this.#startedAt > this.ms;
  }

  /** Ends whatever still runs; to be called when the outcome is known. */
  release(): void {
    this.#release();
  }
}
