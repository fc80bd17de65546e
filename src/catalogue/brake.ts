/**
 * Brake: refuses a request that deactivates or changes many records unless the user confirms the number
 * (contract sections 24 and 25).
 */
import { type Problem, malformed, unprocessable, withLabel } from '../errors.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { integerOf } from '../validation/json-number.ts';
import { withCount } from '../validation/text.ts';
import { violated } from './codes.ts';
import { t } from '../validation/type.ts';

/** Deactivations without confirmation: up to this number, or this share of the active records. */
const FREE_DEACTIVATIONS = 10;
const FREE_PERCENT = 5;

/**
 * Changed rows that need confirmation: from this number on, if they are more than half of the rows that
 * match a record.
 */
const CHANGED_MIN = 5;

const EXAMPLES_MAX = 3;

export const freeDeactivations = (active: number): number =>
  Math.max(FREE_DEACTIVATIONS, Math.floor((active * FREE_PERCENT) / 100));

/** Numbers that the user confirms: records deactivated, and records changed into others. */
export interface Expected {
  /** Applies to the brake in use, if there is only one. */
  readonly all?: number | undefined;
  readonly deactivated?: number | undefined;
  readonly changed?: number | undefined;
}

/** One number; if both brakes apply, each has its own. */
export const ExpectedMember = t.Optional(
  t.Unsafe<unknown>({
    description:
      'Quantos registros serão desativados, ou passam a ser outros, onde são muitos: o número que a recusa diz; onde ela diz os dois, {"changed": N, "deactivated": N}.',
    examples: [12],
  }),
);

/** Decodes `received` as `ExpectedMember`; a form may send its JSON text. Throws 400. */
export function expectedIn(received: unknown, path = '/expected'): Expected {
  if (received === undefined) return {};
  const value = typeof received === 'string' ? jsonOf(received) : received;
  const both = integerOf(value);
  if (both !== undefined && both >= 0) return { all: both };
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  const entries = Object.entries(members ?? {}).map(([name, member]) => [name, integerOf(member)] as const);
  const isFit = entries.every(
    ([name, count]) => (name === 'changed' || name === 'deactivated') && count !== undefined && count >= 0,
  );
  if (members !== undefined && entries.length > 0 && isFit) return Object.fromEntries(entries);
  throw malformed([
    fieldProblem(
      'expected',
      'aceita um número inteiro a partir de 0, ou {"changed": N, "deactivated": N}.',
      path,
    ),
  ]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The part of a request that the brakes check. */
export interface BrakedPart {
  /** `deactivations`: only items with a deactivation are applied. */
  readonly checkedItems: 'all' | 'deactivations';
  /** Column that identifies the product of a row; absent: rows do not turn a product into another one. */
  readonly keyColumn: string | undefined;
}

/** Records of one company that a request would deactivate. */
export interface Falling {
  readonly falling: number;
  readonly active: number;
}

/**
 * Throws 422 if more records than the limit of any company would be deactivated, and `expected` is not the
 * sum.
 */
export function refuseFalling(
  companies: readonly Falling[],
  expected: number | undefined,
  words: FallingWords = PRODUCTS_FALL,
): void {
  const problems = fallingProblems(companies, expected, words);
  if (problems.length > 0) throw unprocessable(problems);
}

export interface FallingWords {
  readonly singular: string;
  readonly plural: string;
  /** Name of the confirmation for the user. */
  readonly field?: string;
  /** Additional sentence of the refusal. */
  readonly more?: string;
  /** Returns how to send the number: `envie expected: {"deactivated": N}`. */
  readonly ask?: (falling: number) => string;
}

export const PRODUCTS_FALL: FallingWords = {
  singular: 'produto seria desativado',
  plural: 'produtos seriam desativados',
};

export function fallingProblems(
  companies: readonly Falling[],
  expected: number | undefined,
  {
    singular,
    plural,
    more = '',
    field = 'expected',
    ask = (falling) => `envie expected: ${falling}`,
  }: FallingWords = PRODUCTS_FALL,
): Problem[] {
  const free = companies.find(({ falling, active }) => falling > freeDeactivations(active));
  const falling = companies.reduce((sum, company) => sum + company.falling, 0);
  if (free === undefined || falling === expected) return [];
  const received = expected === undefined ? '' : `recebido ${expected}; `;
  const sentence = `${received}${withCount(falling, singular, plural)}, mais que ${freeDeactivations(free.active)}; se são esses mesmos, ${ask(falling)}.${more}`;
  return [{ ...violated('tooManyDeactivations', '/expected', ''), ...withLabel(field, sentence) }];
}

/** Count of rows that match an existing record, and of those that would turn it into another one. */
export interface Becoming {
  readonly met: number;
  readonly changed: number;
  /** Example: `7: Porca → Parafuso`. */
  readonly examples: readonly string[];
  /** Name, for people, of what identifies the record of a row. */
  readonly key: string;
}

export const isBecoming = ({ met, changed }: Pick<Becoming, 'met' | 'changed'>): boolean =>
  changed >= CHANGED_MIN && changed * 2 > met;

export function becomingProblems(
  { met, changed, examples, key }: Becoming,
  expected: number | undefined,
  ask: (count: number) => string,
  field: string,
): Problem[] {
  if (!isBecoming({ met, changed }) || changed === expected) return [];
  const received = expected === undefined ? '' : `recebido ${expected}; `;
  const sentence = `${received}${changed} de ${withCount(met, 'linha que encontra', 'linhas que encontram')} um produto pela coluna ${key} mudariam a NCM e o nome dele: parecem outros produtos (${examples.slice(0, EXAMPLES_MAX).join('; ')}). Confira se a coluna ${key} é a certa; se são esses mesmos, ${ask(changed)}.`;
  return [{ ...violated('otherRecords', '/expected', ''), ...withLabel(field, sentence) }];
}
