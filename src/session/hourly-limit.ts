/** The hourly limit per user and operation (contract section 11). Kept in memory: a restart forgives. */
import { type Clock, type EpochMs, HOUR_MS } from '../clock.ts';
import { dayOf, nextDay, startOfDay } from '../validation/calendar.ts';
import { latest } from '../system/latest.ts';
import { hourlyLimitExceeded } from './answers.ts';

/** Users and operations, those seen last: some hundred users at work in an hour, each with all of them. */
const REMEMBERED_USAGES = 50_000;

interface Usage {
  day: string;
  hour: number;
  count: number;
  excesses: number;
  blockedUntil: EpochMs;
}

/** Further hours that the first, second and later excesses of a day cost. */
const FURTHER_HOURS = [0, 1, 2] as const;

export class HourlyLimit {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #usage = latest<string, Usage>(REMEMBERED_USAGES);

  /** `limit` 0: unlimited. */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** As after a restart: another state of everything has used nothing yet. */
  forget(): void {
    this.#usage.clear();
  }

  /** Counts one access. Throws 422 when it is over the limit or the user is blocked. */
  count(documento: string, operationId: string): void {
    const until = this.blockOf(documento, operationId);
    if (until !== undefined) throw hourlyLimitExceeded(this.#limit, until, this.#clock.now());
  }

  /** Counts one access; where it is over the limit or the user is blocked, the end of that. */
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
    // An hour before the last one: the clock was put back, and what was used later has not been used yet.
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
