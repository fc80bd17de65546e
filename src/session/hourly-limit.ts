/**
 * Enforces the hourly limit per user and operation (contract section 11). Counts are in memory: a restart
 * resets them.
 */
import { type Clock, type EpochMs, HOUR_MS } from '../clock.ts';
import { dayOf, nextDay, startOfDay } from '../validation/calendar.ts';
import { lruCache } from '../system/lru-cache.ts';
import { hourlyLimitExceeded } from './answers.ts';

/**
 * Number of pairs of user and operation that are kept, the latest used ones: some hundred users in an hour,
 * each with all operations.
 */
const REMEMBERED_USAGES = 50_000;

interface Usage {
  day: string;
  hour: number;
  count: number;
  excesses: number;
  blockedUntil: EpochMs;
}

/** Additional blocked hours for the first, second and later excesses of a day. */
const FURTHER_HOURS = [0, 1, 2] as const;

export class HourlyLimit {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #usage = lruCache<string, Usage>(REMEMBERED_USAGES);

  /** `limit` 0: unlimited. */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Resets all counts, as a restart does: a replaced database has no accesses yet. */
  forget(): void {
    this.#usage.clear();
  }

  /** Counts one access. Throws 422 when it is over the limit or the user is blocked. */
  count(documento: string, operationId: string): void {
    const until = this.blockOf(documento, operationId);
    if (until !== undefined) throw hourlyLimitExceeded(this.#limit, until, this.#clock.now());
  }

  /** Counts one access. Returns the end of the block when it is over the limit or the user is blocked. */
  blockOf(documento: string, operationId: string): EpochMs | undefined {
    if (this.#limit === 0) return undefined;
    const now = this.#clock.now();
    const usage = this.#usageOf(`${documento} ${operationId}`, now);
    if (usage.blockedUntil > now) return usage.blockedUntil;
    usage.count += 1;
    if (usage.count <= this.#limit) return undefined;
    const further = FURTHER_HOURS[Math.min(usage.excesses, FURTHER_HOURS.length - 1)] ?? 0;
    usage.excesses += 1;
    const end = (usage.hour + 1 + further) * HOUR_MS;
    usage.blockedUntil = Math.min(end, startOfDay(nextDay(usage.day)));
    return usage.blockedUntil;
  }

  #usageOf(key: string, now: EpochMs): Usage {
    const day = dayOf(now);
    const hour = Math.floor(now / HOUR_MS);
    let usage = this.#usage.get(key);
    // The hour is before the last one: the clock was set back, so the later accesses do not count.
    if (usage === undefined || usage.day !== day || hour < usage.hour) {
      usage = { day, hour, count: 0, excesses: 0, blockedUntil: 0 };
      this.#usage.set(key, usage);
    }
    if (usage.hour !== hour) {
      usage.hour = hour;
      usage.count = 0;
    }
    return usage;
  }
}
