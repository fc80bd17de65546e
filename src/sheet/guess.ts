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
  type ParsedHeading,
  headingKey,
  namesOfKind,
  parseHeading,
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
const VALUES_ALONE_SHARE = 0.9;

/**
 * Guesses all columns in steps. Each step guesses the columns that the earlier steps left without a target.
 */
export class Guessing {
  readonly columns: readonly HeadedColumn[];
  readonly #kind: SheetKind;
  readonly #context: GuessContext;
  readonly #names: KindNames;
  readonly #headings: readonly ParsedHeading[];
  readonly #guesses: (Guess | undefined)[];
  /** Number of columns with each target. */
  readonly #columnCounts = new Map<string, number>();
  readonly #repeated = new Set<number>();
  /** True if the sheet has all typical headings of a catp sheet. */
  readonly #isCatpSheet: boolean;
  /** The target whose exact heading each column has. */
  readonly #exact: readonly (string | undefined)[];
  /** Number of columns with the exact heading of each target. */
  readonly #exactCounts: ReadonlyMap<string, number>;

  constructor(columns: readonly HeadedColumn[], kind: SheetKind, context: GuessContext = {}) {
    this.columns = columns;
    this.#kind = kind;
    this.#context = context;
    this.#names = namesOfKind(kind);
    this.#headings = columns.map(parseHeading);
    this.#guesses = columns.map(() => undefined);
    this.#isCatpSheet = kind.typicalHeadings.every((mark) => columns.some(({ heading }) => heading === mark));
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
    if (this.#isCatpSheet) this.#takeExact();
    for (const [place, { key }] of this.#headings.entries()) {
      const target = this.#context.choices?.get(key);
      if (target === undefined || this.#hasOtherExactColumn(target, place)) continue;
      this.put(place, target, 'escolha');
    }
    this.#takeExact();
  }

  /** Applies common words, the numbers of the catalogue, and words that need matching values. */
  byWords(): void {
    this.#step((column, heading) => this.#columnByName(column, heading, this.#names.byWords));
    this.#takeNumbers();
    this.#step((column, heading) => this.#columnByName(column, heading, this.#names.byLooseWords), false);
  }

  /**
   * Applies headings that begin with a name, then the target of other codes to each code without a target.
   */
  byParts(): void {
    this.#step((column, heading) => this.#columnByBeginning(column, heading));
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
            hasShare(values, byValue, VALUES_ALONE_SHARE),
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
    return this.#names.byTarget.get(target)?.isMany === true || !this.#columnCounts.has(target);
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
    return this.columns.map((_, place) => this.at(place));
  }

  #set(place: number, guess: Guess): void {
    const before = this.#guesses[place]?.target ?? null;
    if (before !== null) this.#count(before, -1);
    this.#guesses[place] = guess;
    if (guess.target !== null) this.#count(guess.target, 1);
  }

  #count(target: string, more: number): void {
    const count = (this.#columnCounts.get(target) ?? 0) + more;
    if (count === 0) this.#columnCounts.delete(target);
    else this.#columnCounts.set(target, count);
  }

  #takeExact(): void {
    for (const [place, target] of this.#exact.entries())
      if (target !== undefined) this.put(place, target, 'nome');
  }

  #hasOtherExactColumn(target: string | null, place: number): boolean {
    if (target === null) return false;
    const own = this.#exact[place] === target ? 1 : 0;
    return (this.#exactCounts.get(target) ?? 0) > own;
  }

  /** Returns the target of each exact heading. A bare code is exact only in a catp sheet. */
  #exactTargets(): readonly (string | undefined)[] {
    const { targetNamedIn, codes } = this.#kind;
    const ownColumns = this.#headings.map(({ key }) => this.#names.ownNames.get(key));
    const ownTargets = new Set(ownColumns.map((column) => column?.target));
    return this.#headings.map((heading, place) => {
      const named = targetNamedIn?.(this.columns[place]?.heading ?? '');
      if (named !== undefined || (!this.#isCatpSheet && codes.bare.includes(heading.words))) return named;
      const column = ownColumns[place];
      const { exactBeside } = column ?? {};
      const isGuess = exactBeside !== undefined && !this.#isCatpSheet && !ownTargets.has(exactBeside);
      return isGuess ? undefined : column?.target;
    });
  }

  #takeNumbers(): void {
    const { number, bare, other } = this.#kind.codes;
    const hasRival = this.#headings.some(
      ({ names, key }) => isRival(names) && !this.#names.ownNames.has(key),
    );
    for (const [place, { plain }] of this.#headings.entries()) {
      if (!this.isOpen(place) || !bare.includes(plain)) continue;
      const isNumber = !hasRival && this.isFree(number) && this.#context.isNumbered?.(place) !== false;
      const target = isNumber ? number : other;
      if (target !== undefined) this.put(place, target, 'palpite');
    }
  }

  /** Runs a step. Columns without a language come first. Columns in a foreign language are skipped. */
  #step(targetOf: (column: HeadedColumn, heading: ParsedHeading) => string | undefined, sure = true): void {
    for (const language of [undefined, 'portuguese'] as const)
      for (const [place, heading] of this.#headings.entries()) {
        if (!this.isOpen(place) || heading.language !== language) continue;
        const target = targetOf(this.columns[place] as HeadedColumn, heading); // one column for each heading
        if (target !== undefined) this.put(place, target, 'palpite', sure);
      }
  }

  #columnByName(
    { values }: HeadedColumn,
    { names }: ParsedHeading,
    byName: ColumnsByName,
  ): string | undefined {
    const columnsWithName = new Set(names.flatMap((name) => byName.get(name) ?? []));
    if (columnsWithName.size === 0) return undefined;
    return this.#kind.columns.find((column) => columnsWithName.has(column) && fitsHalf(column, values))
      ?.target;
  }

  #columnByBeginning({ values }: HeadedColumn, { plain }: ParsedHeading): string | undefined {
    for (const name of namesWithin(plain, this.#names.beginningWords)) {
      const column = this.#names.beginnings.get(name)?.find((sheetColumn) => fitsHalf(sheetColumn, values));
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
const CACHED_TEXTS = 20_000;
const CACHED_CHARACTERS = 200;
const verdicts = new WeakMap<(text: string) => boolean, Map<string, boolean>>();

/**
 * Returns the rule with a cache: columns repeat values, and a sheet is guessed as each kind. A rule reads only the
 * text, so a cached result never becomes stale.
 */
function cachedRule(rule: (text: string) => boolean): (text: string) => boolean {
  const byText = verdicts.get(rule) ?? new Map<string, boolean>();
  verdicts.set(rule, byText);
  return (text) => {
    if (text.length > CACHED_CHARACTERS) return rule(text);
    const cached = byText.get(text);
    if (cached !== undefined) return cached;
    if (byText.size === CACHED_TEXTS) byText.clear();
    const result = rule(text);
    byText.set(text, result);
    return result;
  };
}

const fitsHalf = ({ fits }: Pick<SheetColumn, 'fits'>, values: readonly string[]): boolean =>
  fits === undefined || hasShare(values, fits, FITTING_SHARE);

const hasShare = (values: readonly string[], rule: (text: string) => boolean, share: number): boolean =>
  values.filter(cachedRule(rule)).length >= values.length * share;
