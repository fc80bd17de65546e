/** Assertions about a state that changes: the value is read again until the assertion holds. */
import { type Matchers, expect } from 'bun:test';
import { SLOWNESS } from '../../scripts/proof/slowness.ts';

/** Time for a page or a process to reach a state on a busy machine, in milliseconds. */
export const EVENTUALLY_MS = 60_000 * SLOWNESS;
/** The pause between two reads doubles: a quick change is seen at once, and a long wait costs few reads. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 40;

export const pauseAfter = (reads: number): Promise<void> =>
  Bun.sleep(Math.min(FIRST_PAUSE_MS * 2 ** (reads - 1), LONGEST_PAUSE_MS));

const ASSERTIONS = [
  'toBe',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeLessThan',
  'toBeNull',
  'toContain',
  'toEqual',
  'toHaveLength',
  'toMatch',
  'toMatchObject',
  'toStartWith',
] as const;

/** Assertions, each of which resolves to the value that satisfied it. */
type Assertions<T> = {
  readonly [A in (typeof ASSERTIONS)[number]]: (...expected: Parameters<Matchers<unknown>[A]>) => Promise<T>;
};

export interface Eventually<T> extends Assertions<T> {
  readonly not: Assertions<T>;
}

/**
 * Returns assertions like those of `expect`. Each reads the value until it holds, and throws the last failure
 * after `EVENTUALLY_MS`.
 */
export const eventually = <T>(read: () => T | Promise<T>): Eventually<T> => ({
  ...assertionsOf(read, (value) => expect(value)),
  not: assertionsOf(read, (value) => expect(value).not),
});

function assertionsOf<T>(
  read: () => T | Promise<T>,
  matchersOf: (value: unknown) => Matchers<unknown>,
): Assertions<T> {
  const held = ASSERTIONS.map((name) => {
    const assert = (value: T, expected: readonly unknown[]): void =>
      (matchersOf(value)[name] as (...expected: readonly unknown[]) => void)(...expected);
    return [name, (...expected: readonly unknown[]) => until(read, (value) => assert(value, expected))];
  });
  return Object.fromEntries(held) as Assertions<T>;
}

async function until<T>(read: () => T | Promise<T>, assert: (value: T) => void): Promise<T> {
  const end = performance.now() + EVENTUALLY_MS;
  for (let reads = 1; ; reads += 1)
    try {
      const value = await read();
      assert(value);
      return value;
    } catch (error) {
      if (performance.now() > end) throw error;
      await pauseAfter(reads);
    }
}
