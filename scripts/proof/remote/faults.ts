/** Faults of contract section 15, drawn for each future request. */
import { SECOND_MS } from '../../../src/clock.ts';
import type { Fault } from '../../../src/dev/fault/model.ts';
import { endOfDowntime, nextTime } from '../../../src/remote/wire/governor.ts';
import type { Random } from '../random.ts';
import type { Side } from './sides.ts';

const RULES = '/appliance/api/faults';
export const STOP = '01:00-03:00';

/** The number of requests with drawn faults. */
const REQUESTS = 80;
const DELAY_MAX_MS = 90 * SECOND_MS;
/** A fault waits in real time; meanwhile the clocks of both sides run faster by this factor. */
const CLOCK_RATE = 200;
/** Probability that a drawn fault delays one write until the client has given up. */
const LATE_WRITE_SHARE = 0.5;
const SOON_LATE_MS = 60 * SECOND_MS;
const WRITES = [
  ...(['includeForeignOperator', 'includeForeignOperator', 'includeProduct', 'newProductVersion'] as const),
  ...(['deactivateProduct', 'linkManufacturer'] as const),
];
const STATUSES = [400, 403, 404, 422, 429, 500, 502, 503, 504] as const;

/** Frequent faults are listed several times. */
const KINDS: readonly Fault['kind'][] = [
  ...(['lost-answer', 'lost-answer', 'lost-answer', 'delay', 'delay', 'delay', 'drop', 'truncate'] as const),
  ...(['garbage', 'status', 'status', 'expired-token', 'hourly-limit', 'daily-stop'] as const),
];

function draw(random: Random): Fault {
  const kind = random.pick(KINDS);
  if (kind === 'delay') return { kind, ms: Math.round(random.integer(0, DELAY_MAX_MS) / CLOCK_RATE) };
  if (kind === 'truncate') return { kind, bytes: random.integer(0, 200) };
  if (kind === 'status') return { kind, status: random.pick(STATUSES) };
  return { kind };
}

export class Faults {
  /** The number of times that each fault acted. */
  readonly acted = new Map<string, number>();
  readonly #there: Side;
  readonly #random: Random;
  readonly #seen = new Map<number, number>();
  #stopRule: number | undefined;

  constructor(there: Side, random: Random) {
    this.#there = there;
    this.#random = random;
  }

  /** Draws again and replaces the earlier draw. */
  async draw(share: number, now: number): Promise<void> {
    await this.clear();
    if (this.#random.chance(LATE_WRITE_SHARE)) {
      const ms = Math.round(this.#random.integer(SOON_LATE_MS, DELAY_MAX_MS) / CLOCK_RATE);
      await this.#add({ operation: this.#random.pick(WRITES), fault: { kind: 'delay', ms } });
    }
    let before = 0;
    for (let request = 0; request < REQUESTS; request += 1) {
      if (!this.#random.chance(share)) continue;
      // A request that matches an earlier rule is not counted by this one.
      await this.#add({ path: '/*', after: request - before, fault: draw(this.#random) });
      before += 1;
    }
    await this.moved(now);
  }

  /** Starts and ends the stop by the clock. */
  async moved(now: number): Promise<void> {
    const isIn = endOfDowntime(STOP, now) !== undefined;
    if (isIn && this.#stopRule === undefined)
      this.#stopRule = await this.#add({ path: '/*', times: null, fault: { kind: 'daily-stop' } });
    if (isIn || this.#stopRule === undefined) return;
    await this.count();
    await this.#there.done('admin', 'DELETE', `${RULES}/${this.#stopRule}`);
    this.#stopRule = undefined;
  }

  /** Removes the rules; also before a kill, which removes them anyway. */
  async clear(): Promise<void> {
    await this.count();
    await this.#there.done('admin', 'DELETE', RULES);
    this.gone();
  }

  /** Forgets the rules that ended with the process. */
  gone(): void {
    this.#stopRule = undefined;
    this.#seen.clear();
  }

  async count(): Promise<void> {
    const rules = await this.#there.done<{ id: number; acted: number; fault: Fault }[]>(
      'admin',
      'GET',
      RULES,
    );
    for (const { id, acted, fault } of rules) {
      const more = acted - (this.#seen.get(id) ?? 0);
      this.#seen.set(id, acted);
      if (more > 0) this.acted.set(fault.kind, (this.acted.get(fault.kind) ?? 0) + more);
    }
  }

  async #add(rule: object): Promise<number> {
    return (await this.#there.done<{ id: number }>('admin', 'POST', RULES, rule)).id;
  }
}

/** Returns the next start or end of a stop. */
export function nextBoundary(now: number): number {
  const [from = '', to = ''] = STOP.split('-');
  return Math.min(nextTime(from, now), nextTime(to, now));
}
