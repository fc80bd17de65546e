/** The first 64 KiB of a body (contract section 15). What comes after is counted, and not kept. */

import { isUtf8 } from 'node:buffer';

export const EXCERPT_MAX_BYTES = 64 * 1024;

/** The byte order mark of UTF-8. */
const MARK = Buffer.from('\uFEFF');

export interface Exact {
  /** It began with a byte order mark, which `text` is without. */
  readonly hasMark: boolean;
  /** It is no UTF-8: `text` has a character for each byte, of the byte's number. */
  readonly isBytes: boolean;
  readonly text: string;
}

/** Most bodies are one text, or nothing. */
const NONE: Uint8Array[] = [];

export class Excerpt {
  #bytes = 0;
  #text: string | undefined;
  #chunks: Uint8Array[] = NONE;
  #isCut = false;

  /** Whether there was more of it. */
  get isCut(): boolean {
    return this.#isCut;
  }

  keepText(text: string): void {
    // No text is longer in bytes than three times its length.
    if (text.length * 3 <= EXCERPT_MAX_BYTES) this.#text = text;
    else this.keep(Buffer.from(text));
  }

  keep(bytes: Uint8Array): void {
    const room = EXCERPT_MAX_BYTES - this.#bytes;
    if (bytes.length > room) this.#isCut = true;
    if (room <= 0 || bytes.length === 0) return;
    const kept = bytes.slice(0, room);
    if (this.#chunks === NONE) this.#chunks = [kept];
    else this.#chunks.push(kept);
    this.#bytes += kept.length;
  }

  /** As text; `null` where there was none. */
  get text(): string | null {
    if (this.#text !== undefined) return this.#text;
    if (this.#bytes === 0) return null;
    const bytes = Buffer.concat(this.#chunks);
    const text = new TextDecoder().decode(this.#isCut ? withoutBrokenEnd(bytes) : bytes);
    return isBinary(text) ? `(${bytes.length} bytes que não são texto)` : text;
  }

  /** What `text` leaves out of what came, to whom it matters: who sends it again. */
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

/** A character that the cut goes through is left out. */
function withoutBrokenEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 === length ? bytes : bytes.subarray(0, end - 1);
}
