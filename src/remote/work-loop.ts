/** Base class of a loop that processes pending work after each wake-up, one pass after the other. */
import { isUnavailable } from '../errors.ts';

export abstract class WorkLoop {
  readonly #onFault: (error: unknown) => void;
  #isStopping = false;
  #isWanted = false;
  #isAtWork = false;
  #working: Promise<void> = Promise.resolve();

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
    this.#isWanted = true;
    if (this.#isStopping || this.#isAtWork) return;
    this.#isAtWork = true;
    this.#working = this.#workOff();
  }

  /** Resolves when no work is under way. */
  idle(): Promise<void> {
    return this.#working;
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#working;
  }

  async #workOff(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isStopping) {
        this.#isWanted = false;
        await this.pass();
      }
    } catch (error) {
      // The storage fails or the process ends. The next start or request resumes the work.
      if (!isUnavailable(error)) this.#onFault(error);
    } finally {
      this.#isAtWork = false;
    }
  }
}
