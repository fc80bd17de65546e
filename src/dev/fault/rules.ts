/** The rules of an instance, in memory: which of them acts on a request. */
import { type Drawable, Draws } from './chaos.ts';
import type { Fault, NewRule, Rule, RuleMatch } from './model.ts';

interface Counted extends NewRule {
  readonly id: number;
  matched: number;
  acted: number;
  /** Of a chaos. */
  readonly draws: Draws | undefined;
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

  /** Returns its id, which is never given again. A chaos takes the place of the one that there was, and begins at its beginning. */
  add(rule: NewRule): number {
    const { chaos, percent } = rule;
    const id = ++this.#lastId;
    if (chaos !== undefined) for (const old of this.#inOrder()) if (old.draws) this.#rules.delete(old.id);
    const draws = chaos && new Draws(chaos, percent);
    this.#rules.set(id, { id, ...rule, matched: 0, acted: 0, draws });
    return id;
  }

  /** In the order in which they are looked at. */
  list(): readonly Rule[] {
    return this.#inOrder().map(({ draws: _, ...rule }) => rule);
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
   * not over, its turns are used, chance left it out) counts it, and is as if it were not there. A chaos comes last: what
   * another rule makes fail is not drawn for. `drawable`: `undefined` for what no chaos acts on.
   */
  async choose(
    fits: (match: RuleMatch) => Promise<boolean>,
    drawable: Drawable | undefined,
  ): Promise<Fault | undefined> {
    // Rules that come while a body is read are for the requests after this one.
    for (const rule of this.#inOrder()) {
      if (rule.draws !== undefined && (drawable === undefined || !rule.draws.suits(drawable))) continue;
      if (!(await fits(rule))) continue;
      rule.matched += 1;
      const hasTurn = rule.matched > rule.after && (rule.times === null || rule.acted < rule.times);
      const fault = hasTurn ? this.#drawn(rule, drawable) : undefined;
      if (fault === undefined) continue;
      rule.acted += 1;
      return fault;
    }
    return undefined;
  }

  #drawn({ draws, fault, percent }: Counted, drawable: Drawable | undefined): Fault | undefined {
    if (draws !== undefined) return drawable && draws.next(drawable);
    return percent >= 100 || this.#random() * 100 < percent ? fault : undefined;
  }

  #inOrder(): readonly Counted[] {
    const all = [...this.#rules.values()];
    return [
      ...all.filter(({ draws }) => draws === undefined),
      ...all.filter(({ draws }) => draws !== undefined),
    ];
  }
}
