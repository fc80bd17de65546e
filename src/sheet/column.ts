/** What a sheet may have as columns, as those tell it who know what the rows are. */

export interface SheetColumn {
  /** A member, or `atributo:CODE`. */
  readonly target: string;
  /** As a sheet of ours calls it. */
  readonly heading: string;
  /** Other headings that mean it, as `words` writes them. */
  readonly words: readonly string[];
  /** Headings that mean it only where the values are such. */
  readonly loose?: readonly string[];
  /** Whether a value can be one of it: a column of others is not guessed to be it. */
  readonly fits?: (text: string) => boolean;
  /** Several columns may have it: their values are joined. */
  readonly isMany?: true;
}

/** What the columns of a kind of rows are, and what is known of headings that no list has. */
export interface SheetKind {
  readonly columns: readonly SheetColumn[];
  /** A heading that names something of its own, as an attribute by its code. */
  readonly namedIn?: (heading: string) => string | undefined;
  /** Headings of our own sheets that only tell more of another column. */
  readonly telling?: readonly string[];
}

/** Where a column goes, and why. */
export interface Guess {
  readonly target: string | null;
  readonly because: string;
}
