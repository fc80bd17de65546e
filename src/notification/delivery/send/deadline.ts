import type { RealTime } from '../../../clock.ts';

export type Cut = 'timeout' | 'withdrawn';

/** The one deadline of a request: everything that belongs to the request ends when `signal` aborts. */
export class Deadline {
  /** Resolves when the request must end before it has an outcome. */
  readonly cut: Promise<Cut>;
  readonly signal: AbortSignal;
  readonly ms: number;
  readonly #realTime: RealTime;
  readonly #startedAt: number;
  readonly #release: () => void;

  constructor(ms: number, realTime: RealTime, withdrawal: AbortSignal | undefined) {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Cut>();
    const cut = (why: Cut): void => {
      resolve(why);
      controller.abort();
    };
    const withdraw = (): void => cut('withdrawn');
    this.#startedAt = realTime.now();
    const timer = realTime.after(ms, () => cut('timeout'));
    withdrawal?.addEventListener('abort', withdraw, { once: true });
    if (withdrawal?.aborted === true) withdraw();

    this.ms = ms;
    this.cut = promise;
    this.signal = controller.signal;
    this.#realTime = realTime;
    this.#release = () => {
      timer.cancel();
      withdrawal?.removeEventListener('abort', withdraw);
      controller.abort();
    };
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
    this.#release();
  }
}
