/** The source of time. No other code reads the machine's clock. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

/** A calendar day in America/Sao_Paulo, `yyyy-MM-dd`; compares as text. */
export type Day = string;

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): EpochMs;
  /** Runs `work` once, as soon as `now() >= when`. Never runs it inside this call. */
  at(when: EpochMs, work: () => void): Timer;
  /** The clock moves only on command. */
  readonly test: boolean;
}

/** Resolves after all waiting tasks of the event loop had their turn. */
export const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The machine's clock. */
export class SystemClock implements Clock {
  readonly test = false;
  readonly #lookEveryMs: number;

  /** After sleep or a change of the machine's clock, timers fire late: the time is checked repeatedly. */
  constructor(lookEveryMs = MINUTE_MS) {
    this.#lookEveryMs = lookEveryMs;
  }

  now(): EpochMs {
    return Date.now();
  }

  at(when: EpochMs, work: () => void): Timer {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const wait = Math.min(Math.max(0, when - this.now()), this.#lookEveryMs);
      handle = setTimeout(() => (this.now() >= when ? work() : arm()), wait);
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  }
}

/** A clock that changes only when a caller moves it. The caller decides when due timers run. */
export class TestClock implements Clock {
  readonly test = true;
  /** Called at each move, before the timers due then run. */
  onMove: (() => void) | undefined;
  #now: EpochMs;
  readonly #timers = new Set<{ when: EpochMs; work: () => void }>();

  constructor(start: EpochMs) {
    this.#now = start;
  }

  now(): EpochMs {
    return this.#now;
  }

  at(when: EpochMs, work: () => void): Timer {
    const timer = { when, work };
    this.#timers.add(timer);
    if (when <= this.#now) setImmediate(() => this.#fire(timer));
    return { cancel: () => this.#timers.delete(timer) };
  }

  /** Returns the instant of the earliest timer. `undefined`: no timer waits. */
  nextTimer(): EpochMs | undefined {
    let earliest: EpochMs | undefined;
    for (const { when } of this.#timers) if (earliest === undefined || when < earliest) earliest = when;
    return earliest;
  }

  /** Moves to `instant` (backwards too: clocks are set back) and runs the timers that are due. */
  moveTo(instant: EpochMs): void {
    this.#now = instant;
    this.onMove?.();
    const due = [...this.#timers].filter((timer) => timer.when <= instant).sort((a, b) => a.when - b.when);
    for (const timer of due) this.#fire(timer);
  }

  #fire(timer: { when: EpochMs; work: () => void }): void {
    if (this.#timers.delete(timer)) timer.work();
  }
}

/**
 * Returns milliseconds from an arbitrary start, never decreasing: for metrics and real deadlines, not for the
 * time of day.
 */
export const monotonicMs = (): number => performance.now();

/** Real time that no test clock moves: networks, disks and stalled readers use it. */
export interface RealTime {
  /** Milliseconds from any origin, never decreasing. */
  now(): number;
  /** Runs `work` once, `ms` from now. */
  after(ms: number, work: () => void): Timer;
}

export const REAL_TIME: RealTime = {
  now: monotonicMs,
  after: (ms, work) => {
    const handle = setTimeout(work, ms);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Waits for `work`, at most `ms` of real time. */
export async function waited(realTime: RealTime, ms: number, work: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = realTime.after(ms, resolve);
  await Promise.race([work, over]);
  timer.cancel();
}
