/** Runs the steps of scripts/test in order and adds up the passed and failed tests. */
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const ROOT = dirname(import.meta.dir);
const BIN = 'node_modules/.bin';
/** Timeout of a test. bunfig.toml cannot set it, and a busy machine needs more than the default of 5 s. */
const TEST_TIMEOUT_MS = 120_000;
/** The slowest files start first, by the durations of the last run. */
const TIMINGS = ['--timings=.tools/timings.json', '--update-timings'];
/**
 * Wait for output after the end of a runner: processes of a dead runner may keep its output open for ever.
 */
const LAST_WORDS_MS = 2000;

/**
 * Tests that the fast tier leaves out: tests of the executable, of other platforms, of scripts with
 * processes, and tests that repeat for minutes with random input.
 */
const SLOW = ['executable/**', 'scripts/**', 'property/**', 'hostile/**', 'contract/{schemathesis,strict}*'];

const words = process.argv.slice(2);
const outcomes =
  words.length === 0 || words[0] === '--all' ? await tier(words[0] === '--all') : [await tests(words)];

const sum = (of: keyof Outcome): number => outcomes.reduce((total, outcome) => total + outcome[of], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

async function tier(isWhole: boolean): Promise<Outcome[]> {
  // Each step uses one core. The formatter takes as long as the other steps together.
  const checks = await Promise.all([
    steps([['formato', [`${BIN}/prettier`, '--check', '--log-level=warn', '.']]]),
    steps([
      ['lint', ['bun', 'run', 'lint']],
      ['tipos', ['bun', 'run', 'types']],
      ...(isWhole ? [['executável', ['bun', 'run', 'build']] as const] : []),
    ]),
  ]);
  return [
    ...checks.flat(),
    ...(isWhole ? [await costs()] : []),
    await (isWhole
      ? // One more than cores: many of these tests wait for another process.
        tests(TIMINGS, availableParallelism() + 1)
      : tests([...TIMINGS, ...SLOW.map((files) => `--path-ignore-patterns=test/${files}`)])),
  ];
}

async function steps(
  commands: readonly (readonly [name: string, command: readonly string[]])[],
): Promise<Outcome[]> {
  const results: Outcome[] = [];
  for (const [name, command] of commands) results.push(await step(name, command));
  return results;
}

/** Measures the processor time of common requests while no test runs in parallel. */
async function costs(): Promise<Outcome> {
  if (process.platform === 'linux' && Bun.which('wrk') !== null)
    return step('custo em CPU', ['bun', 'run', 'scripts/benchmarks/guard.ts']);
  console.log('PULADO: custo em CPU: mede-se em Linux com o wrk');
  return { passed: 0, failed: 0, skipped: 1 };
}

async function step(name: string, command: readonly string[]): Promise<Outcome> {
  const { exitCode, seconds } = await run(command);
  const good = exitCode === 0;
  console.log(`${good ? '✓' : '✗'} ${name} (${seconds} s)`);
  return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 };
}

/**
 * Runs files in parallel processes, one per core by default. The files of a process share its modules: to load
 * and compile them for each file takes a third of the processor time. Each test still has its own folder, clock
 * and ports.
 */
async function tests(words: readonly string[], processes = availableParallelism()): Promise<Outcome> {
  const { exitCode, seconds, output } = await run([
    'bun',
    'test',
    `--parallel=${processes}`,
    '--no-isolate',
    `--timeout=${TEST_TIMEOUT_MS}`,
    ...words,
  ]);
  const counted = { passed: lastCount(output, 'pass'), failed: lastCount(output, 'fail') };
  // `bun test` lists failed tests at its end, but not the errors outside of a test, which are far above.
  const errors = errorsOutsideTests(output);
  for (const error of errors) console.log(`✗ ${error}`);
  const failures = (counted.failed ?? 0) + errors.length;
  // A run that dies before its summary, or fails without naming a failure, counts as one failure.
  const silent = counted.passed === undefined || (exitCode !== 0 && failures === 0);
  const outcome = {
    passed: counted.passed ?? 0,
    failed: failures + (silent ? 1 : 0),
    // A planned test (`todo`) counts as skipped.
    skipped: (lastCount(output, 'skip') ?? 0) + (lastCount(output, 'todo') ?? 0),
  };
  if (silent) console.log(`✗ bun test terminou com o código ${exitCode} sem dizer qual teste falhou`);
  console.log(`${outcome.failed === 0 ? '✓' : '✗'} testes (${seconds} s)`);
  return outcome;
}

/**
 * Returns the errors that a module or a hook threw, or a test after its end. Each comes with the file whose
 * name `bun test` printed last, which sometimes is the previous file.
 */
function errorsOutsideTests(output: string): string[] {
  const [first = '', ...later] = output.split('\n# Unhandled error between tests\n');
  const errors: string[] = [];
  let before = first;
  for (const part of later) {
    const file = /^(\S+\.test\.tsx?):$/gm;
    const name = [...before.matchAll(file)].at(-1)?.[1];
    const [, text = ''] = part.split(/^-{20,}$/m);
    errors.push(`fora de um teste${name === undefined ? '' : `, perto de ${name}`}:\n${text.trim()}`);
    before = part;
  }
  return errors;
}

/**
 * Returns the last ` N pass` (or another word) of the summary of `bun test`; `undefined` without a summary.
 */
function lastCount(output: string, word: 'pass' | 'fail' | 'skip' | 'todo'): number | undefined {
  const last = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1);
  return last === undefined ? undefined : Number(last[1]);
}

/** Runs a command and shows its output live. */
async function run(
  command: readonly string[],
): Promise<{ readonly exitCode: number; readonly seconds: string; readonly output: string }> {
  const started = performance.now();
  const child = Bun.spawn([...command], { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const output: string[] = [];
  const read = Promise.all([
    showAndKeep(child.stdout, process.stdout, output),
    showAndKeep(child.stderr, process.stderr, output),
  ]);
  const exitCode = await child.exited;
  await Promise.race([read, Bun.sleep(LAST_WORDS_MS)]);
  return { exitCode, seconds: ((performance.now() - started) / 1000).toFixed(1), output: output.join('') };
}

/** Copies line by line, so that lines of both outputs do not mix. */
async function showAndKeep(
  from: ReadableStream<Uint8Array>,
  to: NodeJS.WriteStream,
  output: string[],
): Promise<void> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const bytes of from) {
    to.write(bytes);
    const lines = (begun + decoder.decode(bytes, { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) output.push(`${line}\n`);
  }
  output.push(`${begun}\n`);
}
