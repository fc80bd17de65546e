/** The assertion that seeds of the simulation break no rule and try every case. */
import { expect } from 'bun:test';
import { runSeeds } from './seeds.ts';

/** Seeds of the fast tests. A broken rule is detected within this many. */
export const FAST_SEEDS = 60;

/**
 * `duplicates`: received again after a success that a crash or a stop kept from being recorded, or by a
 * replay.
 */
const TRIED = [
  'publish',
  'subscribe',
  'change',
  'unsubscribe',
  'replay',
  'crash',
  'stop',
  'step',
  'withdrawn',
  'overtaken',
  'duplicates',
  'deletions',
  'forgotten',
];

export async function expectRulesHold(range: {
  readonly first: number;
  readonly seeds: number;
}): Promise<void> {
  const { results, totals } = await runSeeds(range);
  const broken = results.flatMap(({ seed, violation }) =>
    violation === undefined
      ? []
      : [`${violation.message} (again: bun run scripts/simulate.ts --seed ${seed})`],
  );
  expect(broken).toEqual([]);
  // A case that never occurred was not checked.
  const rare = TRIED.filter((what) => (totals[what] ?? 0) < range.seeds / 10);
  expect(rare).toEqual([]);
}
