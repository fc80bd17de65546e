/**
 * Bytes of a block of shared strings. A workbook may have two million: as bytes they take a tenth of the
 * memory of texts.
 */
const BLOCK_BYTES = 1024 * 1024;
const BYTES_PER_UNIT = 3;
/** UTF-16 units of the texts in the cache. Cells that refer to the same string share its text. */
const RECENT_CHARACTERS = 1024 * 1024;

export class StringTable {
  /** Blocks of strings. No string spans two blocks. */
  readonly #blocks: Buffer[] = [];
  /** Used bytes of the last block. */
  #used = BLOCK_BYTES;
  #characters = 0;
  /** The first byte of each string, counted over all blocks, and the byte behind each. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #recent = new Map<number, string>();
  #recentCharacters = 0;

  get size(): number {
    return this.#starts.length;
  }

  /** Returns the UTF-16 units of all strings. */
  get characters(): number {
    return this.#characters;
  }

  /** Adds a string. `text`: at most a third of a block. */
  add(text: string): void {
    if (this.#used + text.length * BYTES_PER_UNIT > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafe(BLOCK_BYTES));
      this.#used = 0;
    }
    const block = this.#blocks.length - 1;
    this.#starts.push(block * BLOCK_BYTES + this.#used);
    this.#used += this.#blocks[block]?.write(text, this.#used) ?? 0;
    this.#ends.push(block * BLOCK_BYTES + this.#used);
    this.#characters += text.length;
  }

  get(index: number): string | undefined {
    const [start, end] = [this.#starts[index], this.#ends[index]];
    if (start === undefined || end === undefined) return undefined;
    const recent = this.#recent.get(index);
    if (recent !== undefined) return recent;
    const block = Math.floor(start / BLOCK_BYTES);
    const [from, to] = [start - block * BLOCK_BYTES, end - block * BLOCK_BYTES];
    const text = this.#blocks[block]?.toString('utf8', from, to) ?? '';
    if (this.#recentCharacters > RECENT_CHARACTERS) {
      this.#recent.clear();
      this.#recentCharacters = 0;
    }
    this.#recent.set(index, text);
    this.#recentCharacters += text.length;
    return text;
  }
}
