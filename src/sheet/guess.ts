/**
 * Guesses the target of each column of a sheet, in the order of trust of contract section 24. The order of
 * the columns does not matter.
 */
import type { Guess, HeadedColumn, SheetColumn, SheetKind } from './column.ts';
import { isOtherCode, isRival, namesWithin } from './heading.ts';
import type { GuessReason } from './model.ts';
import {
  type ColumnsByName,
  type KindNames,
  type ReadHeading,
  headingKey,
  namesOfKind,
  readHeading,
} from './read-heading.ts';
import { words } from './words.ts';

export interface GuessContext {
  /** Targets that people chose before, by `headingKey`. `null`: left out. */
  readonly choices?: ReadonlyMap<string, string | null>;
  /** Returns true if the cells of a column are numbers that this catalogue gave. */
  readonly isNumbered?: (place: number) => boolean;
}

/** Minimum share of matching values for a guess by heading. A sheet to be corrected contains errors. */
const FITTING_SHARE = 0.5;

/** Minimum share of matching values for a guess by values alone. */
const TELLING_SHARE = 0.9;

/** Guesses all columns in steps. Each step fills in what the earlier steps left open. */
export class Guessing {
  readonly headed: readonly HeadedColumn[];
  readonly #kind: SheetKind;
  readonly #context: GuessContext;
  readonly #names: KindNames;
  readonly #headings: readonly ReadHeading[];
  readonly #guesses: (Guess | undefined)[];
  /** Number of columns with each target. */
  readonly #takers = new Map<string, number>();
  readonly #repeated = new Set<number>();
  /** True if headings that only a catp sheet has together are present. */
  readonly #isOwn: boolean;
  /** The target whose exact heading each column has. */
  readonly #exact: readonly (string | undefined)[];
  /** Number of columns with the exact heading of each target. */
  readonly #exactCounts: ReadonlyMap<string, number>;

  constructor(headed: readonly HeadedColumn[], kind: SheetKind, context: GuessContext = {}) {
    this.headed = headed;
    this.#kind = kind;
    this.#context = context;
    this.#names = namesOfKind(kind);
    this.#headings = headed.map(readHeading);
    this.#guesses = headed.map(() => undefined);
    this.#isOwn = kind.marks.every((mark) => headed.some(({ heading }) => heading === mark));
    this.#exact = this.#exactTargets();
    this.#exactCounts = countsOf(this.#exact);
    const explanatory = new Set(kind.explanatory?.map(headingKey));
    for (const [place, { key }] of this.#headings.entries())
      if (explanatory.has(key)) this.put(place, null, 'desconhecida');
  }

  /**
   * Applies exact headings of a catp sheet, choices of people, and exact headings of other sheets.
   */
  byName(): void {
    if (this.#isOwn) this.#takeExact();
    for (const [place, { key }] of this.#headings.entries()) {
      const target = this.#context.choices?.get(key);
      if (target === undefined || this.#isExactElsewhere(target, place)) continue;
      this.put(place, target, 'escolha');
    }
    this.#takeExact();
  }

  /** Applies common words, the numbers of the catalogue, and words that need matching values. */
  byWords(): void {
    this.#step((column, heading) => this.#columnCalled(column, heading, this.#names.byWords));
    this.#takeNumbers();
    this.#step((column, heading) => this.#columnCalled(column, heading, this.#names.byLooseWords), false);
  }

  /** Applies headings that begin with a name, then each code that belongs to nothing else. */
  byParts(): void {
    this.#step((column, heading) => this.#columnWithin(column, heading));
    const { other, otherWords } = this.#kind.codes;
    if (other !== undefined) this.#step((column) => (isOtherCode(column, otherWords) ? other : undefined));
  }

  /** Guesses columns by values that only one member has. */
  byValues(): void {
    const columnsByValue = this.#kind.columns.filter(({ byValue }) => byValue !== undefined);
    this.#step(
      ({ values }) =>
        columnsByValue.find(
          ({ target, byValue }) =>
            byValue !== undefined &&
            values.length > 0 &&
            this.isFree(target) &&
            hasShare(values, byValue, TELLING_SHARE),
        )?.target,
      false,
    );
  }

  /**
   * Gives a column a target unless it has one. If another column has the target, the column stays open as a
   * repeated one.
   */
  put(place: number, target: string | null, because: GuessReason, sure = true): void {
    if (this.#guesses[place] !== undefined) return;
    if (target === null || this.isFree(target)) this.#set(place, { target, because, sure });
    else this.#repeated.add(place);
  }

  /** Moves a guessed column to another target. */
  move(place: number, target: string, sure: boolean): void {
    this.#set(place, { target, because: 'palpite', sure });
  }

  isFree(target: string): boolean {
    return this.#names.byTarget.get(target)?.isMany === true || !this.#takers.has(target);
  }

  isOpen(place: number): boolean {
    return this.#guesses[place] === undefined;
  }

  /** Returns the first column with the target. -1: none. */
  placeOf(target: string): number {
    return this.#guesses.findIndex((guess) => guess?.target === target);
  }

  at(place: number): Guess {
    const because = this.#repeated.has(place) ? 'repetida' : 'desconhecida';
    return this.#guesses[place] ?? { target: null, because, sure: true };
  }

  result(): readonly Guess[] {
    return this.headed.map((_, place) => this.at(place));
  }

  #set(place: number, guess: Guess): void {
    const before = this.#guesses[place]?.target ?? null;
    if (before !== null) this.#count(before, -1);
    this.#guesses[place] = guess;
    if (guess.target !== null) this.#count(guess.target, 1);
  }

  #count(target: string, more: number): void {
    const count = (this.#takers.get(target) ?? 0) + more;
    if (count === 0) this.#takers.delete(target);
    else this.#takers.set(target, count);
  }

  #takeExact(): void {
    for (const [place, target] of this.#exact.entries())
      if (target !== undefined) this.put(place, target, 'nome');
  }

  #isExactElsewhere(target: string | null, place: number): boolean {
    if (target === null) return false;
    const own = this.#exact[place] === target ? 1 : 0;
    return (this.#exactCounts.get(target) ?? 0) > own;
  }

  /** Returns the target of each exact heading. A bare code is exact only in a catp sheet. */
  #exactTargets(): readonly (string | undefined)[] {
    const { targetNamedIn, codes } = this.#kind;
    const ownColumns = this.#headings.map(({ key }) => this.#names.own.get(key));
    const ownTargets = new Set(ownColumns.map((column) => column?.target));
    return this.#headings.map((heading, place) => {
      const named = targetNamedIn?.(this.headed[place]?.heading ?? '');
      if (named !== undefined || (!this.#isOwn && codes.bare.includes(heading.words))) return named;
      const column = ownColumns[place];
      const { exactBeside } = column ?? {};
      const isGuess = exactBeside !== undefined && !this.#isOwn && !ownTargets.has(exactBeside);
      return isGuess ? undefined : column?.target;
    });
  }

  #takeNumbers(): void {
    const { number, bare, other } = this.#kind.codes;
    const hasRival = this.#headings.some(({ names, key }) => isRival(names) && !this.#names.own.has(key));
    for (const [place, { plain }] of this.#headings.entries()) {
      if (!this.isOpen(place) || !bare.includes(plain)) continue;
      const isNumber = !hasRival && this.isFree(number) && this.#context.isNumbered?.(place) !== false;
      const target = isNumber ? number : other;
      if (target !== undefined) this.put(place, target, 'palpite');
    }
  }

  /** Runs a step. Columns without a language come first. Columns in a foreign language are skipped. */
  #step(targetOf: (column: HeadedColumn, heading: ReadHeading) => string | undefined, sure = true): void {
    for (const turn of [undefined, 'portuguese'] as const)
      for (const [place, heading] of this.#headings.entries()) {
        if (!this.isOpen(place) || heading.language !== turn) continue;
        const target = targetOf(this.headed[place] as HeadedColumn, heading); // one column for each heading
        if (target !== undefined) this.put(place, target, 'palpite', sure);
      }
  }

  #columnCalled({ values }: HeadedColumn, { names }: ReadHeading, byName: ColumnsByName): string | undefined {
    const called = new Set(names.flatMap((name) => byName.get(name) ?? []));
    if (called.size === 0) return undefined;
    return this.#kind.columns.find((column) => called.has(column) && fitsHalf(column, values))?.target;
  }

  #columnWithin({ values }: HeadedColumn, { plain }: ReadHeading): string | undefined {
    for (const name of namesWithin(plain, this.#names.beginningWords)) {
      const column = this.#names.beginnings.get(name)?.find((one) => fitsHalf(one, values));
      if (column !== undefined) return column.target;
    }
    return undefined;
  }
}

/** Returns true if a heading alone names a column. */
export const namesColumn = (heading: string, kind: SheetKind): boolean =>
  kind.targetNamedIn?.(heading) !== undefined || namesOfKind(kind).all.has(words(heading));

function countsOf(targets: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const target of targets) if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1);
  return counts;
}

/** Maximum texts in the cache of each rule, and characters of a text in it. */
const REMEMBERED = 20_000;
const REMEMBERED_CHARACTERS = 200;
const verdicts = new WeakMap<(text: string) => boolean, Map<string, boolean>>();

/**
 * Applies a rule once to each text: columns repeat values, and a sheet is guessed as each kind. A rule reads
 * nothing but the text, so its result is never out of date.
 */
function remembered(isOne: (text: string) => boolean): (text: string) => boolean {
  const byText = verdicts.get(isOne) ?? new Map<string, boolean>();
  verdicts.set(isOne, byText);
  return (text) => {
    if (text.length > REMEMBERED_CHARACTERS) return isOne(text);
    const before = byText.get(text);
    if (before !== undefined) return before;
    if (byText.size === REMEMBERED) byText.clear();
    const is = isOne(text);
    byText.set(text, is);
    return is;
  };
}

const fitsHalf = ({ fits }: Pick<SheetColumn, 'fits'>, values: readonly string[]): boolean =>
  fits === undefined || hasShare(values, fits, FITTING_SHARE);

const hasShare = (values: readonly string[], isOne: (text: string) => boolean, share: number): boolean =>
  values.filter(remembered(isOne)).length >= values.length * share;
