/**
 * Time from spawn to the first 200, compared with a bare executable: with a new folder, and with a large
 * catalogue.
 */
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { compileBaseline, makeFolder } from '../programs.ts';
import { developing, firstAnswer, serving } from '../starting.ts';
import { medianRatio } from '../statistics.ts';

/**
 * Milliseconds differ between machines; the number of bare executables that start in the same time differs
 * less.
 */
const REACH = 6;
const STARTS_PER_ROUND = 3;

export const start: Figure = { name: 'start', about: 'do início do processo ao primeiro 200', measure };

async function measure(bench: Bench): Promise<Measurement> {
  const large = await dataFolder(bench, 'million');
  const bare = await compileBaseline('hello', bench.scratch);
  const empty = join(bench.scratch, 'start-empty');
  await makeFolder(empty);
  const times = { empty: [] as number[], large: [] as number[], bare: [] as number[], fresh: [] as number[] };
  for (let turn = 0; turn < bench.rounds * STARTS_PER_ROUND; turn += 1) {
    times.bare.push((await firstAnswer(() => [bare], '/')).ms);
    times.empty.push((await firstAnswer(serving(empty), '/healthz')).ms);
    times.large.push((await firstAnswer(serving(large.folder), '/healthz')).ms);
    times.fresh.push((await firstAnswer(developing(join(bench.scratch, `start-${turn}`)), '/healthz')).ms);
  }
  const ratio = (samples: readonly number[]): number => medianRatio(samples, times.bare);
  const row = (side: string, samples: readonly number[]) => ({ side, unit: 'ms', samples });
  return measured(
    atMost(ratio(times.empty), REACH),
    [
      row('vazio', times.empty),
      row(`${large.products} produtos`, times.large),
      row('pasta nova', times.fresh),
      row('Bun.serve', times.bare),
    ],
    {
      further: { large: atMost(ratio(times.large), REACH) },
      notes: ['"pasta nova" é catp dev, inclui criar banco, chaves e usuários, e não tem meta'],
    },
  );
}
