/** What was found so far, by rule, in memory: a restart begins anew. */
import type { EpochMs } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { type ConformityReport, REQUESTS_MAX, RULES, RULE_NAMES, type RuleName, remedyOf } from './model.ts';

export interface Found {
  /** Absent: nobody has signed in. */
  readonly user: string | undefined;
  readonly at: EpochMs;
  /** Ids in the journal. */
  readonly requests: readonly number[];
  /** Of the hourly limit: the end of the block. */
  readonly until?: EpochMs;
}

interface Kept {
  count: number;
  readonly users: Set<string>;
  readonly firstAt: EpochMs;
  lastAt: EpochMs;
  until: EpochMs | undefined;
  requests: readonly number[];
}

export class Findings {
  readonly #kept = new Map<RuleName, Kept>();

  add(rule: RuleName, { user, at, requests, until }: Found): void {
    const kept: Kept = this.#kept.get(rule) ?? {
      count: 0,
      users: new Set(),
      firstAt: at,
      lastAt: at,
      until: undefined,
      requests: [],
    };
    this.#kept.set(rule, kept);
    kept.count += 1;
    kept.lastAt = at;
    if (user !== undefined) kept.users.add(user);
    if (until !== undefined) kept.until = Math.max(until, kept.until ?? until);
    // Once, however many items of it: the last ones are those that the journal still has.
    kept.requests = [...new Set([...kept.requests, ...requests])].slice(-REQUESTS_MAX);
  }

  clear(): void {
    this.#kept.clear();
  }

  /** In the order of the rules. */
  report(): ConformityReport {
    const findings = RULE_NAMES.flatMap((rule) => {
      const kept = this.#kept.get(rule);
      if (kept === undefined) return [];
      const { count, users, firstAt, lastAt, until, requests } = kept;
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
