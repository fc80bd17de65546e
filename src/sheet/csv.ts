/**
 * Reads the rows of a CSV: `;`, `,`, `|` or tab; UTF-8, Windows-1252, CP850 or Mac (contract section 24).
 * Each character is read once, and a cell is cut at its limit. No library that we tried does both.
 */
import { unguarded } from '../files/csv.ts';
import { type Cell, type SheetRow, columnLetters, csvCell, isEmptyRow, textCell } from './cell.ts';
import { decodeOneByte } from './code-pages.ts';
import type { SheetMeter } from './meter.ts';
import { UnreadableSheet } from './unreadable-sheet.ts';

const QUOTE = '"';
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const SPACE = 32;

/**
 * Maximum characters that `cellOf` removes from a cell. A longer text exceeds the limit without them as well.
 */
const GUARD_CHARACTERS = 3;

/** Yields the rows that are not empty. Throws `UnreadableSheet` at the first limit of the meter. */
export async function* csvRows(text: string, meter: SheetMeter): AsyncGenerator<SheetRow, void, undefined> {
  const scanner = new CsvScanner(
    text,
    delimiterOf(text).charCodeAt(0),
    meter.cellCharacters + GUARD_CHARACTERS,
  );
  for (let row = 1; !scanner.isAtEnd; row += 1) {
    const cells = new Map<number, Cell>();
    for (let column = 0; ; column += 1) {
      const cell = cellOf(scanner.takeCell());
      if (scanner.fault !== undefined) throw brokenQuotes(scanner.fault, row, column);
      if (cell.text !== '') {
        meter.addCell(row, column, cell.text.length);
        cells.set(column, cell);
      }
      if (!scanner.takeDelimiter()) break;
    }
    scanner.takeLineEnd();
    const read = { row, isHidden: false, cells };
    if (isEmptyRow(read)) meter.addEmptyLine();
    else {
      meter.addRow();
      yield read;
    }
  }
}

/** Why the end of a quoted cell is unknown: the cell might contain the cells and rows after it. */
type QuoteFault = 'unclosed' | 'undoubled';

function brokenQuotes(fault: QuoteFault, row: number, column: number): UnreadableSheet {
  const cell = `${columnLetters(column)}${row}`;
  return new UnreadableSheet(
    'broken',
    fault === 'unclosed'
      ? `As aspas que abrem a célula ${cell} não se fecham até o fim do arquivo; feche-as, ou dobre as que são do texto (""), e envie-o de novo.`
      : `As aspas dentro da célula ${cell} não estão dobradas, e não se sabe onde ela termina; dobre as que são do texto (""), e envie-o de novo.`,
  );
}

class CsvScanner {
  readonly #text: string;
  readonly #delimiter: number;
  /** Maximum characters of a cell. A longer cell is cut just above it. */
  readonly #maxCharacters: number;
  #at = 0;
  /** Set once the end of a quoted cell is unknown. */
  fault: QuoteFault | undefined;

  constructor(text: string, delimiter: number, maxCharacters: number) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#maxCharacters = maxCharacters;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  takeCell(): string {
    return this.#text[this.#at] === QUOTE ? this.#takeQuoted() : this.#takeBare();
  }

  takeDelimiter(): boolean {
    if (this.isAtEnd || this.#text.charCodeAt(this.#at) !== this.#delimiter) return false;
    this.#at += 1;
    return true;
  }

  takeLineEnd(): void {
    if (this.#text.charCodeAt(this.#at) === CARRIAGE_RETURN) this.#at += 1;
    if (this.#text.charCodeAt(this.#at) === LINE_FEED) this.#at += 1;
  }

  #takeBare(): string {
    const start = this.#at;
    while (!this.#endsCell(this.#at) && this.#at - start <= this.#maxCharacters) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /**
   * Reads a quoted cell. Two quotation marks stand for one. A single one that does not end the cell is a
   * character of the cell, if neither it nor what follows looks like another cell.
   */
  #takeQuoted(): string {
    let value = '';
    let from = this.#at + 1;
    let beforeSingle: number | undefined;
    while (value.length <= this.#maxCharacters) {
      const quote = this.#text.indexOf(QUOTE, from);
      if (quote === -1) {
        this.fault = 'unclosed';
        this.#at = this.#text.length;
        return value + this.#text.slice(from, from + this.#maxCharacters + 1);
      }
      const end = this.#afterSpaces(quote + 1);
      const isDoubled = this.#text[quote + 1] === QUOTE;
      if (!isDoubled && this.#endsCell(end)) {
        if (beforeSingle !== undefined && this.#hasCellEnd(beforeSingle, quote)) this.fault = 'undoubled';
        this.#at = end;
        return value + this.#text.slice(from, quote);
      }
      if (!isDoubled) beforeSingle ??= quote - 1;
      value += this.#text.slice(from, quote + 1);
      from = quote + (isDoubled ? 2 : 1);
    }
    this.#at = from;
    return value;
  }

  /** Returns true if a range has a line end, or a delimiter before a quotation mark. */
  #hasCellEnd(from: number, to: number): boolean {
    for (let offset = from; offset < to; offset += 1)
      if (this.#endsCell(offset)) {
        const isDelimiter = this.#text.charCodeAt(offset) === this.#delimiter;
        if (!isDelimiter || this.#text[offset + 1] === QUOTE) return true;
      }
    return false;
  }

  #afterSpaces(offset: number): number {
    let end = offset;
    while (this.#text.charCodeAt(end) === SPACE) end += 1;
    return end;
  }

  #endsCell(offset: number): boolean {
    if (offset >= this.#text.length) return true;
    const code = this.#text.charCodeAt(offset);
    return code === this.#delimiter || code === LINE_FEED || code === CARRIAGE_RETURN;
  }
}

const DELIMITERS = [';', '\t', ',', '|'];
const SAMPLE_LINES = 30;
const SAMPLE_CHARACTERS = 64 * 1024;

/**
 * Returns the delimiter that splits most lines into equal numbers. Titles above the headings have none, and
 * texts contain commas. A sign in texts of the same form may split more cells, but it does not split the
 * headings, as the delimiter does.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SAMPLE_CHARACTERS)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/, SAMPLE_LINES)
    .filter((line) => line !== '');
  const splits = DELIMITERS.map((delimiter) => ({ delimiter, ...evenSplit(lines, delimiter) }));
  const best = splits.reduce((one, next) => (next.cells > one.cells ? next : one));
  const wider = splits.find(
    ({ lines: others }) => others.size > best.lines.size && best.lines.isSubsetOf(others),
  );
  return (wider ?? best).delimiter;
}

/** Lines that a delimiter splits into the same number of cells. */
interface EvenSplit {
  readonly lines: ReadonlySet<string>;
  /** Number of delimiters in these lines. */
  readonly cells: number;
}

/** Returns the lines with the most frequent cell count; no line is without the delimiter. */
function evenSplit(lines: readonly string[], delimiter: string): EvenSplit {
  const linesByCount = Map.groupBy(lines, (line) => line.split(delimiter).length - 1);
  linesByCount.delete(0);
  let best: EvenSplit = { lines: new Set(), cells: 0 };
  for (const [count, evenLines] of linesByCount) {
    const cells = count * evenLines.length;
    if (cells > best.cells) best = { lines: new Set(evenLines), cells };
  }
  return best;
}

/**
 * Decodes as UTF-16 ("Unicode" of SAP), else as UTF-8, else by a single-byte code page. Throws
 * `UnreadableSheet` for UTF-8 with broken bytes, of which a code page would make wrong letters.
 */
export function csvText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    refuseBrokenUtf8(bytes);
    return decodeOneByte(bytes);
  }
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const REPLACED = '\uFFFD';
const ASCII_MAX = 127;

/** A text in a code page has next to no letters that are UTF-8 by chance. */
function refuseBrokenUtf8(bytes: Uint8Array): void {
  const text = new TextDecoder('utf-8').decode(bytes);
  let [lettersOfUtf8, broken] = [0, 0];
  for (let offset = 0; offset < text.length; offset += 1)
    if (text[offset] === REPLACED) broken += 1;
    else if (text.charCodeAt(offset) > ASCII_MAX) lettersOfUtf8 += 1;
  if (lettersOfUtf8 < broken && !BYTE_ORDER_MARK.every((byte, offset) => bytes[offset] === byte)) return;
  const line = text.slice(0, text.indexOf(REPLACED)).split(/\r\n|\r|\n/).length;
  throw new UnreadableSheet(
    'broken',
    `O arquivo é UTF-8, mas a linha ${line} tem um byte que não é; grave o arquivo inteiro em UTF-8 e envie-o de novo.`,
  );
}

const SAMPLE_BYTES = 4096;
/** Minimum share of letters of two bytes whose high byte is 0, in a text without byte order mark. */
const ZERO_BYTES_SHARE = 0.7;

/** Recognises UTF-16 by its byte order mark, or by the zero byte of nearly every letter. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [offset, byte] of head.entries())
    if (byte === 0) zeros[offset % 2] = (zeros[offset % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = Math.max(1, (head.length / 2) * ZERO_BYTES_SHARE);
  if (odd >= enough && even === 0) return 'utf-16le';
  return even >= enough && odd === 0 ? 'utf-16be' : undefined;
}

/**
 * Reads a cell. `="0123"` keeps the zeros in a spreadsheet. An apostrophe guards a text in a CSV of this
 * product.
 */
function cellOf(text: string): Cell {
  const isQuoted = text.startsWith('="') && text.endsWith('"') && text.length >= GUARD_CHARACTERS;
  const value = isQuoted ? text.slice(2, -1) : unguarded(text);
  return value === text ? csvCell(text) : textCell(value);
}
