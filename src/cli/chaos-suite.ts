/**
 * `catp chaos`: runs an unchanged test suite once without faults and then once under each ready set of them.
 * An environment variable names the set, and `start` of the packages reads it (docs: suites-de-teste).
 */
import type { Command } from 'commander';
import { REAL_TIME, SECOND_MS } from '../clock.ts';
import { CHAOS_SET_NAMES, type ChaosSetName } from '../dev/fault/model.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { shown } from '../validation/shown.ts';
import { counted } from '../validation/text.ts';
import { CHAOS_LIST, SEED_DOMAIN, isSeed } from './chaos.ts';
import { fallenTests } from './fallen-tests.ts';
import { say } from './folder-command.ts';
import { command } from './command.ts';
import { collect } from './options.ts';
import { printTable } from './table.ts';

/** The name does not begin with `CATP_`, the prefix of settings. */
const VARIABLE = 'CAOS';
/** The last lines shown of a suite whose output names no failed test. */
const LAST_LINES = 20;

interface ChaosFlags {
  readonly seed: string;
  readonly set: readonly string[];
}

const HELP = `
Por exemplo:
  catp chaos -- node --test
  catp chaos --set respostas-perdidas -- pytest -q
  catp chaos --seed 8 -- mvn -o test

A variável ${VARIABLE} diz à suíte a semente e o conjunto, como 1:tudo, e o start dos
pacotes npm, wheel e jar a lê. Os conjuntos: catp dev --chaos ${CHAOS_LIST}.`;

export function chaosCommand(): Command {
  return command(
    'chaos',
    'roda uma suíte de testes sob cada conjunto de falhas, e diz que testes caíram',
    'Código de saída: 0 passou sob todos, 1 caiu sob algum ou já sem falhas,\n2 comando inválido.',
  )
    .argument('<comando...>', 'o que roda a suíte, depois de --')
    .option('--seed <semente>', `o que decide o sorteio: ${SEED_DOMAIN}`, '1')
    .option('--set <conjunto>', 'só sob esse conjunto; repetível', collect, [])
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], flags: ChaosFlags) => {
      process.exitCode = await runUnderEach(words, flags);
    });
}

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Returns the exit code. */
async function runUnderEach(words: readonly string[], { seed, set }: ChaosFlags): Promise<number> {
  if (!isSeed(seed)) throw new UsageError(`--seed: recebido ${shown(seed)}; aceita ${SEED_DOMAIN}.`);
  const sets = set.length === 0 ? CHAOS_SET_NAMES : set.map(setNamed);
  const calm = await reported('sem falhas', () => run(words, ''));
  if (calm.code !== 0)
    throw new OperatorError(
      `a suíte já cai sem falha nenhuma (código ${calm.code}); sob falhas nada se saberia dela.\n${lastOf(calm)}`,
    );
  const rows: { conjunto: string; suite: string; teste: string }[] = [];
  const unnamed: string[] = [];
  const fell: string[] = [];
  for (const conjunto of sets) {
    const ran = await reported(conjunto, () => run(words, `${seed}:${conjunto}`));
    const fallen = ran.code === 0 ? [] : fallenTests(ran.output);
    if (ran.code !== 0) fell.push(conjunto);
    if (ran.code === 0) rows.push({ conjunto, suite: 'passou', teste: '' });
    else if (fallen.length > 0) rows.push(...fallen.map((teste) => ({ conjunto, suite: 'caiu', teste })));
    else {
      rows.push({ conjunto, suite: 'caiu', teste: `(código ${ran.code})` });
      unnamed.push(`\n${conjunto}, o fim do que a suíte disse:\n${lastOf(ran)}`);
    }
  }
  printTable(rows);
  for (const one of unnamed) say(one);
  say(`\nA suíte caiu sob ${fell.length} de ${counted(sets.length, 'conjunto')}. ${adviceFor(fell, seed)}`);
  return fell.length === 0 ? 0 : 1;
}

const adviceFor = ([first]: readonly string[], seed: string): string =>
  first === undefined
    ? `Se ela não começa a instância por start de um dos pacotes, nem lê ${VARIABLE}, nada foi sorteado.`
    : `Para ver tudo o que ela diz, rode-a com ${VARIABLE}=${seed}:${first} no ambiente.`;

function setNamed(word: string): ChaosSetName {
  const setName = CHAOS_SET_NAMES.find((name) => name === word);
  if (setName !== undefined) return setName;
  throw new UsageError(`--set: recebido ${shown(word)}; aceita ${CHAOS_SET_NAMES.join(', ')}.`);
}

/** Prints a progress line to standard error. Only the table goes to standard output. */
async function reported(name: string, act: () => Promise<Run>): Promise<Run> {
  const began = REAL_TIME.now();
  const ran = await act();
  const seconds = Math.round((REAL_TIME.now() - began) / SECOND_MS);
  process.stderr.write(`catp chaos: ${name}: ${ran.code === 0 ? 'passou' : 'caiu'}, em ${seconds} s\n`);
  return ran;
}

async function run([program = '', ...rest]: readonly string[], chaos: string): Promise<Run> {
  const executable = Bun.which(program);
  if (executable === null)
    throw new UsageError(`não há programa ${shown(program)}; o que roda a suíte vem depois de --.`);
  const child = Bun.spawn([executable, ...rest], {
    env: { ...Bun.env, [VARIABLE]: chaos, NO_COLOR: '1' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const outputs = await Promise.all([child.stdout, child.stderr].map((one) => new Response(one).text()));
  return { code: await child.exited, output: outputs.join('\n') };
}

const lastOf = ({ output }: Run): string => output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
