/** The limits of a spreadsheet (contract section 24). */
const MEBIBYTE = 1024 * 1024;

export const SHEET_LIMITS = {
  /** Bytes of the received file. */
  maxBytes: 50 * MEBIBYTE,
  /** Rows of one sheet, including headings and titles. */
  maxRows: 200_000,
  /** Empty lines of one sheet. Further ones count as rows. */
  maxEmptyLines: 1_000_000,
  /** Columns of one sheet. */
  maxColumns: 16_384,
  maxSheets: 100,
  /** UTF-16 units of one cell. */
  maxCellCharacters: 32_767,
  /** UTF-16 units of all cells of one row. An import stores a row as one item. */
  maxRowCharacters: 500_000,
  /** Cells of all sheets of a file that are read. */
  maxCells: 10_000_000,
  /** UTF-16 units of all cells that are read. A shared text counts for each cell that refers to it. */
  maxCharacters: 500_000_000,
  /** Bytes of an unpacked XLSX. A part counts for each sheet that refers to it. */
  maxInflated: 1024 * MEBIBYTE,
  /** Maximum unpacked bytes for one packed byte of a member, for large members. */
  maxRatio: 200,
  ratioCountsFrom: 10 * MEBIBYTE,
} as const;

export type SheetLimits = { readonly [name in keyof typeof SHEET_LIMITS]: number };
