/** What a spreadsheet may be (contract section 24). */
const MEBIBYTE = 1024 * 1024;

export const SHEET_LIMITS = {
  /** Of the file as it comes. */
  maxBytes: 50 * MEBIBYTE,
  /** Of one sheet, its headings and titles included; empty ones do not count. */
  maxRows: 200_000,
  maxCells: 10_000_000,
  /** Of an XLSX, unpacked. */
  maxInflated: 1024 * MEBIBYTE,
  /** How many bytes may come out of one, where much comes out. */
  maxRatio: 200,
  ratioCountsFrom: 10 * MEBIBYTE,
} as const;

export type SheetLimits = { readonly [name in keyof typeof SHEET_LIMITS]: number };
