/** A text that comes in pieces, cut off behind what a cell may have: it is refused by its length, whatever follows. */

/** `_x000D_` stands for one character. */
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

  /** As it stands in the file, one character longer than `max` at most. */
  get value(): string {
    return this.#text.slice(0, this.#max + 1);
  }

  /** With the signs that XML cannot hold, one character longer than `max` at most. */
  get unescaped(): string {
    return unescaped(this.#text).slice(0, this.#max + 1);
  }
}

/** Signs that XML cannot hold stand as `_x000D_`, and what looks like that as `_x005F_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
