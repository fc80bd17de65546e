/**
 * The effect on look-ups of a backup that runs next to the server, as `catp backup` and the nightly job run
 * it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, executable, startCatp } from '../programs.ts';
import { median } from '../statistics.ts';
import { randomReads } from '../traffic.ts';
import { p99While } from '../while.ts';
import { type LoadPlan, runWrk } from '../wrk.ts';

/** Contract section 16, through issue 10: the p99 of a GET at most doubles. */
const REACH = 2;
/** The same as in `exportProducts`: a few clients; more would only queue. */
const CONNECTIONS = 4;
/** Several loads fit into one backup. */
const LOAD_SECONDS = 2;
const MOST_ROUNDS = 3;

export const backupReads: Figure = {
  name: 'backupReads',
  about: 'p99 de um GET enquanto se faz uma cópia de segurança',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'fourHundredThousand');
  const catp = await startCatp(data.folder);
  try {
    const plan = await lookUps(catp, data.products);
    const load = () => runWrk(bench.scratch, plan);
    await load();
    const [ratios, alone, meanwhile, took]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
      // Before and after: the speed of the machine may have changed during the backup.
      const before = (await load()).p99Ms;
      const started = performance.now();
      const during = median(await p99While(backup(bench, data.folder), load));
      took.push(performance.now() - started);
      const idle = (before + (await load()).p99Ms) / 2;
      alone.push(idle);
      meanwhile.push(during);
      ratios.push(during / idle);
      bench.say(`  p99 sem ${idle.toFixed(2)} ms, durante ${during.toFixed(2)} ms`);
    }
    return measured(
      atMost(median(ratios), REACH),
      [
        { side: 'GET durante a cópia', unit: 'ms p99', samples: meanwhile },
        { side: 'GET sem ela', unit: 'ms p99', samples: alone },
        { side: 'cópia', unit: 'ms', samples: took },
      ],
      { notes: [`${data.products} produtos`] },
    );
  } finally {
    await catp.stop();
  }
}

async function backup(bench: Bench, folder: string): Promise<void> {
  const to = join(bench.scratch, 'backups');
  await timed([executable(), 'backup', '--data', folder, '--to', to]);
  rmSync(to, { recursive: true });
}

async function lookUps(catp: Catp, products: number): Promise<LoadPlan> {
  return {
    url: catp.url,
    headers: { ...(await catp.signIn('demo')) },
    requests: randomReads(products),
    connections: CONNECTIONS,
    seconds: LOAD_SECONDS,
  };
}
