/** The brake before every order that deactivates many records, or changes what they are (contract sections 24 and 25). */
import { Type as t } from '@sinclair/typebox';
import { type Problem, malformed, unprocessable } from '../errors.ts';
import { wrong } from '../validation/decoding.ts';
import { integerOf } from '../validation/json-number.ts';
import { counted } from '../validation/text.ts';
import { violated } from './codes.ts';

/** So many, or this share of the active ones, are deactivated without a word of the person who orders it. */
const FREE_DEACTIVATIONS = 10;
const FREE_PERCENT = 5;

/** Changes of what records are: from so many rows on, where they are more than half of those that meet a record. */
const CHANGED_MIN = 5;

const EXAMPLES_SHOWN = 3;

export const freeDeactivations = (active: number): number =>
  Math.max(FREE_DEACTIVATIONS, Math.floor((active * FREE_PERCENT) / 100));

/** What a person says that an order will do: how many records are deactivated, and how many become others. */
export interface Expected {
  /** Stands for whichever brake applies, where only one does. */
  readonly all?: number | undefined;
  readonly deactivated?: number | undefined;
  readonly changed?: number | undefined;
}

/** One number; where both brakes apply, each has its own. */
export const ExpectedMember = t.Optional(
  t.Unsafe<unknown>({
    description:
      'Quantos registros serão desativados, ou passam a ser outros, onde são muitos: o número que a recusa diz; onde ela diz os dois, {"changed": N, "deactivated": N}.',
    examples: [12],
  }),
);

/** `received` as `ExpectedMember` takes it; of a form also as its JSON text. Throws 400. */
export function expectedIn(received: unknown, path = '/expected'): Expected {
  if (received === undefined) return {};
  const value = typeof received === 'string' ? jsonOf(received) : received;
  const both = integerOf(value);
  if (both !== undefined && both >= 0) return { all: both };
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  const entries = Object.entries(members ?? {}).map(([name, one]) => [name, integerOf(one)] as const);
  const isFit = entries.every(
    ([name, one]) => (name === 'changed' || name === 'deactivated') && one !== undefined && one >= 0,
  );
  if (members !== undefined && entries.length > 0 && isFit) return Object.fromEntries(entries);
  throw malformed([
    wrong('expected', 'aceita um número inteiro a partir de 0, ou {"changed": N, "deactivated": N}.', path),
  ]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the brakes look at in an order. */
export interface BrakedPart {
  /** `deactivations`: only items that ask for one are carried out. */
  readonly looksAt: 'all' | 'deactivations';
  /** The column that says which product a row is of; absent: rows make no product another one. */
  readonly keyColumn: string | undefined;
}

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

/** Rows that meet an existing record, and those of them that would make it another one. */
export interface Becoming {
  readonly met: number;
  readonly changed: number;
  /** `7: Porca → Parafuso`. */
  readonly examples: readonly string[];
  /** What says which record a row is of, as a person calls it. */
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
  const received = expected === undefined ? '' : ` recebido ${expected};`;
  const message = `${field}:${received} ${changed} de ${counted(met, 'linha que encontra', 'linhas que encontram')} um produto pela coluna ${key} mudariam a NCM e o nome dele: parecem outros produtos (${examples.slice(0, EXAMPLES_SHOWN).join('; ')}). Confira se a coluna ${key} é a certa; se são esses mesmos, ${ask(changed)}.`;
  return [violated('otherRecords', '/expected', message)];
}
