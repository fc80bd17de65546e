/** The shared strings of a workbook, two million of them perhaps: kept as their bytes, a tenth of what as many texts take. */
const BLOCK_BYTES = 1024 * 1024;
const BYTES_PER_UNIT = 3;
/** UTF-16 units of the texts that are kept as such: cells that name one of them again share it. */
const RECENT_CHARACTERS = 1024 * 1024;

export class StringTable {
  /** Strings stand whole in one of them. */
  readonly #blocks: Buffer[] = [];
  /** Bytes of the last block that are taken. */
  #used = BLOCK_BYTES;
  #characters = 0;
  /** Of each string the byte at which it begins, all blocks counted through, and the byte behind it. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #recent = new Map<number, string>();
  #recentCharacters = 0;

  get size(): number {
    return this.#starts.length;
  }

  /** UTF-16 units of all of them. */
  get characters(): number {
    return this.#characters;
  }

  /** `text`: a third of a block at most. */
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
