/** The rules of an instance, in memory: which of them acts on a request. */
import type { Fault, NewRule, Rule, RuleMatch } from './model.ts';

interface Counted extends NewRule {
  readonly id: number;
  matched: number;
  acted: number;
}

export class FaultRules {
  /** In the order in which they came. */
  readonly #rules = new Map<number, Counted>();
  readonly #random: () => number;
  #lastId = 0;

  /** `random`: from 0 up to, but not, 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns its id, which is never given again. */
  add(rule: NewRule): number {
    const id = ++this.#lastId;
    this.#rules.set(id, { id, ...rule, matched: 0, acted: 0 });
    return id;
  }

  list(): readonly Rule[] {
    return [...this.#rules.values()].map((rule) => ({ ...rule }));
  }

  get areNone(): boolean {
    return this.#rules.size === 0;
  }

  /** Whether there was one of that id. */
  remove(id: number): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
  }

  /**
   * The fault of the first rule that fits and has a turn left. One that fits and lets the request through (its `after` is
   * not over, its turns are used, `percent` left it out) counts it, and is as if it were not there.
   */
  async choose(fits: (match: RuleMatch) => Promise<boolean>): Promise<Fault | undefined> {
    // Rules that come while a body is read are for the requests after this one.
    for (const rule of [...this.#rules.values()]) {
      if (!(await fits(rule))) continue;
      rule.matched += 1;
      const hasTurn = rule.matched > rule.after && (rule.times === null || rule.acted < rule.times);
      if (!hasTurn || !this.#isChosen(rule.percent)) continue;
      rule.acted += 1;
      return rule.fault;
    }
    return undefined;
  }

  #isChosen(percent: number): boolean {
    return percent >= 100 || this.#random() * 100 < percent;
  }
}
