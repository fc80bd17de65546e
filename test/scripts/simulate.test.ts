/** `scripts/simulate` tells which seed did not hold, and how it is seen again. */
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

test('a seed of sending to a remote holds', async () => {
  const { out, code } = await simulate('--remote', '--from', '3', '--seeds', '1');
  expect([out, code]).toEqual([expect.stringContaining('1 of 1 seeds held'), 0]);
});

test('a client that just repeats what nobody answered is found out, and shown again by its seed', async () => {
  const { out, code } = await simulate('--remote', '--break', 'repeats', '--from', '28', '--seeds', '1');
  expect([out, code]).toEqual([
    expect.stringMatching(/^seed 28: produto .* exists twice in the remote$/m),
    1,
  ]);
  const [again = ''] = /(?<=scripts\/simulate\.ts ).*$/m.exec(out) ?? [];
  const seen = await simulate(...again.split(' '));
  expect(seen.out).toMatch(/^[\d.]+ d {2}lost-answer includeProduct$/m);
  expect(seen.out).toContain('seed 28: produto');
});

test('a breakage that there is not is named, with those that there are', async () => {
  const { errors, code } = await simulate('--remote', '--break', 'forgets-failures');
  expect([errors, code]).toEqual([expect.stringContaining('there are: repeats'), 2]);
});
