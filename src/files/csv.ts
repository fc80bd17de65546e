/**
 * CSV for spreadsheets: UTF-8 with byte order mark and `;` between cells, because Excel in Brazilian
 * Portuguese opens that correctly on a double click (its decimal mark is the comma). All else is RFC 4180
 * (CRLF, doubled quotation marks).
 */

/**
 * A number is written without quotes. A text comes from users and is made harmless. `null` is an empty cell.
 */
export type Cell = string | number | bigint | boolean | null;

const BYTE_ORDER_MARK = '\uFEFF';
const SEPARATOR = ';';
const LINE_END = '\r\n';

/** Rows are joined into chunks of about this size: one chunk per row is slow to send. */
const CHUNK_CHARACTERS = 16 * 1024;

/**
 * Yields a CSV in chunks, with `header` as its first line. For `undefined` among the rows it yields an empty
 * text, to let other tasks have their turn. Throws when a row has a different number of cells than the
 * header.
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

/** Returns the first line, with the byte order mark. */
export const csvHead = (header: readonly string[]): string => BYTE_ORDER_MARK + csvLine(header);

export const csvLine = (cells: readonly Cell[]): string => cells.map(cellText).join(SEPARATOR) + LINE_END;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = guarded(cell);
  return /[;"\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before a text that begins like a formula, because a spreadsheet would run it, and import
 * files come from strangers. Full-width signs count, since some spreadsheets convert them. Texts that begin
 * with an apostrophe get one too, otherwise they would lose it when read back.
 */
const guarded = (text: string): string => (GUARDED.test(text) ? `'${text}` : text);

/** A formula, or a text like a spreadsheet error, after any number of apostrophes. */
const GUARDED =
  /^'*(?:[=+\-@\t\r\n＝＋－＠]|#(?:N\/[AD]|VALUE!|VALOR!|NAME\?|NOME\?|N[UÚ]M!|NUL[LO]!|REF!|DIV\/0!|#+)$)/;

/** Removes the added apostrophe. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && GUARDED.test(text) ? text.slice(1) : text;
