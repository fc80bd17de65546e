/** All deadlines of a company whose NCMs all change on the same day; and the effect on a look-up. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../commands.ts';
import { copiedFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { type Catp, startCatp } from '../programs.ts';
import { median, percentile } from '../statistics.ts';
import { lookUpsWhile } from '../while.ts';

const REACH_MS = 2000;
/** The maximum wait for a page of the interface (contract section 24). */
const GET_P99_MS = 500;
const EXPECTED_NCMS = 10_000;

export const deadlines: Figure = {
  name: 'deadlines',
  about: 'prazos de 10 500 NCMs que mudam no mesmo dia',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const one = await measureWith('one', bench);
  const three = await measureWith('three', bench);
  const p99 = percentile([...one.lookUps, ...three.lookUps], 99);
  return measured(
    atMost(median(one.whole), REACH_MS),
    [
      { side: 'GET deadlines', unit: 'ms', samples: one.whole },
      { side: 'com três tabelas', unit: 'ms', samples: three.whole },
      { side: 'GET durante', unit: 'ms', samples: [...one.lookUps, ...three.lookUps], p99Ms: p99 },
    ],
    {
      further: { threeTables: atMost(median(three.whole), REACH_MS), getP99: atMost(p99, GET_P99_MS) },
      notes: [`${one.products} produtos, ${one.found} prazos`],
    },
  );
}

/** `three`: the table in force has replaced another, and a future one follows. */
async function measureWith(tables: 'one' | 'three', bench: Bench) {
  const { folder, products } = await copiedFolder(bench, 'hundredThousand');
  await timed([process.execPath, 'run', join(import.meta.dir, '..', 'deadline-table.ts'), folder, tables]);
  const catp = await startCatp(folder);
  try {
    const headers = { ...(await catp.signIn('demo')) };
    const [whole, lookUps]: [number[], number[]] = [[], []];
    let count = 0;
    const ask = () => get(catp, '/appliance/api/deadlines?cpfCnpjRaiz=12345678&limit=500', headers);
    // Look-ups without a pause take one core on each side: the duration is measured without them.
    for (let round = 0; round < bench.rounds; round += 1) {
      const started = performance.now();
      count = ((await ask()) as { total: number }).total;
      whole.push(performance.now() - started);
      lookUps.push(...(await lookUpsWhile(ask(), catp, headers)));
    }
    if (!bench.quick && count < EXPECTED_NCMS) throw new Error(`${count} deadlines were found.`);
    return { whole, lookUps, found: count, products };
  } finally {
    await catp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Headers = Readonly<Record<string, string>>;

async function get(catp: Catp, path: string, headers: Headers): Promise<unknown> {
  const answer = await fetch(catp.url + path, { headers });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status}`);
  return answer.json();
}
