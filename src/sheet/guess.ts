/** Where each column of a sheet goes, by the order of trust of contract section 24; whatever the order of the columns. */
import { folded } from '../validation/text.ts';
import type { Guess, HeadedColumn, SheetColumn, SheetKind } from './column.ts';
import { isOtherCode, isRival, languageOf, nameWithin, namesOf, plainWords } from './heading.ts';
import type { GuessReason } from './model.ts';
import { words } from './words.ts';

export interface GuessContext {
  /** Targets that people chose before, by `headingKey`; `null`: left out. */
  readonly choices?: ReadonlyMap<string, string | null>;
  /** Decides if the cells of a column are numbers that this catalogue has given. */
  readonly isNumbered?: (place: number) => boolean;
}

/** Half of the values have to fit: a sheet that is to be corrected has its slips. */
const FITTING_SHARE = 0.5;

/** A guess by values alone needs nearly all of them. */
const TELLING_SHARE = 0.9;

/** Guesses of all columns, made in steps: each step fills in what the ones before left open. */
export class Guessing {
  readonly headed: readonly HeadedColumn[];
  readonly #kind: SheetKind;
  readonly #context: GuessContext;
  readonly #guesses: (Guess | undefined)[];
  readonly #repeated = new Set<number>();
  /** Recognised by headings that only a sheet of ours has together. */
  readonly #isOwn: boolean;

  constructor(headed: readonly HeadedColumn[], kind: SheetKind, context: GuessContext = {}) {
    this.headed = headed;
    this.#kind = kind;
    this.#context = context;
    this.#guesses = headed.map(() => undefined);
    this.#isOwn = kind.marks.every((mark) => headed.some(({ heading }) => heading === mark));
    for (const [place, { heading }] of headed.entries())
      if (kind.telling?.some((one) => isSameText(one, heading)) === true)
        this.put(place, null, 'desconhecida');
  }

  /** Takes exact headings of a sheet of ours, choices of people, exact headings of other sheets. */
  byName(): void {
    if (this.#isOwn) this.#takeExact();
    for (const [place, { heading }] of this.headed.entries()) {
      const target = this.#context.choices?.get(headingKey(heading));
      if (target === undefined || this.#isExactElsewhere(target, place)) continue;
      this.put(place, target, 'escolha');
    }
    this.#takeExact();
  }

  /** Takes common words, the catalogue's numbers, then words that need fitting values. */
  byWords(): void {
    this.#step((column) => this.#columnCalled(column, ({ words: others }) => others));
    this.#takeNumbers();
    this.#step((column) => this.#columnCalled(column, ({ loose = [] }) => loose), false);
  }

  /** Takes headings that begin with a name, then every code that is none of something else. */
  byParts(): void {
    this.#step((column) => this.#columnWithin(column));
    const { other, elsewhere } = this.#kind.codes;
    if (other !== undefined) this.#step((column) => (isOtherCode(column, elsewhere) ? other : undefined));
  }

  /** Takes columns by values that only one member has. */
  byValues(): void {
    this.#step(
      ({ values }) =>
        this.#kind.columns.find(
          ({ target, byValue }) =>
            byValue !== undefined &&
            values.length > 0 &&
            this.isFree(target) &&
            hasShare(values, byValue, TELLING_SHARE),
        )?.target,
      false,
    );
  }

  /** Gives a column a target unless it has one; where the target is taken, the column stays open as a repeated one. */
  put(place: number, target: string | null, because: GuessReason, sure = true): void {
    if (this.#guesses[place] !== undefined) return;
    if (target === null || this.isFree(target)) this.#guesses[place] = { target, because, sure };
    else this.#repeated.add(place);
  }

  /** Puts a guessed column elsewhere. */
  move(place: number, target: string, sure: boolean): void {
    this.#guesses[place] = { target, because: 'palpite', sure };
  }

  isFree(target: string): boolean {
    const column = this.#kind.columns.find((one) => one.target === target);
    return column?.isMany === true || this.placeOf(target) === -1;
  }

  isOpen(place: number): boolean {
    return this.#guesses[place] === undefined;
  }

  /** -1: no column has the target. */
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

  #takeExact(): void {
    for (const [place, { heading }] of this.headed.entries()) {
      const target = this.#exactTarget(heading);
      if (target !== undefined) this.put(place, target, 'nome');
    }
  }

  #isExactElsewhere(target: string | null, place: number): boolean {
    return this.headed.some(
      ({ heading }, at) => at !== place && target !== null && this.#exactTarget(heading) === target,
    );
  }

  /** The target whose own heading this is. A bare code is exact only in a sheet of ours. */
  #exactTarget(heading: string): string | undefined {
    const { namedIn, codes } = this.#kind;
    const named = namedIn?.(heading);
    if (named !== undefined || (!this.#isOwn && codes.bare.includes(words(heading)))) return named;
    const column = this.#ownColumn(heading);
    const { exactBeside } = column ?? {};
    const isGuess =
      exactBeside !== undefined &&
      !this.#isOwn &&
      !this.headed.some((other) => this.#ownColumn(other.heading)?.target === exactBeside);
    return isGuess ? undefined : column?.target;
  }

  #ownColumn(heading: string): SheetColumn | undefined {
    return this.#kind.columns.find((column) => isOwnName(column, heading));
  }

  #takeNumbers(): void {
    const { number, bare, other } = this.#kind.codes;
    const hasRival = this.headed.some(
      ({ heading }) => isRival(heading) && this.#ownColumn(heading) === undefined,
    );
    for (const [place, { heading }] of this.headed.entries()) {
      if (!this.isOpen(place) || !bare.includes(plainWords(heading))) continue;
      const isNumber = !hasRival && this.isFree(number) && this.#context.isNumbered?.(place) !== false;
      const target = isNumber ? number : other;
      if (target !== undefined) this.put(place, target, 'palpite');
    }
  }

  /** Columns that name no language have their turn first; those in a foreign one have none. */
  #step(targetOf: (column: HeadedColumn) => string | undefined, sure = true): void {
    for (const turn of [undefined, 'portuguese'] as const)
      for (const [place, column] of this.headed.entries()) {
        if (!this.isOpen(place) || languageOf(column.heading) !== turn) continue;
        const target = targetOf(column);
        if (target !== undefined) this.put(place, target, 'palpite', sure);
      }
  }

  #columnCalled(
    { heading, values }: HeadedColumn,
    wordsOf: (column: SheetColumn) => readonly string[],
  ): string | undefined {
    const names = namesOf(heading);
    return this.#kind.columns.find(
      (column) => wordsOf(column).some((name) => names.includes(words(name))) && fitsHalf(column, values),
    )?.target;
  }

  #columnWithin({ heading, values }: HeadedColumn): string | undefined {
    const names = this.#kind.columns
      .filter(
        ({ target, isMany, isWhole }) =>
          isMany !== true && isWhole !== true && target !== this.#kind.codes.number,
      )
      .flatMap((column) => [column.heading, ...column.words].map((one) => ({ column, name: words(one) })))
      .filter(({ column }) => fitsHalf(column, values));
    return nameWithin(heading, names)?.column.target;
  }
}

/** Decides if a heading alone names a column. */
export const namesColumn = (heading: string, kind: SheetKind): boolean =>
  kind.namedIn?.(heading) !== undefined ||
  kind.columns.some((column) =>
    [column.target, column.heading, ...column.words].some((name) => words(name) === words(heading)),
  ) ||
  kind.codes.bare.includes(words(heading));

const isOwnName = ({ target, heading, headings = [] }: SheetColumn, name: string): boolean =>
  [target, heading, ...headings].some((one) => isSameText(one, name));

/** A heading as it is compared with the very same one: without case, accents and blanks at the ends. */
export const headingKey = (heading: string): string => folded(heading.trim());

const isSameText = (a: string, b: string): boolean => headingKey(a) === headingKey(b);

const fitsHalf = ({ fits }: Pick<SheetColumn, 'fits'>, values: readonly string[]): boolean =>
  fits === undefined || hasShare(values, fits, FITTING_SHARE);

const hasShare = (values: readonly string[], isOne: (text: string) => boolean, share: number): boolean =>
  values.filter(isOne).length >= values.length * share;
