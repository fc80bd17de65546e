/** Real time that moves only on command, for timers outside of the test clock. */
import type { RealTime, Timer } from '../../src/clock.ts';

export class HandTime implements RealTime {
  /** The ms of every timer ever set, including finished ones. */
  readonly set: number[] = [];
  #now = 0;
  readonly #listeners = new Set<{ readonly ms: number | undefined; readonly notify: () => void }>();
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): Timer {
    const timer = { at: this.#now + ms, work };
    this.set.push(ms);
    this.#timers.add(timer);
    for (const listener of this.#listeners)
      if ((listener.ms ?? ms) === ms && this.#listeners.delete(listener)) listener.notify();
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** The ms of the pending timers. */
  get waits(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#now);
  }

  /** Resolves when a timer is set; with `ms`, when one of that length is set. */
  armed(ms?: number): Promise<void> {
    return new Promise((resolve) => this.#listeners.add({ ms, notify: resolve }));
  }

  /** Advances like a blocked event loop: due timers do not fire. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Advances and fires due timers. */
  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at))
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.work();
  }
}
