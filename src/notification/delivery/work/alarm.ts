/** Calls a function once, at the clock time last set. */
import type { Clock, EpochMs, Timer } from '../../../clock.ts';

export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #at: EpochMs | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Sets the time; `undefined`: cancels it. */
  set(at: EpochMs | undefined): void {
    if (at === this.#at) return;
    this.#timer?.cancel();
    this.#at = at;
    if (at === undefined) return;
    this.#timer = this.#clock.at(at, () => {
      this.#at = undefined;
      this.#ring();
    });
  }

  /** Returns true when the time has passed without a call: timers do not notice a stepped clock. */
  isOverdue(now: EpochMs): boolean {
    return this.#at !== undefined && this.#at <= now;
  }
}
