/** Rings once at the moment that it was last set to, by the clock. */
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

  /** `undefined`: it does not ring any more. */
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

  /** It should have rung: a clock that is stepped passes timers by. */
  isOverdue(now: EpochMs): boolean {
    return this.#at !== undefined && this.#at <= now;
  }
}
