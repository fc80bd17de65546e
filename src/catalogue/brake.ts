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

/** Numbers that the user confirms: deactivated records, and records changed into others. */
export interface Expected {
  /** Confirms the only brake that applies. */
  readonly all?: number | undefined;
  readonly deactivated?: number | undefined;
  readonly changed?: number | undefined;
}

/** Member `expected`: one number, or one for each brake if both apply. */
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
  /** The items to check. `deactivations`: only those that deactivate a record. */
  readonly checkedItems: 'all' | 'deactivations';
  /** Column that identifies the product of a row. `undefined`: no row turns a product into another one. */
  readonly keyColumn: string | undefined;
}

/** Number of records of one company that a request would deactivate, and of its active records. */
export interface DeactivationCount {
  readonly deactivations: number;
  readonly active: number;
}

/**
 * Throws 422 if more records than the limit of any company would be deactivated, and `expected` is not the
 * sum.
 */
export function refuseDeactivations(
  companies: readonly DeactivationCount[],
  expected: number | undefined,
  words: DeactivationWords = PRODUCT_DEACTIVATIONS,
): void {
  const problems = deactivationProblems(companies, expected, words);
  if (problems.length > 0) throw unprocessable(problems);
}

export interface DeactivationWords {
  readonly singular: string;
  readonly plural: string;
  /** Name of the confirmation for the user. */
  readonly field?: string;
  /** Additional sentence of the refusal. */
  readonly more?: string;
  /** Returns how to send the number: `envie expected: {"deactivated": N}`. */
  readonly ask?: (deactivations: number) => string;
}

export const PRODUCT_DEACTIVATIONS: DeactivationWords = {
  singular: 'produto seria desativado',
  plural: 'produtos seriam desativados',
};

export function deactivationProblems(
  companies: readonly DeactivationCount[],
  expected: number | undefined,
  {
    singular,
    plural,
    more = '',
    field = 'expected',
    ask = (deactivations) => `envie expected: ${deactivations}`,
  }: DeactivationWords = PRODUCT_DEACTIVATIONS,
): Problem[] {
  const free = companies.find(({ deactivations, active }) => deactivations > freeDeactivations(active));
  const deactivations = companies.reduce((sum, company) => sum + company.deactivations, 0);
  if (free === undefined || deactivations === expected) return [];
  const received = expected === undefined ? '' : `recebido ${expected}; `;
  const sentence = `${received}${withCount(deactivations, singular, plural)}, mais que ${freeDeactivations(free.active)}; se são esses mesmos, ${ask(deactivations)}.${more}`;
  return [{ ...violated('tooManyDeactivations', '/expected', ''), ...withLabel(field, sentence) }];
}

/** Count of rows that match an existing record, and of those that would turn it into another one. */
export interface IdentityChanges {
  readonly matchedRows: number;
  readonly changed: number;
  /** Example: `7: Porca → Parafuso`. */
  readonly examples: readonly string[];
  /** Name, for people, of what identifies the record of a row. */
  readonly key: string;
}

export const changesManyIdentities = ({
  matchedRows,
  changed,
}: Pick<IdentityChanges, 'matchedRows' | 'changed'>): boolean =>
  changed >= CHANGED_MIN && changed * 2 > matchedRows;

export function identityChangeProblems(
  { matchedRows, changed, examples, key }: IdentityChanges,
  expected: number | undefined,
  ask: (count: number) => string,
  field: string,
): Problem[] {
  if (!changesManyIdentities({ matchedRows, changed }) || changed === expected) return [];
  const received = expected === undefined ? '' : `recebido ${expected}; `;
  const sentence = `${received}${changed} de ${withCount(matchedRows, 'linha que encontra', 'linhas que encontram')} um produto pela coluna ${key} mudariam a NCM e o nome dele: parecem outros produtos (${examples.slice(0, EXAMPLES_MAX).join('; ')}). Confira se a coluna ${key} é a certa; se são esses mesmos, ${ask(changed)}.`;
  return [{ ...violated('otherRecords', '/expected', ''), ...withLabel(field, sentence) }];
}
