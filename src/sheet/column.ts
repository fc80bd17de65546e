/** The columns that a kind of rows may have, as the modules that know the rows describe them. */
import type { GuessReason } from './model.ts';

/** A column as a sheet has it. */
export interface HeadedColumn {
  readonly heading: string;
  /** Of some of the first rows; no blank ones. */
  readonly values: readonly string[];
}

export interface SheetColumn {
  /** A member, or `atributo:CODE`. */
  readonly target: string;
  /** As a sheet of ours calls it. */
  readonly heading: string;
  /** Other headings of our own sheets. */
  readonly headings?: readonly string[];
  /** The target beside whose exact heading this one's is exact: alone it is a guess. */
  readonly exactBeside?: string;
  /** Other headings that mean it, as `words` writes them. */
  readonly words: readonly string[];
  /** Headings that mean it only where the values are such. */
  readonly loose?: readonly string[];
  /** Decides if a value can be one of it: a column of others is not guessed to be it. */
  readonly fits?: (text: string) => boolean;
  /** Recognises values that no other column has: a column of such is guessed by them, whatever its heading. */
  readonly byValue?: (text: string) => boolean;
  /** A heading with more words is something else: `Versão do produto`. */
  readonly isWhole?: true;
  /** Several columns may have it: their values are joined. */
  readonly isMany?: true;
}

/** How headings with a word for "code" are taken (contract section 24). */
export interface CodeRule {
  /** The target of the number that the catalogue itself gives. */
  readonly number: string;
  /** Headings that mean this number only where the cells are such numbers, outside of a sheet of ours. */
  readonly bare: readonly string[];
  /** The target of every other code; absent: it has none. */
  readonly other?: string;
  /** Words beside which "code" is that of something else. */
  readonly elsewhere: readonly string[];
}

/** The columns of a kind of rows, and the headings that no list has. */
export interface SheetKind {
  readonly columns: readonly SheetColumn[];
  /** Headings that a sheet of ours has, letter by letter. */
  readonly marks: readonly string[];
  readonly codes: CodeRule;
  /** A heading that names something of its own, as an attribute by its code. */
  readonly namedIn?: (heading: string) => string | undefined;
  /** Headings of our own sheets that only explain another column. */
  readonly telling?: readonly string[];
}

/** Where a column goes, and why. */
export interface Guess {
  readonly target: string | null;
  readonly because: GuessReason;
  /** false: only the values speak for it. */
  readonly sure: boolean;
}
