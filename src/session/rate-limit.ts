/** Limits the number of events of one subject, in real time. Counts are in memory: a restart resets them. */
import type { RealTime } from '../clock.ts';
import { lruCache } from '../system/lru-cache.ts';

/** Maximum number of subjects in memory, the latest ones. */
const REMEMBERED_SUBJECTS = 10_000;

export class RateLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #realTime: RealTime;
  readonly #times = lruCache<string, readonly number[]>(REMEMBERED_SUBJECTS);

  constructor(max: number, windowMs: number, realTime: RealTime) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#realTime = realTime;
  }

  /** Records an event. Returns `false` without recording an event that exceeds the limit. */
  admits(subject: string): boolean {
    const now = this.#realTime.now();
    const times = (this.#times.get(subject) ?? []).filter((time) => now - time < this.#windowMs);
    const isAdmitted = times.length < this.#max;
    this.#times.set(subject, isAdmitted ? [...times, now] : times);
    return isAdmitted;
  }
}
