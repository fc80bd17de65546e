/**
 * The number of bytes of a body that the journal keeps: 64 KiB (contract section 15). The rest is dropped.
 */

import { isUtf8 } from 'node:buffer';

export const EXCERPT_MAX_BYTES = 64 * 1024;

/** The byte order mark of UTF-8. */
const MARK = Buffer.from('\uFEFF');

export interface Exact {
  /** True if the body began with a byte order mark, which `text` omits. */
  readonly hasMark: boolean;
  /** True if the body is not UTF-8. `text` then has one character per byte, with the byte's value. */
  readonly isBytes: boolean;
  readonly text: string;
}

/** Shared empty list: most bodies are one text or empty. */
const NONE: Uint8Array[] = [];

export class Excerpt {
  #bytes = 0;
  #text: string | undefined;
  #chunks: Uint8Array[] = NONE;
  #isCut = false;

  /** Returns true if the body was longer than the limit. */
  get isCut(): boolean {
    return this.#isCut;
  }

  keepText(text: string): void {
    // UTF-8 needs at most three bytes per UTF-16 code unit.
    if (text.length * 3 <= EXCERPT_MAX_BYTES) this.#text = text;
    else this.keep(Buffer.from(text));
  }

  keep(bytes: Uint8Array): void {
    const room = EXCERPT_MAX_BYTES - this.#bytes;
    if (bytes.length > room) this.#isCut = true;
    if (room <= 0 || bytes.length === 0) return;
    const beginning = bytes.slice(0, room);
    if (this.#chunks === NONE) this.#chunks = [beginning];
    else this.#chunks.push(beginning);
    this.#bytes += beginning.length;
  }

  /** Returns the body as text, or `null` if it is empty. */
  get text(): string | null {
    if (this.#text !== undefined) return this.#text;
    if (this.#bytes === 0) return null;
    const bytes = Buffer.concat(this.#chunks);
    const text = new TextDecoder().decode(this.#isCut ? withoutBrokenEnd(bytes) : bytes);
    return isBinary(text) ? `(${bytes.length} bytes que não são texto)` : text;
  }

  /**
   * Returns the body without loss, for a caller that sends it again. `text` drops the byte order mark and
   * invalid bytes.
   */
  get exact(): Exact {
    const bytes = this.#text === undefined ? Buffer.concat(this.#chunks) : Buffer.from(this.#text);
    const hasMark = bytes.subarray(0, MARK.length).equals(MARK);
    const rest = hasMark ? bytes.subarray(MARK.length) : bytes;
    const isBytes = !isUtf8(rest);
    return { hasMark, isBytes, text: rest.toString(isBytes ? 'latin1' : 'utf8') };
  }

  get isBinary(): boolean {
    return this.#text === undefined && isBinary(new TextDecoder().decode(Buffer.concat(this.#chunks)));
  }
}

const isBinary = (text: string): boolean => text.includes('\0');

/** Drops a last character that the limit cut in two. */
function withoutBrokenEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 === length ? bytes : bytes.subarray(0, end - 1);
}
