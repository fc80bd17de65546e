/** A failed promise without a listener ends the process like any other fault, in one line. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

const module = (path: string): string => JSON.stringify(join(ROOT, 'src', path));

/** Runs a command whose action is `work`, in a separate process. */
function run(work: string): { code: number; stdout: string; stderr: string } {
  const script = `
    const { runToTheEnd } = await import(${module('cli/ending.ts')});
    const { logFaults } = await import(${module('cli/failure.ts')});
    const { command } = await import(${module('cli/command.ts')});
    const { startLog } = await import(${module('log/log.ts')});
    await runToTheEnd(() => command('catp', 'x').action(async () => {
      ${work};
      await new Promise(() => setInterval(() => {}, 1000));
    }).parseAsync(process.argv));`;
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script], { env: {} });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

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
