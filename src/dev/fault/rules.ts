/** Keeps the fault rules of an instance in memory, and chooses the one that acts on a request. */
import { type ChaosRequestFacts, Draws } from './chaos.ts';
import type { Fault, NewRule, Rule, RuleMatch } from './model.ts';

interface StoredRule extends NewRule {
  readonly id: number;
  matched: number;
  acted: number;
  /** The draws of a chaos rule. */
  readonly draws: Draws | undefined;
}

export class FaultRules {
  /** The rules in the order of their creation. */
  readonly #rules = new Map<number, StoredRule>();
  readonly #random: () => number;
  #lastId = 0;

  /** `random` returns a number from 0 (inclusive) to 1 (exclusive). */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Adds a rule and returns its id, which is never reused. A chaos replaces the previous one and starts at
   * its first draw.
   */
  add(rule: NewRule): number {
    const { chaos, percent } = rule;
    const id = ++this.#lastId;
    if (chaos !== undefined) for (const old of this.#inOrder()) if (old.draws) this.#rules.delete(old.id);
    const draws = chaos && new Draws(chaos, percent);
    this.#rules.set(id, { id, ...rule, matched: 0, acted: 0, draws });
    return id;
  }

  /** Lists the rules in the order of evaluation. */
  list(): readonly Rule[] {
    return this.#inOrder().map(({ draws: _, ...rule }) => rule);
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Removes a rule. Returns false if none has this id. */
  remove(id: number): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
  }

  /**
   * Returns the fault of the first rule that matches and acts. A rule that matches but does not act (`after`
   * is not reached, `times` is used up, or by chance) counts the request, and the next rule is evaluated. A
   * chaos comes last: a request that another rule makes fail takes no draw. `drawable` is `undefined` for a
   * request that chaos never affects.
   */
  async choose(
    matches: (match: RuleMatch) => Promise<boolean>,
    drawable: ChaosRequestFacts | undefined,
  ): Promise<Fault | undefined> {
    // `#inOrder` returns a copy: a rule that is added while a body is read applies only to later requests.
    for (const rule of this.#inOrder()) {
      if (rule.draws !== undefined && (drawable === undefined || !rule.draws.suits(drawable))) continue;
      if (!(await matches(rule))) continue;
      rule.matched += 1;
      const hasTurn = rule.matched > rule.after && (rule.times === null || rule.acted < rule.times);
      const fault = hasTurn ? this.#draw(rule, drawable) : undefined;
      if (fault === undefined) continue;
      rule.acted += 1;
      return fault;
    }
    return undefined;
  }

  #draw({ draws, fault, percent }: StoredRule, drawable: ChaosRequestFacts | undefined): Fault | undefined {
    if (draws !== undefined) return drawable && draws.next(drawable);
    return percent >= 100 || this.#random() * 100 < percent ? fault : undefined;
  }

  #inOrder(): readonly StoredRule[] {
    const all = [...this.#rules.values()];
    return [
      ...all.filter(({ draws }) => draws === undefined),
      ...all.filter(({ draws }) => draws !== undefined),
    ];
  }
}
