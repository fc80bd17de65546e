/** The position of a byte in a text as editors count it: lines and characters from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const NEWLINE_BYTE = 0x0a;

export function placeOf(bytes: Uint8Array, offset: number): TextPosition {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE_BYTE); end !== -1 && end < offset;) {
    line += 1;
    start = end + 1;
    end = bytes.indexOf(NEWLINE_BYTE, start);
  }
  return { line, column: charactersIn(bytes, start, offset) + 1 };
}

/** Counts the UTF-8 characters that begin at or after `start` and before `end`. */
function charactersIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let offset = start; offset < end; offset += 1) if (((bytes[offset] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

export const describePlace = ({ line, column }: TextPosition): string => `linha ${line}, coluna ${column}`;

/** Counts lines for a window that moves over a text, up to a byte that only moves forward. */
export class LineCounter {
  #line: number;
  /** Start of that line in the window. Negative: it begins before the window. */
  start = 0;
  #charactersBefore = 0;

  /** `line`: the line in which the window begins. */
  constructor(line = 1) {
    this.#line = line;
  }

  /** The line of the byte after the counted ones. */
  get line(): number {
    return this.#line;
  }

  /** Counts the lines of the bytes from `from` up to `to`. */
  pass(window: Uint8Array, from: number, to: number): void {
    const passed = window.subarray(from, to);
    for (
      let offset = passed.indexOf(NEWLINE_BYTE);
      offset !== -1;
      offset = passed.indexOf(NEWLINE_BYTE, offset + 1)
    ) {
      this.#line += 1;
      this.start = from + offset + 1;
      this.#charactersBefore = 0;
    }
  }

  /** Removes the first `count` bytes, all of them counted, from the window. */
  forget(window: Uint8Array, count: number): void {
    this.#charactersBefore += charactersIn(window, Math.max(this.start, 0), count);
    this.start -= count;
  }

  /** Describes the position of a byte in the text. `passed`: number of counted bytes. */
  describe(window: Uint8Array, passed: number, offset: number): string {
    const { line, column } = placeOf(window.subarray(passed, offset), offset - passed);
    if (line > 1) return describePlace({ line: this.#line + line - 1, column });
    const before = this.#charactersBefore + charactersIn(window, Math.max(this.start, 0), passed);
    return describePlace({ line: this.#line, column: before + column });
  }
}
