/**
 * CSV for people who open it in a spreadsheet: UTF-8 with byte order mark and `;` between cells, because that is what
 * Excel in Brazilian Portuguese opens right on a double click (its decimal mark is the comma); all else is RFC 4180
 * (CRLF, quotation marks doubled).
 */

/** A number is written bare; a text is what somebody typed, and is made harmless; `null` is an empty cell. */
export type Cell = string | number | bigint | boolean | null;

const BYTE_ORDER_MARK = '\uFEFF';
const SEPARATOR = ';';
const LINE_END = '\r\n';

/** Rows are joined into chunks of about this size: a chunk per row is slow to send. */
const CHUNK_CHARACTERS = 16 * 1024;

/**
 * The text of a CSV in chunks; the first line is `header`. `undefined` among the rows: an empty text, where others may have
 * their turn. Throws when a row has not as many cells as the header.
 */
export async function* csvOf(
  header: readonly string[],
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[] | undefined>,
): AsyncGenerator<string, void, undefined> {
  let chunk = csvHead(header);
  for await (const row of rows) {
    if (row === undefined) {
      yield '';
      continue;
    }
    if (row.length !== header.length)
      throw new RangeError(`csv: ${row.length} cells under ${header.length} headings`);
    chunk += csvLine(row);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The first line, with what makes a file a CSV. */
export const csvHead = (header: readonly string[]): string => BYTE_ORDER_MARK + csvLine(header);

export const csvLine = (cells: readonly Cell[]): string => cells.map(written).join(SEPARATOR) + LINE_END;

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = harmless(cell);
  return /[;"\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet runs a cell that begins like a formula, and an import file is written by strangers: an apostrophe in
 * front makes it text. The full-width signs count, some spreadsheets fold them; so do apostrophes of its own, or the
 * text would lose one on its way back.
 */
const harmless = (text: string): string => (GUARDED.test(text) ? `'${text}` : text);

/** A formula, or a text that reads like an error of a spreadsheet, behind any apostrophes. */
const GUARDED =
  /^'*(?:[=+\-@\t\r\n＝＋－＠]|#(?:N\/[AD]|VALUE!|VALOR!|NAME\?|NOME\?|N[UÚ]M!|NUL[LO]!|REF!|DIV\/0!)$)/;

/** The text as it was before. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && GUARDED.test(text) ? text.slice(1) : text;
