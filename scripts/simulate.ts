/**
 * Runs the simulation of deliveries on any number of seeds, or on one again; with `--remote`, that of sending to a remote:
 *   bun run scripts/simulate.ts --seeds 1000
 *   bun run scripts/simulate.ts --seed 42
 *   bun run scripts/simulate.ts --seeds 50 --break forgets-failures
 *   bun run scripts/simulate.ts --remote --seeds 200
 *   bun run scripts/simulate.ts --remote --seeds 50 --break repeats
 */
import { parseArgs } from 'node:util';
import { simulateSending } from '../test/remote/sending-world.ts';
import { BREAKAGES } from '../test/simulation/breakages.ts';
import { eachSeed, runSeeds } from '../test/simulation/seeds.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    break: { type: 'string' },
    remote: { type: 'boolean', default: false },
  },
});

const first = Number(values.seed ?? values.from);
const seeds = values.seed === undefined ? Number(values.seeds) : 1;
const breakages = values.remote ? ['repeats'] : Object.keys(BREAKAGES);
if (values.break !== undefined && !breakages.includes(values.break)) {
  console.error(`there is no breakage ${values.break}; there are: ${breakages.join(', ')}`);
  process.exit(2);
}
const breakage = BREAKAGES[values.break ?? '']?.breakage;

const started = performance.now();
const { results, totals } = values.remote
  ? await eachSeed({ first, seeds }, (seed) => simulateSending(seed, { repeats: values.break === 'repeats' }))
  : await runSeeds({ first, seeds, ...(breakage && { breakage }) });
const again = [
  'bun run scripts/simulate.ts',
  ...(values.remote ? ['--remote'] : []),
  ...(values.break === undefined ? [] : ['--break', values.break]),
].join(' ');
const failed = results.filter(({ violation }) => violation !== undefined);
for (const { seed, violation, trace } of failed) {
  if (values.seed !== undefined) console.log(trace.join('\n'));
  console.log(`seed ${seed}: ${violation?.message}\n  again: ${again} --seed ${seed}`);
}
console.log(JSON.stringify(totals));
console.log(
  `${results.length - failed.length} of ${seeds} seeds held, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exit(failed.length > 0 ? 1 : 0);
