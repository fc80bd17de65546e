/**
 * Collects a text that arrives in chunks, and cuts it one character above the cell limit, so that it is refused by
 * its length.
 */

/** Characters of `_x000D_`, which stands for one character. */
const ESCAPED_CHARACTERS = 7;

export class LimitedText {
  readonly #max: number;
  readonly #maxEscaped: number;
  #text = '';

  /** `max`: UTF-16 units of a cell. */
  constructor(max: number) {
    this.#max = max;
    this.#maxEscaped = max * ESCAPED_CHARACTERS;
  }

  clear(): void {
    this.#text = '';
  }

  add(piece: string): void {
    if (this.#text.length > this.#maxEscaped) return;
    this.#text += piece.slice(0, this.#maxEscaped + 1);
  }

  /** Returns the text as stored in the file, at most one character longer than `max`. */
  get value(): string {
    return this.#text.slice(0, this.#max + 1);
  }

  /** Returns the text with the characters that XML cannot hold, at most one character longer than `max`. */
  get unescaped(): string {
    return unescaped(this.#text).slice(0, this.#max + 1);
  }
}

/** Decodes `_x000D_` to the character that XML cannot hold, and `_x005F_x000D_` to the literal text. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
