/**
 * Parses the headings of a sheet once, and indexes the names of a kind. Guesses of many columns stay linear.
 */
import { folded } from '../validation/text.ts';
import type { HeadedColumn, SheetColumn, SheetKind } from './column.ts';
import { type HeadingLanguage, languageOf, namesOf, plainWords } from './heading.ts';
import { words } from './words.ts';

/** Returns the key for an exact comparison of headings: without case, accents and blanks at the ends. */
export const headingKey = (heading: string): string => folded(heading.trim());

export interface ParsedHeading {
  readonly key: string;
  readonly words: string;
  /** The words without those of a language. */
  readonly plain: string;
  readonly language: HeadingLanguage;
  readonly names: readonly string[];
}

/** Maximum headings in the cache, more than a sheet has. */
const CACHED_HEADINGS = 20_000;
const parsedHeadings = new Map<string, ParsedHeading>();

/** Parses the heading of a column, once for all guesses and all columns with it. */
export function parseHeading({ heading }: HeadedColumn): ParsedHeading {
  const cached = parsedHeadings.get(heading);
  if (cached !== undefined) return cached;
  if (parsedHeadings.size === CACHED_HEADINGS) parsedHeadings.clear();
  const read = {
    key: headingKey(heading),
    words: words(heading),
    plain: plainWords(heading),
    language: languageOf(heading),
    names: namesOf(heading),
  };
  parsedHeadings.set(heading, read);
  return read;
}

/** The columns with a name, in the order of the kind. */
export type ColumnsByName = ReadonlyMap<string, readonly SheetColumn[]>;

export interface KindNames {
  /** The column whose own heading or target matches, by `headingKey`. */
  readonly ownNames: ReadonlyMap<string, SheetColumn>;
  readonly byTarget: ReadonlyMap<string, SheetColumn>;
  readonly byWords: ColumnsByName;
  readonly byLooseWords: ColumnsByName;
  /** Names that may come before further words. */
  readonly beginnings: ColumnsByName;
  /** Number of words of the longest of them. */
  readonly beginningWords: number;
  /** All words that name a column. */
  readonly all: ReadonlySet<string>;
}

const kindNames = new WeakMap<SheetKind, KindNames>();

/** Collects the names of a kind, once. */
export function namesOfKind(kind: SheetKind): KindNames {
  const cached = kindNames.get(kind);
  if (cached !== undefined) return cached;
  const { columns, codes } = kind;
  const ownNames = new Map<string, SheetColumn>();
  const byTarget = new Map<string, SheetColumn>();
  for (const column of columns) {
    if (!byTarget.has(column.target)) byTarget.set(column.target, column);
    for (const name of [column.target, column.heading, ...(column.headings ?? [])])
      if (!ownNames.has(headingKey(name))) ownNames.set(headingKey(name), column);
  }
  const named = columns.flatMap((column) => [column.target, column.heading, ...column.words]);
  const beginnings = columnsBy(
    columns.filter(
      ({ target, isMany, isWhole }) => isMany !== true && isWhole !== true && target !== codes.number,
    ),
    (column) => [column.heading, ...column.words],
  );
  const names = {
    ownNames,
    byTarget,
    byWords: columnsBy(columns, (column) => column.words),
    byLooseWords: columnsBy(columns, ({ loose = [] }) => loose),
    beginnings,
    beginningWords: Math.max(0, ...[...beginnings.keys()].map((name) => name.split(' ').length)),
    all: new Set([...named.map(words), ...codes.bare]),
  };
  kindNames.set(kind, names);
  return names;
}

function columnsBy(
  columns: readonly SheetColumn[],
  namesIn: (column: SheetColumn) => readonly string[],
): ColumnsByName {
  const byName = new Map<string, SheetColumn[]>();
  for (const column of columns)
    for (const name of new Set(namesIn(column).map(words))) {
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [column]);
      else others.push(column);
    }
  return byName;
}
