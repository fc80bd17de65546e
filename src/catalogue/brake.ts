/** The brake before every order that deactivates many records, or changes what they are (contract sections 24 and 25). */
import { type Problem, unprocessable } from '../errors.ts';
import { counted } from '../validation/text.ts';
import { violated } from './codes.ts';

/** So many, or this share of the active ones, are deactivated without a word of the person who orders it. */
const FREE_DEACTIVATIONS = 10;
const FREE_PERCENT = 5;

export const freeDeactivations = (active: number): number =>
  Math.max(FREE_DEACTIVATIONS, Math.floor((active * FREE_PERCENT) / 100));

/** What an order would deactivate of one company. */
export interface Falling {
  readonly falling: number;
  readonly active: number;
}

/** Throws 422 where more would fall in any company than its limit, and `expected` is not the sum. */
export function refuseFalling(
  companies: readonly Falling[],
  expected: number | undefined,
  told: FallingWords = PRODUCTS_FALL,
): void {
  const problems = fallingProblems(companies, expected, told);
  if (problems.length > 0) throw unprocessable(problems);
}

export interface FallingWords {
  readonly one: string;
  readonly many: string;
  /** How whoever orders it calls the number. */
  readonly field?: string;
  /** What else the refusal says, as a sentence. */
  readonly more?: string;
  /** How the number is given: `envie expected: {"deactivated": N}`. */
  readonly ask?: (falling: number) => string;
}

export const PRODUCTS_FALL: FallingWords = {
  one: 'produto seria desativado',
  many: 'produtos seriam desativados',
};

export function fallingProblems(
  companies: readonly Falling[],
  expected: number | undefined,
  {
    one,
    many,
    more = '',
    field = 'expected',
    ask = (falling) => `envie expected: ${falling}`,
  }: FallingWords = PRODUCTS_FALL,
): Problem[] {
  const free = companies.find(({ falling, active }) => falling > freeDeactivations(active));
  const falling = companies.reduce((sum, company) => sum + company.falling, 0);
  if (free === undefined || falling === expected) return [];
  const received = expected === undefined ? '' : ` recebido ${expected};`;
  const message = `${field}:${received} ${counted(falling, one, many)}, mais que ${freeDeactivations(free.active)}; se são esses mesmos, ${ask(falling)}.${more}`;
  return [violated('tooManyDeactivations', '/expected', message)];
}
