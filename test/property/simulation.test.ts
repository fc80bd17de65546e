/** More seeds than the fast tests of the simulation run (contract section 10). */
import { test } from 'bun:test';
import { FAST_SEEDS, expectRulesHold } from '../simulation/rules.ts';

const SEEDS = 300;
const SEEDS_MAX_MS = 240_000;

test(
  `the other ones of ${SEEDS} seeds of 45 days hold every rule`,
  () => expectRulesHold({ first: FAST_SEEDS + 1, seeds: SEEDS - FAST_SEEDS }),
  SEEDS_MAX_MS,
);
