/** What a table changed, in words (contract section 19): which NCMs and attributes came, went, are asked for otherwise. */

/** Of the newest tables so many have a history. */
export const HISTORY_TABLES = 400;

/** The number of the table before the first. */
export const NO_TABLE_BEFORE = 0;

/** Codes: of NCMs (8 digits), or of attributes. */
export interface Codes<Changed = string> {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly Changed[];
}

/** An NCM of both tables: its attributes that came, went, or whose pairs or description changed. */
export interface ChangedNcm extends Codes {
  readonly ncm: string;
}

export interface TableChange {
  readonly ncms: Codes<ChangedNcm>;
  readonly attributes: Codes;
}

export interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface ChangeCounts {
  readonly ncms: Counts;
  readonly attributes: Counts;
}

export const countsOf = ({ ncms, attributes }: TableChange): ChangeCounts => ({
  ncms: counted(ncms),
  attributes: counted(attributes),
});

const counted = ({ added, removed, changed }: Codes<unknown>): Counts => ({
  added: added.length,
  removed: removed.length,
  changed: changed.length,
});
