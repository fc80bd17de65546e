/**
 * Runs the simulation of deliveries on any number of seeds, or on one again:
 *   bun run scripts/simulate.ts --seeds 1000
 *   bun run scripts/simulate.ts --seed 42
 *   bun run scripts/simulate.ts --seeds 50 --break forgets-failures
 */
import { parseArgs } from 'node:util';
import { BREAKAGES } from '../test/simulation/breakages.ts';
import { runSeeds } from '../test/simulation/seeds.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    break: { type: 'string' },
  },
});

const first = Number(values.seed ?? values.from);
const seeds = values.seed === undefined ? Number(values.seeds) : 1;
const breakage = values.break === undefined ? undefined : BREAKAGES[values.break];
if (values.break !== undefined && breakage === undefined) {
  console.error(`there is no breakage ${values.break}; there are: ${Object.keys(BREAKAGES).join(', ')}`);
  process.exit(2);
}

const started = performance.now();
const { results, totals } = await runSeeds({
  first,
  seeds,
  ...(breakage && { breakage: breakage.breakage }),
});
const failed = results.filter(({ violation }) => violation !== undefined);
for (const { seed, violation, trace } of failed) {
  if (values.seed !== undefined) console.log(trace.join('\n'));
  console.log(`seed ${seed}: ${violation?.message}\n  again: bun run scripts/simulate.ts --seed ${seed}`);
}
console.log(JSON.stringify(totals));
console.log(
  `${results.length - failed.length} of ${seeds} seeds held, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exit(failed.length > 0 ? 1 : 0);
