/** The costs that must not grow: their measurement and their ceilings. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cpuTimed } from './commands.ts';
import { copiedFolder } from './data.ts';
import { type Round, type Side, duel } from './duel.ts';
import { embeddedModules } from '../packaging/embedded-packages.ts';
import type { Bench } from './figure.ts';
import { cpuMs } from './machine.ts';
import {
  type Program,
  ROOT,
  compileBaseline,
  executable,
  makeFolder,
  startBaseline,
  startCatp,
  startExecutable,
} from './programs.ts';
import { checkedProduct } from './products.ts';
import { firstAnswer, serving } from './starting.ts';
import { putTableInForce } from './table-file.ts';
import { randomReads, shortLists } from './traffic.ts';

/**
 * Costs as multiples of the bare program, except for the modules. `mark`: the cost to reach. `ceiling`: the
 * mark, or the cost of today where it misses the mark. Lower the ceiling with each improvement; never raise
 * it. The ceilings of 1/12/2026 are of two processors at a load of 2 to 19.
 */
export const GUARDED = [
  { name: 'modules', about: 'módulos avaliados por catp serve', mark: 900, ceiling: 855 },
  { name: 'start', about: 'CPU da thread principal até o primeiro 200', mark: 8, ceiling: 11.2 },
  { name: 'version', about: 'CPU de catp --version, ao início do programa nu', mark: 2.6, ceiling: 2.6 },
  { name: 'post', about: 'CPU da thread principal por POST', mark: 3.33, ceiling: 4.3 },
  { name: 'get', about: 'CPU da thread principal por GET', mark: 2, ceiling: 2.2 },
  { name: 'list', about: 'CPU de uma lista curta, ao GET do programa nu', mark: 11, ceiling: 9.2 },
] as const;

type Name = (typeof GUARDED)[number]['name'];
/** The cost of each round. */
export type Costs = Readonly<Record<Name, readonly number[]>>;

const CONNECTIONS = 64;
const BODIES = 500;
const READS = 2000;
/**
 * Warm-up: the runtime compiles frequent code, so the first ten thousand requests cost half as much again.
 */
const WARM_UP_SECONDS = 6;
const PRODUCTS_PATH = '/catp/api/ext/produto/12345678';
/**
 * Number of short samples of a processor time. Other work only adds to it, so the lowest sample is the least
 * disturbed. The sides are measured in turn, so that a longer disturbance affects every side.
 */
const SAMPLES = 3;

async function lowest(sample: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < SAMPLES; turn += 1) least = Math.min(least, await sample());
  return least;
}

export async function startCosts(bench: Bench): Promise<Pick<Costs, 'modules' | 'start' | 'version'>> {
  const bare = await compileBaseline('hello', bench.scratch);
  const data = join(bench.scratch, 'guard-start');
  await makeFolder(data);
  const [start, version]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    const theirs = await lowest(async () => (await firstAnswer(() => [bare], '/')).mainMs);
    const ours = await lowest(async () => (await firstAnswer(serving(data), '/healthz')).mainMs);
    const print = await lowest(async () => (await cpuTimed([executable(), '--version'])).cpuMs);
    bench.say(`  ${theirs.toFixed(1)} ms nu, ${ours.toFixed(1)} ms catp, ${print.toFixed(1)} ms --version`);
    start.push(ours / theirs);
    version.push(print / theirs);
  }
  return { modules: [await modulesOf(bench, data)], start, version };
}

/**
 * Counts the modules that a server has evaluated when it is ready. It runs from the sources: modules that the
 * bundler leaves out of the executable do not count.
 */
async function modulesOf(bench: Bench, data: string): Promise<number> {
  const file = join(bench.scratch, 'modules');
  const preload = join(import.meta.dir, 'count-modules.ts');
  const args = ['--preload', preload, join(ROOT, 'src', 'main.ts'), 'serve', '--port', '0', '--data', data];
  const server = await startExecutable(process.execPath, args, { MODULES_FILE: file });
  await server.stop();
  const embedded = await embeddedModules();
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((path) => embedded.has(relative(ROOT, path))).length;
}

export async function requestCosts(bench: Bench): Promise<Pick<Costs, 'post' | 'get' | 'list'>> {
  const { folder: copy, products } = await copiedFolder(bench, 'hundredThousand');
  const [insertFolder, selectFolder] = [join(bench.scratch, 'insert'), join(bench.scratch, 'select')];
  for (const folder of [insertFolder, selectFolder]) mkdirSync(folder);
  const select = await startBaseline('select', [selectFolder, join(copy, 'catp.sqlite')]);
  const insert = await startBaseline('insert', [insertFolder]);
  const catp = await startCatp(copy);
  try {
    await putTableInForce(catp, { full: false });
    await untilIdle(catp.pid);
    const headers = { ...(await catp.signIn('demo')), 'Content-Type': 'application/json' };
    const sideOf = ({ url, pid }: Program, name: string, requests: Side['plan']['requests']): Side => ({
      name,
      pid,
      plan: { url, headers, requests, connections: CONNECTIONS },
    });
    const reads = randomReads(products).slice(0, READS);
    const inclusions = Array.from({ length: BODIES }, (_, index) => ({
      method: 'POST' as const,
      path: PRODUCTS_PATH,
      body: JSON.stringify(checkedProduct(index)),
    }));
    const sides = [
      sideOf(catp, 'GET', reads),
      sideOf(catp, 'lista', shortLists()),
      sideOf(select, 'GET nu', reads),
      sideOf(catp, 'POST', inclusions),
      sideOf(insert, 'POST nu', inclusions),
    ] as const;
    const samples = { ...bench, rounds: bench.rounds * SAMPLES };
    const [get, list, bareGet, post, barePost] = await duel(samples, sides, WARM_UP_SECONDS);
    const main = (side: readonly Round[]) => leastOfRounds(side.map(({ mainUs }) => mainUs));
    const all = (side: readonly Round[]) => leastOfRounds(side.map(({ cpuUs }) => cpuUs));
    return {
      post: quotients(main(post), main(barePost)),
      get: quotients(main(get), main(bareGet)),
      list: quotients(all(list), main(bareGet)),
    };
  } finally {
    await Promise.all([catp.stop(), select.stop(), insert.stop()]);
  }
}

/** Resolves when the server rests: a table that enters into force is followed by a sweep of all products. */
async function untilIdle(pid: number): Promise<void> {
  for (let before = -Infinity, now = cpuMs(pid); now - before > IDLE_MS; now = cpuMs(pid)) {
    before = now;
    await Bun.sleep(PAUSE_MS);
  }
}

/** Processor time of an idle server in a pause. */
const IDLE_MS = 20;
const PAUSE_MS = 500;

/** Returns the lowest sample of each round. */
const leastOfRounds = (samples: readonly number[]): number[] =>
  Array.from({ length: samples.length / SAMPLES }, (_, round) =>
    Math.min(...samples.slice(round * SAMPLES, (round + 1) * SAMPLES)),
  );

const quotients = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((cost, round) => cost / (theirs[round] ?? Number.NaN));
