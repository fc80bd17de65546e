/** `scripts/simulate` prints the failed seed, and the command that repeats it. */
import { expect, test } from 'bun:test';
import { ROOT } from '../support/sources.ts';

async function simulate(...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, 'run', 'scripts/simulate.ts', ...args], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, errors, code: await child.exited };
}

test('a seed of sends to a remote passes', async () => {
  const { out, code } = await simulate('--remote', '--from', '3', '--seeds', '1');
  expect([out, code]).toEqual([expect.stringContaining('1 of 1 seeds held'), 0]);
});

test('a client that repeats unanswered requests is detected, and its seed reproduces it', async () => {
  const { out, code } = await simulate('--remote', '--break', 'repeats', '--from', '28', '--seeds', '1');
  expect([out, code]).toEqual([
    expect.stringMatching(/^seed 28: produto .* exists twice in the remote$/m),
    1,
  ]);
  const [again = ''] = /(?<=scripts\/simulate\.ts ).*$/m.exec(out) ?? [];
  const result = await simulate(...again.split(' '));
  expect(result.out).toMatch(/^[\d.]+ d {2}lost-answer includeProduct$/m);
  expect(result.out).toContain('seed 28: produto');
});

test('an unknown breakage is refused with the accepted ones', async () => {
  const { errors, code } = await simulate('--remote', '--break', 'forgets-failures');
  expect([errors, code]).toEqual([expect.stringContaining('there are: repeats'), 2]);
});
