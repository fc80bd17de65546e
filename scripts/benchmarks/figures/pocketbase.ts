/**
 * POST of one product, in turn with PocketBase's create of a record from the same body: by a signed-in user on
 * both sides, and without sign-in; with the durability of catp, and with the default of PocketBase.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Side, duel, rowOf } from '../duel.ts';
import { type Bench, type Figure, type Measurement, atLeast, measured } from '../figure.ts';
import { type Program, ROOT, freePort, startCatp, startExecutable } from '../programs.ts';
import { checkedProduct } from '../products.ts';
import { medianRatio } from '../statistics.ts';
import { putTableInForce } from '../table-file.ts';

const REACH = 10;
const CONNECTIONS = 64;
const BODIES = 500;

const RECORDS = '/api/collections/products/records';
const OPEN_RECORDS = '/api/collections/open_products/records';
/** The user of pocketbase/main.go. */
const USER = { identity: 'demo@example.com', password: 'demonstration' };

const SOURCE = join(ROOT, 'scripts', 'benchmarks', 'pocketbase');
/** Built once; Go detects changed sources automatically. */
const BUILT = join(ROOT, '.tools', 'pocketbase', 'pocketbase');

export const pocketbase: Figure = {
  name: 'duel',
  about: 'a mesma inclusão de um usuário que entrou, ao lado do create do PocketBase',
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
    const sides = [
      sideOf('catp, usuário que entrou', catp, '/catp/api/ext/produto/12345678', await catp.signIn('demo')),
      sideOf('PocketBase, usuário que entrou, synchronous=FULL', safe, RECORDS, await tokensOf(safe)),
      sideOf('PocketBase, usuário que entrou, como vem', shipped, RECORDS, await tokensOf(shipped)),
      sideOf('PocketBase, qualquer um, synchronous=FULL', safe, OPEN_RECORDS),
      sideOf('PocketBase, qualquer um, como vem', shipped, OPEN_RECORDS),
    ] as const;
    const rounds = await duel(bench, sides);
    const [ours, theirs, ...others] = rounds.map((side) =>
      side.map(({ requestsPerSecond }) => requestsPerSecond),
    ) as [number[], number[], ...number[][]];
    const quotients = others.map(
      (requests, at) => `${medianRatio(ours, requests).toFixed(1)} × de ${sides[at + 2]?.name}`,
    );
    return measured(
      atLeast(medianRatio(ours, theirs), REACH),
      sides.map((side, at) => rowOf(side, rounds[at] ?? [], 'requests')),
      { notes: [`${quotients.join('; ')}; como vem, uma queda de energia o faz perder o confirmado`] },
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

async function tokensOf({ url }: Program): Promise<{ readonly Authorization: string }> {
  const answer = await fetch(`${url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(USER),
  });
  const { token } = (await answer.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`PocketBase let nobody in: ${answer.status}`);
  return { Authorization: token };
}
