/** Repeatable random numbers: the same seed gives the same choices. */

export interface Random {
  readonly seed: number;
  /** 0 <= x < 1 */
  next(): number;
  /** from <= n <= to */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]): T => {
      if (values.length === 0) throw new Error('Nothing to pick from.');
      return values[Math.floor(next() * values.length)] as T;
    },
  };
}

/** Returns a random seed, for runs without a given one. */
export const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
