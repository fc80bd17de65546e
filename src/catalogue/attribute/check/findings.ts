/** Collects the problems of one product. */
import type { About, Problem, RuleCode } from '../../../errors.ts';

/**
 * Maximum number of problems of one product: a person corrects fewer at once, and more would delay the
 * server.
 */
export const MAX_PROBLEMS = 1000;

export class Findings {
  readonly #problems: Problem[] = [];

  get problems(): Problem[] {
    return this.#problems;
  }

  get count(): number {
    return this.#problems.length;
  }

  get isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS;
  }

  add(rule: RuleCode, field: string, path: string, message: string, about: About): void {
    if (!this.isFull) this.#problems.push({ code: rule.code, message, field, path, about });
  }
}
