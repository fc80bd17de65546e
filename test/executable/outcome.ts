/** What a command that has ended must have said. */
import { expect } from 'bun:test';
import type { Alone, Finished } from './support.ts';

/** The standard output of a command that was done. */
export function said({ code, stdout, stderr }: Finished): string {
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

/** What a refused command says: one line that names catp on standard error, nothing on standard output. */
export function refusalOf(alone: Alone, args: readonly string[], exitCode = 1): string {
  const { code, stdout, stderr } = alone.run(args);
  expect([args, code, stdout, stderr]).toEqual([
    args,
    exitCode,
    '',
    expect.stringMatching(/^catp: [^\n]+\n/),
  ]);
  return stderr;
}
