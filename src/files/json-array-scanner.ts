/** Scans a JSON array byte by byte for the beginning and end of its items. */
import type { Problem } from '../errors.ts';
import { type ReadJson, readJsonText } from '../validation/json.ts';
import { foundByte, judgeJson } from '../validation/json-fault.ts';
import { LineCounter } from '../validation/json-place.ts';
import type { ArrayItem, ArrayReading } from './array-item.ts';
import type { JsonLimits } from './file-limits.ts';
import { UnreadableFile, bytesText, unreadableJson } from './unreadable-file.ts';

const QUOTE = 1;
const OPEN = 2;
const CLOSE = 3;
const COMMA = 4;
const COLON = 5;
const DIGIT = 6;
/** A byte of a number that JavaScript may print differently. */
const OTHER_OF_NUMBER = 7;
/** Begins an exponent after a digit; elsewhere it is a letter of `true` or `false`. */
const EXPONENT = 8;

/** The meaning of each byte outside a text. */
const MEANING = new Uint8Array(256);
MEANING['"'.charCodeAt(0)] = QUOTE;
MEANING['{'.charCodeAt(0)] = OPEN;
MEANING['['.charCodeAt(0)] = OPEN;
MEANING['}'.charCodeAt(0)] = CLOSE;
MEANING[']'.charCodeAt(0)] = CLOSE;
MEANING[','.charCodeAt(0)] = COMMA;
MEANING[':'.charCodeAt(0)] = COLON;
for (const digit of '0123456789') MEANING[digit.charCodeAt(0)] = DIGIT;
for (const other of '-+.') MEANING[other.charCodeAt(0)] = OTHER_OF_NUMBER;
for (const exponent of 'eE') MEANING[exponent.charCodeAt(0)] = EXPONENT;

/** A number of so many digits and no other byte is printed by JavaScript as it was sent. */
const SAFE_DIGITS = 15;

const QUOTE_BYTE = 0x22;
const BACKSLASH_BYTE = 0x5c;
const ARRAY_OPEN_BYTE = 0x5b;
const ARRAY_CLOSE_BYTE = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const FIRST_WINDOW_BYTES = 256 * 1024;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const NONE: readonly Problem[] = [];

export class ArrayScanner {
  readonly #limits: JsonLimits;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** The bytes from the start of the unfinished item on; `#window[0]` is byte `#base` of the file. */
  #window = new Uint8Array(FIRST_WINDOW_BYTES);
  #base = 0;
  #start = 0;
  #at = 0;
  #end = 0;

  readonly #lines: LineCounter;

  #state: 'beforeArray' | 'beforeItem' | 'inItem' | 'afterItem' | 'afterArray' = 'beforeArray';
  #index = 0;
  #line = 0;
  #depth = 0;
  #isInText = false;
  /** Number of member names of the item: colons outside of texts. */
  #names = 0;
  /** Number of digits directly before the current byte. */
  #digits = 0;
  #mayLoseDigits = false;

  readonly #judgesOnly: boolean;
  /**
   * Messages contain line and column. They do not when reading continues after an item, because the columns
   * would then count from that item.
   */
  readonly #hasPositions: boolean;

  constructor(limits: JsonLimits, { behind, judgesOnly = false }: ArrayReading) {
    this.#limits = limits;
    this.#judgesOnly = judgesOnly;
    this.#lines = new LineCounter(behind?.endLine);
    this.#hasPositions = behind === undefined;
    if (behind === undefined) return;
    this.#base = behind.end;
    this.#index = behind.index + 1;
    this.#state = 'afterItem';
  }

  push(bytes: Uint8Array): void {
    this.#lines.forget(this.#window, this.#start);
    this.#window.copyWithin(0, this.#start, this.#end);
    this.#base += this.#start;
    this.#at -= this.#start;
    this.#end -= this.#start;
    this.#start = 0;
    const needed = this.#end + bytes.length;
    if (needed > this.#window.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#window.length));
      larger.set(this.#window.subarray(0, this.#end));
      this.#window = larger;
    }
    this.#window.set(bytes, this.#end);
    this.#end = needed;
  }

  /** Returns the next whole item of the pushed bytes. `undefined`: more bytes are needed. */
  next(): ArrayItem | undefined {
    if (this.#state === 'beforeArray') this.#openArray();
    if (this.#state === 'afterItem') this.#leaveItem();
    if (this.#state === 'beforeItem') this.#openItem();
    if (this.#state === 'inItem') return this.#closeItem();
    if (this.#state === 'afterArray') this.#expectNothing();
    return undefined;
  }

  /** Ends the input. Call it after the last `push`, when `next` returns no more items. */
  end(): void {
    if (this.#state === 'afterArray') return;
    const byte = this.#base + this.#end;
    if (this.#state === 'beforeArray') {
      if (this.#start < this.#end) throw this.#notUtf8(this.#start); // an incomplete byte order mark
      throw new UnreadableFile('empty', 'O arquivo está vazio; é esperado um array JSON de registros.', byte);
    }
    throw this.#refused(
      this.#end,
      unreadableJson(
        'truncated',
        byte,
        `o arquivo termina antes do fim do array${this.#positionInArray(this.#end)}`,
      ),
    );
  }

  #openArray(): void {
    if (this.#base === 0 && this.#start === 0) {
      const mark = BYTE_ORDER_MARK.findIndex(
        (byte, offset) => this.#window[offset] !== byte || offset >= this.#end,
      );
      if (mark > 0 && mark === this.#end) return; // its rest may be in the next chunk
      if (mark === -1) this.#start = this.#lines.start = BYTE_ORDER_MARK.length;
    }
    if (!this.#skipSpace()) return;
    const first = this.#window[this.#start] as number;
    if (first !== ARRAY_OPEN_BYTE) throw this.#notArray(first);
    this.#start++;
    this.#state = 'beforeItem';
  }

  #openItem(): void {
    if (!this.#skipSpace()) return;
    const isEmptyArray = this.#index === 0 && this.#window[this.#start] === ARRAY_CLOSE_BYTE;
    if (isEmptyArray) this.#start++;
    this.#line = this.#lines.line;
    this.#at = this.#start;
    this.#state = isEmptyArray ? 'afterArray' : 'inItem';
  }

  /** Moves to the comma or bracket after the item. This is the hot loop of every import. */
  #closeItem(): ArrayItem | undefined {
    const window = this.#window;
    const end = this.#end;
    const maxDepth = this.#limits.maxDepth;
    let offset = this.#at;
    let depth = this.#depth;
    let isInText = this.#isInText;
    let digits = this.#digits;
    while (offset < end) {
      if (isInText) {
        while (offset < end && window[offset] !== QUOTE_BYTE && window[offset] !== BACKSLASH_BYTE) offset++;
        if (offset === end) break;
        if (window[offset] === QUOTE_BYTE) isInText = false;
        else if (offset + 1 === end)
          break; // the escaped byte is in the next chunk
        else offset++;
        offset++;
        continue;
      }
      const meaning = MEANING[window[offset] as number];
      if (meaning === DIGIT) {
        if (++digits > SAFE_DIGITS) this.#mayLoseDigits = true;
        offset++;
        continue;
      }
      if (meaning === QUOTE) isInText = true;
      else if (meaning === OPEN) {
        if (++depth > maxDepth) throw this.#tooDeep(offset);
      } else if (meaning === CLOSE) {
        if (depth === 0) return this.#itemUntil(offset);
        depth--;
      } else if (meaning === COMMA) {
        if (depth === 0) return this.#itemUntil(offset);
      } else if (meaning === COLON) this.#names++;
      else if (meaning === OTHER_OF_NUMBER || (meaning === EXPONENT && digits > 0))
        this.#mayLoseDigits = true;
      digits = 0;
      offset++;
    }
    this.#at = offset;
    this.#depth = depth;
    this.#isInText = isInText;
    this.#digits = digits;
    if (end - this.#start > this.#limits.maxItemBytes) throw this.#itemTooLarge(end);
    return undefined;
  }

  #itemUntil(offset: number): ArrayItem {
    if (offset - this.#start > this.#limits.maxItemBytes) throw this.#itemTooLarge(offset);
    const { value, repeated } = this.#parsed(offset);
    const [line, end] = [this.#line, this.#base + offset];
    this.#terminate(offset); // which is no line end
    this.#depth = this.#names = this.#digits = 0;
    this.#isInText = this.#mayLoseDigits = false;
    const item = { index: this.#index++, value, line, end, endLine: this.#lines.line };
    return repeated.length > 0 ? { ...item, repeated } : item;
  }

  /** Moves past the comma or bracket at which an item ended. */
  #terminate(offset: number): void {
    const terminator = this.#window[offset] as number;
    if (MEANING[terminator] === CLOSE && terminator !== ARRAY_CLOSE_BYTE)
      throw this.#unexpected(offset, '"," ou "]"');
    this.#moveTo(offset + 1);
    this.#at = this.#start;
    this.#state = terminator === ARRAY_CLOSE_BYTE ? 'afterArray' : 'beforeItem';
  }

  #leaveItem(): void {
    if (this.#start === this.#end) return;
    const meaning = MEANING[this.#window[this.#start] as number];
    if (meaning !== COMMA && meaning !== CLOSE) throw this.#unexpected(this.#start, '"," ou "]"');
    this.#terminate(this.#start);
  }

  #parsed(end: number): ReadJson {
    try {
      const text = this.#utf8.decode(this.#window.subarray(this.#start, end));
      if (this.#judgesOnly) return { value: JSON.parse(text), repeated: NONE };
      const scan = this.#mayLoseDigits ? undefined : { names: this.#names, losesDigits: false };
      return readJsonText(text, scan);
    } catch {
      throw this.#refused(end, this.#incomplete(end));
    }
  }

  #expectNothing(): void {
    if (!this.#skipSpace()) return;
    const byte = this.#base + this.#start;
    const what = foundByte(this.#window, this.#start);
    const where = this.#position(this.#start);
    throw unreadableJson('trailingData', byte, `encontrado ${what} depois do fim do array${where}.`);
  }

  /** Skips white space. Returns true when another byte is available. */
  #skipSpace(): boolean {
    let offset = this.#start;
    while (offset < this.#end && isSpace(this.#window[offset] as number)) offset++;
    this.#moveTo(offset);
    this.#at = offset;
    return this.#start < this.#end;
  }

  #moveTo(start: number): void {
    this.#lines.pass(this.#window, this.#start, start);
    this.#start = start;
  }

  /** Returns the error of the item's bytes up to `end`, or `otherwise` when they are valid. */
  #refused(end: number, otherwise: UnreadableFile): UnreadableFile {
    const verdict = judgeJson(this.#window.subarray(this.#start, end));
    if (typeof verdict === 'string') return otherwise;
    const reason = verdict.kind === 'utf8' ? 'invalidUtf8' : 'invalidJson';
    return unreadableJson(
      reason,
      this.#base + this.#start + verdict.at,
      `${verdict.message}${this.#positionInArray(this.#start + verdict.at)}`,
    );
  }

  #unexpected(offset: number, expected: string): UnreadableFile {
    const message = `encontrado ${foundByte(this.#window, offset)}, esperado ${expected}${this.#positionInArray(offset)}`;
    return unreadableJson('invalidJson', this.#base + offset, message);
  }

  /**
   * Returns the error of an incomplete item. In `[1, ]` the extra comma is the error, otherwise the value.
   */
  #incomplete(end: number): UnreadableFile {
    const isAfterComma = this.#index > 0 && end === this.#start;
    return this.#unexpected(
      end,
      isAfterComma ? 'um registro; retire a vírgula que está antes' : 'um valor completo',
    );
  }

  #positionInArray(offset: number): string {
    const item = `item ${this.#index + 1} do array`;
    return this.#hasPositions
      ? ` (${item}; ${this.#lines.describe(this.#window, this.#start, offset)}).`
      : ` (${item}).`;
  }

  readonly #position = (offset: number): string =>
    this.#hasPositions ? ` (${this.#lines.describe(this.#window, this.#start, offset)})` : '';

  #tooDeep(offset: number): UnreadableFile {
    const message = `mais de ${this.#limits.maxDepth} níveis de objetos e arrays${this.#positionInArray(offset)}`;
    return this.#refused(offset, unreadableJson('tooDeep', this.#base + offset, message));
  }

  /**
   * Reports a stray quotation mark instead of the size: after it, the rest of the file looks like one item.
   */
  #itemTooLarge(end: number): UnreadableFile {
    const byte = this.#base + this.#start;
    const limit = bytesText(this.#limits.maxItemBytes);
    const message = `O item ${this.#index + 1} do array, que começa no byte ${byte}, tem mais de ${limit}.`;
    return this.#refused(end, new UnreadableFile('itemTooLarge', message, byte));
  }

  #notArray(first: number): UnreadableFile {
    if (first >= 0x80) return this.#notUtf8(this.#start);
    const isOtherValue = /[{"\-0-9tfn]/.test(String.fromCharCode(first));
    const message = `encontrado ${foundByte(this.#window, this.#start)}, esperado "[" (um array de registros; ${this.#lines.describe(this.#window, this.#start, this.#start)}).`;
    return unreadableJson(isOtherValue ? 'notArray' : 'invalidJson', this.#base + this.#start, message);
  }

  #notUtf8(offset: number): UnreadableFile {
    const message = `${foundByte(this.#window, offset)} não é o começo de um JSON em UTF-8 (${this.#lines.describe(this.#window, this.#start, offset)}); salve o arquivo em UTF-8.`;
    return unreadableJson('invalidUtf8', this.#base + offset, message);
  }
}
