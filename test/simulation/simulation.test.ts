/**
 * The rules of delivery over simulated months (contract section 10). More seeds: test/property, and
 * `bun run scripts/simulate.ts --seeds N`.
 */
import { describe, expect, test } from 'bun:test';
import { BREAKAGES } from './breakages.ts';
import { FAST_SEEDS, expectRulesHold } from './rules.ts';
import { runSeeds } from './seeds.ts';

const SEEDS_MAX_MS = 120_000;
const BREAKAGE_MAX_MS = 60_000;

test(
  `${FAST_SEEDS} seeds of 45 days hold every rule`,
  () => expectRulesHold({ first: 1, seeds: FAST_SEEDS }),
  SEEDS_MAX_MS,
);

describe('the simulation notices a product that', () => {
  for (const { does, seed, breakage, noticed } of Object.values(BREAKAGES))
    test(
      does,
      async () => {
        const { results } = await runSeeds({
          first: seed,
          seeds: FAST_SEEDS,
          breakage,
          untilViolation: true,
        });
        expect(results.at(-1)?.violation?.message ?? 'no violation').toMatch(noticed);
      },
      BREAKAGE_MAX_MS,
    );
});
