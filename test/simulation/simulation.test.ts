/** The rules of delivery over simulated months (contract section 10). More seeds: `bun run scripts/simulate.ts --seeds N`. */
import { describe, expect, test } from 'bun:test';
import { BREAKAGES } from './breakages.ts';
import { runSeeds } from './seeds.ts';

const SEEDS = 300;
const SEEDS_MAX_MS = 240_000;
/** A broken rule is detected within this many seeds. */
const SEEDS_PER_BREAKAGE = 60;
const BREAKAGE_MAX_MS = 60_000;
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

test(
  `${SEEDS} seeds of 45 days hold every rule`,
  async () => {
    const { results, totals } = await runSeeds({ first: 1, seeds: SEEDS });
    const broken = results.flatMap(({ seed, violation }) =>
      violation === undefined
        ? []
        : [`${violation.message} (again: bun run scripts/simulate.ts --seed ${seed})`],
    );
    expect(broken).toEqual([]);
    // A case that never occurred was not checked.
    const rare = TRIED.filter((what) => (totals[what] ?? 0) < SEEDS / 10);
    expect(rare).toEqual([]);
  },
  SEEDS_MAX_MS,
);

describe('the simulation notices a product that', () => {
  for (const { does, seed, breakage, noticed } of Object.values(BREAKAGES))
    test(
      does,
      async () => {
        const { results } = await runSeeds({
          first: seed,
          seeds: SEEDS_PER_BREAKAGE,
          breakage,
          untilViolation: true,
        });
        expect(results.at(-1)?.violation?.message ?? 'no violation').toMatch(noticed);
      },
      BREAKAGE_MAX_MS,
    );
});
