/** Repeatable random numbers: each follows from the seed and its purpose. */

/**
 * A generator for one record, so that the first thousand products are the same in a thousand and in a
 * million.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: string, what: string, index: number) {
    this.#state = hashOf(`${seed}|${what}|${index}`);
  }

  /** Returns a number from 0 up to, but not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('Nothing to pick from.');
    return item;
  }

  /** Returns some items of a list, in its order, at least one. */
  some<T>(list: readonly T[], most: number): T[] {
    const wanted = this.between(1, Math.min(most, list.length));
    const from = this.below(list.length - wanted + 1);
    return list.slice(from, from + wanted);
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let offset = 0; offset < text.length; offset += 1)
    hash = Math.imul(hash ^ text.charCodeAt(offset), 0x01000193);
  return hash;
}
