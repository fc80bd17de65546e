/** Virtual time: a monotonic one, and the wall clock over it, which can be stepped. */
import type { Clock, EpochMs, RealTime, Timer } from '../../src/clock.ts';

/** A process; timers of a dead one never fire. */
export interface Lifecycle {
  alive: boolean;
}

interface Planned {
  /** Wall-clock time or monotonic time. */
  readonly when: number;
  readonly byWall: boolean;
  readonly lifecycle: Lifecycle;
  readonly work: () => void;
}

/** 2026-01-15 09:00 in Brasília. */
const START: EpochMs = Date.parse('2026-01-15T12:00:00Z');

export class VirtualTime {
  /** Milliseconds since the beginning. */
  elapsed = 0;
  readonly #planned = new Set<Planned>();
  #offset = START;

  get now(): EpochMs {
    return this.elapsed + this.#offset;
  }

  /** Moves the wall clock forward or back. */
  stepClock(ms: number): void {
    this.#offset += ms;
  }

  after(ms: number, work: () => void, lifecycle: Lifecycle): Timer {
    return this.#plan({ when: this.elapsed + ms, byWall: false, lifecycle, work });
  }

  clockOf(lifecycle: Lifecycle): Clock {
    return {
      now: () => this.now,
      at: (when, work) => this.#plan({ when, byWall: true, lifecycle, work }),
      test: true,
    };
  }

  realTimeOf(lifecycle: Lifecycle): RealTime {
    return { now: () => this.elapsed, after: (ms, work) => this.after(ms, work, lifecycle) };
  }

  /** Advances to the next event and runs it; returns `false` when it is after `end`. */
  goOn(end: number): boolean {
    const next = this.#next();
    if (next === undefined || this.elapsed + this.#isIn(next) > end) return false;
    this.elapsed += this.#isIn(next);
    this.#planned.delete(next);
    next.work();
    return true;
  }

  /** Returns the time until the next planned event. */
  nextIn(): number {
    const next = this.#next();
    return next === undefined ? Infinity : this.#isIn(next);
  }

  #next(): Planned | undefined {
    let next: Planned | undefined;
    for (const planned of this.#planned) {
      if (!planned.lifecycle.alive) this.#planned.delete(planned);
      else if (next === undefined || this.#isIn(planned) < this.#isIn(next)) next = planned;
    }
    return next;
  }

  #isIn({ when, byWall }: Planned): number {
    return Math.max(0, when - (byWall ? this.now : this.elapsed));
  }

  #plan(planned: Planned): Timer {
    this.#planned.add(planned);
    return { cancel: () => void this.#planned.delete(planned) };
  }
}
