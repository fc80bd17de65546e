/** Expected output of a finished command. */
import { expect } from 'bun:test';
import type { Sandbox, Finished } from './support.ts';

/** Returns the standard output of a successful command. */
export function outputOf({ code, stdout, stderr }: Finished): string {
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

/**
 * Returns the output of a refused command: one line that names catp on standard error, nothing on standard
 * output.
 */
export const refusalOf = (alone: Sandbox, args: readonly string[], exitCode = 1): string =>
  refusalIn(args, alone.run(args), exitCode);

/** Returns the output of a refused command that has ended. */
export function refusalIn(
  args: readonly string[],
  { code, stdout, stderr }: Finished,
  exitCode: number,
): string {
  expect([args, code, stdout, stderr]).toEqual([
    args,
    exitCode,
    '',
    expect.stringMatching(/^catp: [^\n]+\n/),
  ]);
  return stderr;
}
