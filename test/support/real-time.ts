/** Real time that moves only when told to, for what no test clock counts. */
import type { RealTime, Timer } from '../../src/clock.ts';

export class HandTime implements RealTime {
  /** The ms of every timer that was ever set, also of those that are over. */
  readonly set: number[] = [];
  #now = 0;
  readonly #listeners = new Set<{ readonly ms: number | undefined; readonly tell: () => void }>();
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): Timer {
    const timer = { at: this.#now + ms, work };
    this.set.push(ms);
    this.#timers.add(timer);
    for (const listener of this.#listeners)
      if ((listener.ms ?? ms) === ms && this.#listeners.delete(listener)) listener.tell();
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** How long those still wait whose time has not come. */
  get waits(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#now);
  }

  /** Resolves when somebody begins to wait, for so long where that is said. */
  armed(ms?: number): Promise<void> {
    return new Promise((resolve) => this.#listeners.add({ ms, tell: resolve }));
  }

  /** Moves on while the event loop is held up: what falls due on the way is not fired. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Moves on, and fires what falls due on the way. */
  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at))
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.work();
  }
}
