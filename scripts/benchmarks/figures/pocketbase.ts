/**
 * POST of one product, in turn with PocketBase's create of a record from the same body: with our durability,
 * and with its default.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Round, type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atLeast, measured } from '../figure.ts';
import { type Program, ROOT, freePort, startCatp, startExecutable } from '../programs.ts';
import { checkedProduct } from '../products.ts';
import { medianRatio } from '../statistics.ts';
import { putTableInForce } from '../table-file.ts';

const REACH = 10;
const CONNECTIONS = 64;
const BODIES = 500;

const SOURCE = join(ROOT, 'scripts', 'benchmarks', 'pocketbase');
/** Built once; Go detects changed sources automatically. */
const BUILT = join(ROOT, '.tools', 'pocketbase', 'pocketbase');

export const pocketbase: Figure = {
  name: 'duel',
  about: 'a mesma inclusão, ao lado do create do PocketBase',
  isLong: true,
  lacks: () => (Bun.which('go') === null ? 'não há Go para compilar o PocketBase' : undefined),
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  bench.say('  compilando o PocketBase (dois minutos, na primeira vez)');
  const built = Bun.spawnSync(['go', 'build', '-o', BUILT, '.'], { cwd: SOURCE, stderr: 'inherit' });
  if (!built.success) throw new Error('O PocketBase não pôde ser compilado.');
  const [safe, shipped] = await Promise.all([
    startPocketBase(bench, 'FULL'),
    startPocketBase(bench, 'NORMAL'),
  ]);
  const catp = await startCatp(join(bench.scratch, 'duel'));
  try {
    await putTableInForce(catp, { full: !bench.quick });
    const bodies = Array.from({ length: BODIES }, (_, index) => JSON.stringify(checkedProduct(index)));
    const sideOf = (name: string, { url, pid }: Program, path: string, tokens: object = {}): Side => {
      const headers = { ...tokens, 'Content-Type': 'application/json' };
      const requests = bodies.map((body) => ({ method: 'POST' as const, path, body }));
      return { name, pid, plan: { url, headers, requests, connections: CONNECTIONS } };
    };
    const records = '/api/collections/products/records';
    const sides = [
      sideOf('catp', catp, '/catp/api/ext/produto/12345678', await catp.signIn('demo')),
      sideOf('PocketBase, synchronous=FULL', safe, records),
      sideOf('PocketBase, como vem', shipped, records),
    ] as const;
    const [ours, theirs, unsafe] = await duel(bench, sides);
    const requests = (rounds: readonly Round[]) => rounds.map(({ requestsPerSecond }) => requestsPerSecond);
    return measured(
      atLeast(medianRatio(requests(ours), requests(theirs)), REACH),
      [
        rowOf(sides[0], ours, 'requests'),
        rowOf(sides[1], theirs, 'requests'),
        rowOf(sides[2], unsafe, 'requests'),
      ],
      {
        notes: [
          `${medianRatio(requests(ours), requests(unsafe)).toFixed(1)} × de um PocketBase como vem, que uma queda de energia faz perder o confirmado`,
        ],
      },
    );
  } finally {
    await Promise.all([catp.stop(), safe.stop(), shipped.stop()]);
  }
}

function startPocketBase(bench: Bench, synchronous: 'FULL' | 'NORMAL'): Promise<Program> {
  const folder = join(bench.scratch, `pocketbase-${synchronous}`);
  mkdirSync(folder);
  return startExecutable(BUILT, [folder, String(freePort()), synchronous]);
}
