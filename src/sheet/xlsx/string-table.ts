/** The shared strings of a workbook, two million of them perhaps: kept as their bytes, a tenth of what as many texts take. */
const FIRST_BYTES = 1024 * 1024;
const BYTES_PER_UNIT = 3;

export class StringTable {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #used = 0;
  readonly #ends: number[] = [];

  add(text: string): void {
    const needed = this.#used + text.length * BYTES_PER_UNIT;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#used += this.#bytes.write(text, this.#used);
    this.#ends.push(this.#used);
  }

  get(index: number): string | undefined {
    const end = this.#ends[index];
    return end === undefined ? undefined : this.#bytes.toString('utf8', this.#ends[index - 1] ?? 0, end);
  }
}
