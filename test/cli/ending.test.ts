/** A failed promise without a listener ends the process like any other fault, in one line. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

const module = (path: string): string => JSON.stringify(join(ROOT, 'src', path));

/** Runs a command whose action is `work`, in a separate process. */
function run(work: string): { code: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, '-e', scriptOf(work)], { env: {} });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

const scriptOf = (work: string): string => `
    const { runToTheEnd } = await import(${module('cli/ending.ts')});
    const { logFaults } = await import(${module('cli/failure.ts')});
    const { command } = await import(${module('cli/command.ts')});
    const { startLog } = await import(${module('log/log.ts')});
    await runToTheEnd(() => command('catp', 'x').action(async () => {
      ${work};
      await new Promise(() => setInterval(() => {}, 1000));
    }).parseAsync(process.argv));`;

const FAULTS = [
  ['a timer', "setTimeout(() => { throw new TypeError('quebrou\\naqui'); }, 0)"],
  ['a promise', "void Promise.reject(new TypeError('quebrou\\naqui'))"],
] as const;

test.each(FAULTS)('%s that fails in a command: one line, no stack, exit code 1', (_, work) => {
  const { code, stdout, stderr } = run(work);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^catp: erro inesperado \(quebrou aqui\)\. Isto é um defeito do catp: [^\n]+\n$/);
});

test.each(FAULTS)('%s that fails in a server: its log also has the place in the code', (_, work) => {
  const { code, stderr } = run(`logFaults(startLog('info')); ${work}`);
  expect(code).toBe(1);
  const [line = '', secondLine] = stderr.trim().split('\n');
  const { properties } = JSON.parse(line) as { readonly properties: { readonly fault: string } };
  expect(properties.fault).toMatch(/quebrou[^]*\n\s+at /);
  expect(secondLine).toStartWith('catp: erro inesperado (quebrou aqui)');
});

test('a line of the log does not load `process.stderr`, which takes milliseconds of each start', () => {
  const guard = "Object.defineProperty(process, 'stderr', { get: () => process.exit(7) });";
  const { stderr } = run(`${guard} startLog('info').info('linha'); process.exit(0);`);
  expect(stderr).toContain('"message":"linha"');
});

const LINES = 3000;

test('a slow reader gets every line of the log before the message of the end', () => {
  const { code, lines } = runInto(
    '(sleep 0.3; cat)',
    `const log = startLog('info');
     for (let line = 0; line < ${LINES}; line += 1) log.info('{line} {fill}', { line, fill: 'é'.repeat(500) });
     throw new TypeError('quebrou')`,
  );
  expect([code, lines.length]).toEqual([1, LINES + 1]);
  const numbers = lines.slice(0, LINES).map((line) => (JSON.parse(line) as LogLine).properties.line);
  expect(numbers).toEqual(Array.from({ length: LINES }, (_, line) => line));
  expect(lines.at(-1)).toStartWith('catp: erro inesperado (quebrou)');
});

test('a reader of the log that has gone ends the process with 0', () => {
  const work = "const log = startLog('info'); logFaults(log); await Bun.sleep(300); log.info('linha')";
  expect(runInto('exit', work)).toEqual({ code: 0, lines: [] });
});

interface LogLine {
  readonly properties: { readonly line: number };
}

/** Runs `work` with its standard error piped to a command of the shell. Returns the lines of that command. */
function runInto(reader: string, work: string): { code: number; lines: string[] } {
  const line = `"$0" -e "$1" 2>&1 >/dev/null | ${reader}; exit "\${PIPESTATUS[0]}"`;
  const shell = ['bash', '-c', line, process.execPath, scriptOf(work)];
  const { exitCode, stdout } = Bun.spawnSync(shell, { env: { PATH: process.env.PATH } });
  return { code: exitCode, lines: stdout.toString().split('\n').filter(Boolean) };
}
