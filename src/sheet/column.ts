/** Describes the columns of a kind of rows. The modules of the rows provide them. */
import type { GuessReason } from './model.ts';

/** A column of a sheet. */
export interface HeadedColumn {
  readonly heading: string;
  /** Values of some of the first rows, without blank ones. */
  readonly values: readonly string[];
}

export interface SheetColumn {
  /** A member, or `atributo:CODE`. */
  readonly target: string;
  /** The heading in a catp sheet. */
  readonly heading: string;
  /** Other headings in catp sheets. */
  readonly headings?: readonly string[];
  /**
   * The target that must also match its exact heading. Without it, the exact heading of this one is a guess.
   */
  readonly exactBeside?: string;
  /** Other headings that mean this column, in the form of `words`. */
  readonly words: readonly string[];
  /** Headings that mean this column only if the values match. */
  readonly loose?: readonly string[];
  /**
   * Returns true if a value can belong to this column. A column with other values is not guessed as this one.
   */
  readonly fits?: (text: string) => boolean;
  /**
   * Recognises values that no other column has. A column with such values is guessed by them, with any
   * heading.
   */
  readonly byValue?: (text: string) => boolean;
  /** True if a heading with more words means another column: `Versão do produto`. */
  readonly isWhole?: true;
  /** True if several columns may have this target. Their values are joined. */
  readonly isMany?: true;
}

/** The rule for headings with a word for "code" (contract section 24). */
export interface CodeRule {
  /** The target of the number that the catalogue gives. */
  readonly number: string;
  /**
   * Headings that mean this number only if the cells are such numbers. Does not apply to a sheet of this
   * product.
   */
  readonly bare: readonly string[];
  /** The target of every other code. Absent: none. */
  readonly other?: string;
  /** Words of other things: a heading with "code" and one of them is no code of this record. */
  readonly otherWords: readonly string[];
}

/** The columns of a kind of rows, and the headings that are in no list. */
export interface SheetKind {
  readonly columns: readonly SheetColumn[];
  /** Exact headings of a catp sheet. */
  readonly typicalHeadings: readonly string[];
  readonly codes: CodeRule;
  /** Returns the target that a heading names directly, such as an attribute by code. */
  readonly targetNamedIn?: (heading: string) => string | undefined;
  /** Headings of catp sheets that only explain another column. */
  readonly explanatory?: readonly string[];
}

/** The target of a column, and the reason. */
export interface Guess {
  readonly target: string | null;
  readonly because: GuessReason;
  /** False: only the values support it. */
  readonly sure: boolean;
}
