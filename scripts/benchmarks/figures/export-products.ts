/**
 * The export of a whole catalogue, compared with `zip` over the finished file; and the effect on look-ups.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { forgetPeak, peakMib } from '../machine.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median, medianRatio } from '../statistics.ts';
import { p99While } from '../while.ts';
import { type LoadPlan, runWrk } from '../wrk.ts';

const REACH = 3;
const MEMORY_MIB = 250;
const P99_TIMES = 5;
const MOST_ROUNDS = 2;
/** A few clients that look things up; more would only queue. */
const CONNECTIONS = 4;
const LOOKED_UP = 500;

export const exportProducts: Figure = {
  name: 'exportProducts',
  about: 'exportação de um catálogo inteiro para zip',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const data = await dataFolder(bench, 'million');
  const catp = await startCatp(data.folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    const zip = join(bench.scratch, 'export.zip');
    const [ours, theirs]: [number[], number[]] = [[], []];
    forgetPeak(catp.pid);
    for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
      ours.push(await download(catp, headers, zip));
      theirs.push(await zipAgain(bench, zip));
      bench.say(`  catp ${Math.round(ours.at(-1) ?? 0)} ms, zip ${Math.round(theirs.at(-1) ?? 0)} ms`);
    }
    const peak = peakMib(catp.pid);
    const plan = lookUps(catp, headers, bench.seconds);
    const idle = await runWrk(bench.scratch, plan);
    const samples = await p99While(download(catp, headers, zip), () => runWrk(bench.scratch, plan));
    rmSync(zip);
    return measured(
      atMost(medianRatio(ours, theirs), REACH),
      [
        { side: 'catp', unit: 'ms', samples: ours, peakMib: peak },
        { side: 'zip', unit: 'ms', samples: theirs },
        { side: 'GET sem exportação', unit: 'ms p99', samples: [idle.p99Ms] },
        { side: 'GET durante', unit: 'ms p99', samples },
      ],
      {
        further: {
          memoryMib: atMost(peak, MEMORY_MIB),
          getP99: atMost(median(samples) / idle.p99Ms, P99_TIMES),
        },
        notes: [`${data.products} produtos`],
      },
    );
  } finally {
    await catp.stop();
  }
}

type Headers = Readonly<Record<string, string>>;

/** Downloads the export to a file. Returns milliseconds. */
async function download(catp: Catp, headers: Headers, file: string): Promise<number> {
  const started = performance.now();
  const path = '/catp/api/ext/produto/exportar/12345678/true';
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  await timed(['curl', '-sSf', ...fields, '-o', file, `${catp.url}${path}`]);
  return performance.now() - started;
}

/** Unpacks the export and packs it again with zip. Returns the milliseconds of the packing alone. */
async function zipAgain(bench: Bench, zip: string): Promise<number> {
  const [ready, packed] = [join(bench.scratch, 'ready.json'), join(bench.scratch, 'packed.zip')];
  await timed(['unzip', '-p', zip], { stdout: ready });
  const took = await timed(['zip', '-q', '-j', packed, ready]);
  rmSync(ready);
  rmSync(packed);
  return took;
}

function lookUps(catp: Catp, headers: Headers, seconds: number): LoadPlan {
  const requests = Array.from({ length: LOOKED_UP }, (_, index) => ({
    method: 'GET' as const,
    path: `/catp/api/ext/produto/12345678/${1 + index}/1`,
  }));
  return { url: catp.url, headers, requests, connections: CONNECTIONS, seconds };
}
