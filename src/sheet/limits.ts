/** What a spreadsheet may be (contract section 24). */
const MEBIBYTE = 1024 * 1024;

export const SHEET_LIMITS = {
  /** Of the file as it comes. */
  maxBytes: 50 * MEBIBYTE,
  /** Of one sheet, headings and titles included. */
  maxRows: 200_000,
  /** Of one sheet; further empty lines count as rows. */
  maxEmptyLines: 1_000_000,
  /** Of one sheet. */
  maxColumns: 16_384,
  maxSheets: 100,
  /** UTF-16 units of one cell. */
  maxCellCharacters: 32_767,
  /** Of all sheets of a file that are read. */
  maxCells: 10_000_000,
  /** UTF-16 units of all cells that are read, each shared text as often as cells name it. */
  maxCharacters: 500_000_000,
  /** Bytes of an XLSX, unpacked; a part counts for each sheet that names it. */
  maxInflated: 1024 * MEBIBYTE,
  /** Bytes that may come out of one byte of a member, where much comes out. */
  maxRatio: 200,
  ratioCountsFrom: 10 * MEBIBYTE,
} as const;

export type SheetLimits = { readonly [name in keyof typeof SHEET_LIMITS]: number };
