/** Base class of a loop that processes pending work after each wake-up, one pass after the other. */
import { type Clock, type EpochMs, type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { isUnavailable } from '../errors.ts';

export abstract class WorkLoop {
  readonly #onFault: (error: unknown) => void;
  #isStopping = false;
  #isPassRequested = false;
  #isRunning = false;
  #passes: Promise<void> = Promise.resolve();
  #alarm: Timer | undefined;

  /** `onFault` receives an internal fault or a fault of the machine. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  protected abstract pass(): Promise<void>;

  /** Returns true while the loop stops. A pass then starts no further work. */
  protected get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Starts the loop, and resumes work that a stop interrupted. */
  start(): void {
    this.#isStopping = false;
    this.wake();
  }

  /** Starts a pass, because there may be new work. */
  wake(): void {
    this.#isPassRequested = true;
    if (this.#isStopping || this.#isRunning) return;
    this.#isRunning = true;
    this.#passes = this.#runPasses();
  }

  /** Starts a pass at that time, unless one starts before it. */
  protected wakeAt(clock: Clock, at: EpochMs): void {
    this.#alarm?.cancel();
    if (!this.#isStopping) this.#alarm = clock.at(at, () => this.wake());
  }

  /** Resolves when no work is under way. */
  idle(): Promise<void> {
    return this.#passes;
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    this.#alarm?.cancel();
    return this.#passes;
  }

  async #runPasses(): Promise<void> {
    try {
      while (this.#isPassRequested && !this.#isStopping) {
        this.#isPassRequested = false;
        this.#alarm?.cancel();
        await this.pass();
      }
    } catch (error) {
      // The storage fails or the process ends. The next start or request resumes the work.
      if (!isUnavailable(error)) this.#onFault(error);
    } finally {
      this.#isRunning = false;
    }
  }
}

/** Work that another process ended stops within this time, with a margin of 1 s (contract section 16). */
const END_CHECK_MS = SECOND_MS;

/** Calls `stop` once the work is over, for work that another process may end. */
export function watchForEnd(
  realTime: Pick<RealTime, 'after'>,
  isOver: () => boolean,
  stop: () => void,
): Pick<Timer, 'cancel'> {
  const look = (): void => {
    if (isOver()) stop();
    else timer = realTime.after(END_CHECK_MS, look);
  };
  let timer = realTime.after(END_CHECK_MS, look);
  return { cancel: () => timer.cancel() };
}
