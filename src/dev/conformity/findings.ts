/** Keeps the findings by rule, in memory: a restart clears them. */
import type { EpochMs } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { type ConformityReport, REQUESTS_MAX, RULES, RULE_NAMES, type RuleName, remedyOf } from './model.ts';

export interface Finding {
  /** `undefined` without authentication. */
  readonly user: string | undefined;
  readonly at: EpochMs;
  /** Ids in the journal. */
  readonly requests: readonly number[];
  /** The end of the block, for the hourly limit only. */
  readonly until?: EpochMs;
}

interface RuleTally {
  count: number;
  readonly users: Set<string>;
  readonly firstAt: EpochMs;
  lastAt: EpochMs;
  until: EpochMs | undefined;
  readonly requests: number[];
}

export class Findings {
  readonly #tallies = new Map<RuleName, RuleTally>();

  add(rule: RuleName, { user, at, requests, until }: Finding): void {
    const tally: RuleTally = this.#tallies.get(rule) ?? {
      count: 0,
      users: new Set(),
      firstAt: at,
      lastAt: at,
      until: undefined,
      requests: [],
    };
    this.#tallies.set(rule, tally);
    tally.count += 1;
    tally.lastAt = at;
    if (user !== undefined) tally.users.add(user);
    if (until !== undefined) tally.until = Math.max(until, tally.until ?? until);
    // Each request is listed once, even with several violating items. The journal still has the last
    // requests.
    for (const request of requests) if (!tally.requests.includes(request)) tally.requests.push(request);
    const surplus = tally.requests.length - REQUESTS_MAX;
    if (surplus > 0) tally.requests.splice(0, surplus);
  }

  clear(): void {
    this.#tallies.clear();
  }

  /** Returns the findings in the order of the rules. */
  report(): ConformityReport {
    const findings = RULE_NAMES.flatMap((rule) => {
      const tally = this.#tallies.get(rule);
      if (tally === undefined) return [];
      const { count, users, firstAt, lastAt, until, requests } = tally;
      return {
        rule,
        title: RULES[rule],
        remedy: remedyOf(rule),
        count,
        users: [...users],
        firstAt: momentText(firstAt),
        lastAt: momentText(lastAt),
        until: until === undefined ? null : momentText(until),
        requests: [...requests],
      };
    });
    return { findings };
  }
}
