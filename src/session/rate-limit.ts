/** Limits how often something happens for one subject, in real time. Kept in memory: a restart resets it. */
import type { RealTime } from '../clock.ts';
import { lruCache } from '../system/lru-cache.ts';

/** Number of subjects that are kept, the latest seen ones. */
const REMEMBERED_SUBJECTS = 10_000;

export class RateLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #realTime: RealTime;
  readonly #times = lruCache<string, readonly number[]>(REMEMBERED_SUBJECTS);

  constructor(most: number, windowMs: number, realTime: RealTime) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#realTime = realTime;
  }

  /** Records an event. `false`: it is one too many and is not recorded. */
  admits(subject: string): boolean {
    const now = this.#realTime.now();
    const times = (this.#times.get(subject) ?? []).filter((time) => now - time < this.#windowMs);
    const isAdmitted = times.length < this.#most;
    this.#times.set(subject, isAdmitted ? [...times, now] : times);
    return isAdmitted;
  }
}
