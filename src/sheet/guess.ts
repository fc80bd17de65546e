/** Where each column of a sheet goes, guessed from its heading and its values; whatever the order of the columns. */
import type { Guess, SheetColumn, SheetKind } from './column.ts';
import { words } from './words.ts';

export interface HeadedColumn {
  readonly heading: string;
  /** Of some of the first rows; no blank ones. */
  readonly values: readonly string[];
}

/** Why a column goes nowhere. */
export const UNKNOWN_COLUMN = 'não reconhecida';

/** So many of the values have to fit: a sheet that is to be corrected has its slips. */
const FITTING_SHARE = 0.5;

/** `known`: what a person chose for a heading before, by its words. */
export function guessColumns(
  headed: readonly HeadedColumn[],
  kind: SheetKind,
  known: ReadonlyMap<string, string | null> = new Map(),
): readonly Guess[] {
  const chosen = headed.map(({ heading }): Guess => {
    const target = known.get(words(heading));
    if (target !== undefined) return { target, because: 'escolhida assim antes' };
    return kind.telling?.some((one) => words(one) === words(heading)) === true ? ONLY_TELLS : NO_GUESS;
  });
  const take = taking(headed, kind);
  const coded = take(chosen, 'traz o código', ({ heading }) => kind.namedIn?.(heading));
  const named = take(coded, 'é o nome da coluna', (column) =>
    columnFor(column, kind, ownNames, (one) => isShared(one, kind)),
  );
  const common = take(named, 'é um nome comum dela', (column) =>
    columnFor(column, kind, ({ words: others }) => others),
  );
  return take(common, 'o nome e os valores combinam', (column) =>
    columnFor(column, kind, ({ loose = [] }) => loose),
  );
}

/** By a part of its heading, what nothing else has told: `NCM do produto`. */
export const guessWithin = (
  headed: readonly HeadedColumn[],
  kind: SheetKind,
  guesses: readonly Guess[],
): readonly Guess[] =>
  taking(headed, kind)(guesses, 'o nome contém o dela', (column) => columnWithin(column, kind));

const ONLY_TELLS: Guess = { target: null, because: 'só diz mais de outra coluna' };
const NO_GUESS: Guess = { target: null, because: UNKNOWN_COLUMN };

/** Gives targets that are free to columns of which nothing is known. */
const taking =
  (headed: readonly HeadedColumn[], kind: SheetKind) =>
  (
    before: readonly Guess[],
    because: string,
    targetOf: (column: HeadedColumn) => string | undefined,
  ): readonly Guess[] => {
    const guesses = [...before];
    for (const [place, column] of headed.entries()) {
      if (guesses[place]?.because !== UNKNOWN_COLUMN) continue;
      const target = targetOf(column);
      if (target !== undefined && !isTaken(target, kind, guesses)) guesses[place] = { target, because };
    }
    return guesses;
  };

/** Whether a heading alone says what it is. */
export const namesColumn = (heading: string, kind: SheetKind): boolean =>
  kind.namedIn?.(heading) !== undefined ||
  kind.columns.some((column) =>
    [column.target, column.heading, ...column.words].some((name) => words(name) === words(heading)),
  );

function isTaken(target: string, { columns }: SheetKind, guesses: readonly Guess[]): boolean {
  const isMany = columns.find((column) => column.target === target)?.isMany;
  return isMany !== true && guesses.some((guess) => guess.target === target);
}

const ownNames = ({ target, heading }: SheetColumn): readonly string[] => [target, heading];

/** Whether its own name is also a word for another: then the values tell which of them is meant. */
const isShared = (column: SheetColumn, { columns }: SheetKind): boolean =>
  columns.some(
    (other) =>
      other !== column && other.words.some((name) => ownNames(column).map(words).includes(words(name))),
  );

/** `NCM (8 dígitos)`: the whole, what stands before the bracket, what stands within. */
const namesOf = (heading: string): readonly string[] => {
  const [, before = heading, within = heading] = /^([^()]*)\(([^()]*)\)/.exec(heading) ?? [];
  return [heading, before, within].map(words).filter((name) => name !== '');
};

function columnFor(
  { heading, values }: HeadedColumn,
  { columns }: SheetKind,
  wordsOf: (column: SheetColumn) => readonly string[],
  asksValues: (column: SheetColumn) => boolean = () => true,
): string | undefined {
  const names = namesOf(heading);
  return columns.find(
    (column) =>
      wordsOf(column).some((name) => names.includes(words(name))) &&
      (!asksValues(column) || fitsMost(column, values)),
  )?.target;
}

/** The longest name counts: `Código do NCM` is no code. */
function columnWithin({ heading, values }: HeadedColumn, { columns }: SheetKind): string | undefined {
  const name = ` ${words(heading)} `;
  const found = columns
    .flatMap((column) => [column.heading, ...column.words].map((one) => ({ column, one: words(one) })))
    .filter(({ column, one }) => one !== '' && name.startsWith(` ${one} `) && fitsMost(column, values))
    .toSorted((a, b) => b.one.length - a.one.length);
  return found[0]?.column.target;
}

function fitsMost({ fits }: Pick<SheetColumn, 'fits'>, values: readonly string[]): boolean {
  if (fits === undefined || values.length === 0) return true;
  return values.filter(fits).length >= values.length * FITTING_SHARE;
}
