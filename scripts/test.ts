/** Runs the steps of scripts/test one after the other and adds up what passed and what failed. */
import { dirname } from 'node:path';

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

const ROOT = dirname(import.meta.dir);
const BIN = 'node_modules/.bin';
/** bunfig.toml has no say in this; a busy machine needs more than the 5 s that are usual. */
const TEST_TIMEOUT_MS = 30_000;

const patterns = process.argv.slice(2);
const outcomes: readonly Outcome[] =
  patterns.length > 0
    ? [await tests(patterns)]
    : [
        await step('formato', [`${BIN}/prettier`, '--check', '--log-level=warn', '.']),
        await step('tipos', [`${BIN}/tsc`, '--noEmit']),
        await step('executável', ['bun', 'run', 'scripts/build.ts']),
        await tests([]),
      ];

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function step(name: string, command: string[]): Promise<Outcome> {
  const { exitCode, seconds } = await run(command);
  const good = exitCode === 0;
  console.log(`${good ? '✓' : '✗'} ${name} (${seconds} s)`);
  return { passed: good ? 1 : 0, failed: good ? 0 : 1 };
}

async function tests(patterns: readonly string[]): Promise<Outcome> {
  const { exitCode, seconds, output } = await run([
    'bun',
    'test',
    `--timeout=${TEST_TIMEOUT_MS}`,
    ...patterns,
  ]);
  const counted = { passed: lastCount(output, 'pass'), failed: lastCount(output, 'fail') };
  // A run that dies before its summary, or ends badly without naming a failure, is itself one.
  const silent = counted.passed === undefined || (exitCode !== 0 && !counted.failed);
  const outcome = { passed: counted.passed ?? 0, failed: (counted.failed ?? 0) + (silent ? 1 : 0) };
  if (silent) console.log(`✗ bun test terminou com o código ${exitCode} sem dizer qual teste falhou`);
  console.log(`${outcome.failed === 0 ? '✓' : '✗'} testes (${seconds} s)`);
  return outcome;
}

/** The last ` N pass` or ` N fail` of the summary that `bun test` prints; absent when it never came to print it. */
function lastCount(output: string, word: 'pass' | 'fail'): number | undefined {
  const last = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1);
  return last === undefined ? undefined : Number(last[1]);
}

/** Runs a command and shows its output while it comes. */
async function run(
  command: string[],
): Promise<{ readonly exitCode: number; readonly seconds: string; readonly output: string }> {
  const started = performance.now();
  const child = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [exitCode, ...texts] = await Promise.all([
    child.exited,
    shownAndKept(child.stdout, process.stdout),
    shownAndKept(child.stderr, process.stderr),
  ]);
  return { exitCode, seconds: ((performance.now() - started) / 1000).toFixed(1), output: texts.join('\n') };
}

async function shownAndKept(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder();
  let kept = '';
  for await (const bytes of from) {
    to.write(bytes);
    kept += decoder.decode(bytes, { stream: true });
  }
  return kept;
}
