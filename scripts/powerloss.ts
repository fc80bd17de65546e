/**
 * Simulates a power cut: records every write and every sync of the real executable, rebuilds the possible
 * disk contents at random moments, opens each image as the product does, and checks all acknowledged data.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Disk, STRATEGIES, type Strategy } from './proof/powerloss/disk.ts';
import { type ImageReport, type Promised, checkImage, promisedBy } from './proof/powerloss/promises.ts';
import { readTrace, straceTo, type TracedCall } from './proof/powerloss/trace.ts';
import { WORKLOAD_FLAGS, record } from './proof/powerloss/workload.ts';
import { type Random, freshSeed, randomOf } from './proof/random.ts';
import { startServer } from './proof/server.ts';
import { printTable } from './proof/table.ts';

const SHOWN_PROBLEMS = 10;

const NAMES: Readonly<Record<Strategy, string>> = {
  nothing: 'nada ficou',
  everything: 'tudo ficou',
  prefix: 'um começo, o último rasgado',
  subset: 'um subconjunto, alguns rasgados',
  sectors: 'setores quaisquer de 512 bytes',
};

const { values: options } = parseArgs({
  options: {
    cuts: { type: 'string', default: '600' },
    products: { type: 'string', default: '1200' },
    seed: { type: 'string' },
    executable: { type: 'string' },
    keep: { type: 'boolean' },
  },
});
const cuts = Number(options.cuts);
const seed = options.seed === undefined ? freshSeed() : Number(options.seed);
console.log(`powerloss: ${cuts} cortes por modo, semente ${seed}`);

interface Tally {
  cuts: number;
  promises: number;
  broken: number;
  lossy: number;
  lost: number;
}

interface Outcome {
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly calls: number;
  readonly syncs: number;
  readonly answers: number;
  readonly byStrategy: ReadonlyMap<Strategy, Tally>;
  readonly problems: readonly string[];
}

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'catp-powerloss-'));
const full = await check('FULL');
const control = await check('NORMAL');
const seconds = ((performance.now() - started) / 1000).toFixed(0);

const fullIsClean = sum(full, 'broken') === 0 && sum(full, 'lossy') === 0;
const controlLoses = sum(control, 'lossy') > 0;
console.log(`\npowerloss: ${seconds} s, semente ${seed}`);
console.log(
  fullIsClean
    ? `  synchronous=FULL: em ${sum(full, 'cuts')} cortes nenhum registro confirmado se perdeu e toda imagem abriu íntegra.`
    : `  synchronous=FULL: PERDAS em ${sum(full, 'lossy')} cortes, ${sum(full, 'broken')} imagens não íntegras.`,
);
console.log(
  controlLoses
    ? `  synchronous=NORMAL (controle): ${sum(control, 'lost')} registros confirmados perdidos em ${sum(control, 'lossy')} de ${sum(control, 'cuts')} cortes, como tem de ser: esta prova sabe achar perdas.`
    : '  synchronous=NORMAL (controle): NENHUMA perda encontrada; esta prova não prova nada.',
);
if (options.keep) console.log(`  gravações em ${folder}`);
else rmSync(folder, { recursive: true, force: true });
process.exit(fullIsClean && controlLoses ? 0 : 1);

async function check(synchronous: 'FULL' | 'NORMAL'): Promise<Outcome> {
  const calls = await recorded(synchronous);
  const outcome = replay(synchronous, calls, randomOf(seed));
  console.log(
    `\nsynchronous=${synchronous}: ${outcome.answers} respostas 2xx, ${outcome.calls} chamadas de disco, ${outcome.syncs} sincronizações`,
  );
  printTable(
    ['o que não foi sincronizado', 'cortes', 'conferidos', 'não íntegras', 'com perda', 'perdidos'],
    [...outcome.byStrategy].map(([strategy, tally]) => [
      NAMES[strategy],
      tally.cuts,
      tally.promises,
      tally.broken,
      tally.lossy,
      tally.lost,
    ]),
  );
  // A few examples of the control are enough.
  for (const problem of outcome.problems.slice(0, synchronous === 'FULL' ? SHOWN_PROBLEMS : 3))
    console.log(`  ${problem}`);
  return outcome;
}

/** Starts the executable under strace on a new folder, writes, kills it, and reads the trace. */
async function recorded(synchronous: 'FULL' | 'NORMAL'): Promise<readonly TracedCall[]> {
  const data = join(folder, synchronous, 'dados');
  mkdirSync(data, { recursive: true });
  const file = join(folder, synchronous, 'strace');
  const server = startServer({
    executable: options.executable,
    data,
    prefix: straceTo(file),
    flags: [
      ...WORKLOAD_FLAGS,
      ...(synchronous === 'FULL' ? [] : ['--synchronous', synchronous]),
      '--set',
      'log.nivel=error',
    ],
  });
  const answers = await record(server, Number(options.products));
  await fileIsQuiet(file);
  const calls = [...readTrace(readFileSync(file, 'latin1'))];
  const recordedAnswers = calls.flatMap((call) => (call.kind === 'send' ? promisedBy(call.text) : [])).length;
  // Every 2xx carries a promise, except those of signing in and of the first subscription.
  if (recordedAnswers !== answers - 1)
    throw new Error(`O cliente recebeu ${answers} confirmações; a gravação mostra ${recordedAnswers + 1}.`);
  return calls;
}

/** Waits for the tracer, which ends shortly after the traced process. */
async function fileIsQuiet(file: string): Promise<void> {
  for (let size = -1; size !== statSync(file).size; await Bun.sleep(300)) size = statSync(file).size;
}

function replay(synchronous: 'FULL' | 'NORMAL', calls: readonly TracedCall[], random: Random): Outcome {
  const root = join(folder, synchronous, 'dados');
  const disk = new Disk(root);
  const cutBehind = chosenCuts(calls, root, random);
  const promised: Promised[] = [];
  const byStrategy = new Map(STRATEGIES.map((strategy) => [strategy, emptyTally()]));
  const problems: string[] = [];
  let disks = 0;
  let syncs = 0;
  for (const [index, call] of calls.entries()) {
    if (call.kind === 'send') promised.push(...promisedBy(call.text));
    if (disk.apply(call)) {
      disks += 1;
      if (call.kind === 'sync') syncs += 1;
    }
    for (const strategy of cutBehind.get(index) ?? []) {
      const image = join(folder, 'imagem');
      disk.image(image, strategy, random);
      const report = checkImage(image, promised);
      rmSync(image, { recursive: true, force: true });
      count(byStrategy.get(strategy) ?? emptyTally(), report, promised.length);
      const [first] = [...report.broken, ...report.lost];
      if (first !== undefined && problems.length < SHOWN_PROBLEMS)
        problems.push(
          `corte depois da chamada ${index + 1} (${strategy}): ${first}${report.lost.length > 1 ? ` e mais ${report.lost.length - 1}` : ''}`,
        );
    }
  }
  return { synchronous, calls: disks, syncs, answers: promised.length, byStrategy, problems };
}

/**
 * Chooses a third anywhere, a third right after an answer, a third while pages are written to the database
 * file itself.
 */
function chosenCuts(calls: readonly TracedCall[], root: string, random: Random): Map<number, Strategy[]> {
  const database = join(root, 'catp.sqlite');
  const isOurs = (call: TracedCall): boolean =>
    call.kind !== 'send' && ('path' in call ? call.path : call.to).startsWith(root);
  const places = (wanted: (call: TracedCall) => boolean): number[] =>
    calls.flatMap((call, index) => (wanted(call) ? [index] : []));
  const kinds = [
    places(isOurs),
    places((call) => call.kind === 'send' && promisedBy(call.text).length > 0),
    places((call) => (call.kind === 'write' || call.kind === 'sync') && call.path === database),
  ].filter((problems) => problems.length > 0);
  const chosen = new Map<number, Strategy[]>();
  for (let cut = 0; cut < cuts; cut++) {
    const index = random.pick(kinds[cut % kinds.length] ?? []);
    chosen.set(index, [...(chosen.get(index) ?? []), random.pick(STRATEGIES)]);
  }
  return chosen;
}

function emptyTally(): Tally {
  return { cuts: 0, promises: 0, broken: 0, lossy: 0, lost: 0 };
}

function count(tally: Tally, { broken, lost }: ImageReport, promises: number): void {
  tally.cuts += 1;
  tally.promises += promises;
  tally.broken += broken.length > 0 ? 1 : 0;
  tally.lossy += lost.length > 0 ? 1 : 0;
  tally.lost += lost.length;
}

function sum({ byStrategy }: Outcome, member: keyof Tally): number {
  return [...byStrategy.values()].reduce((total, tally) => total + tally[member], 0);
}
