/** `scripts/platforms`, as short as it gets: the executable of each platform starts there, serves and ends. */
import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORMS } from '../../scripts/proof/platforms/platforms.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const MAX_MS = 600_000;

async function platforms(
  ...words: readonly string[]
): Promise<readonly [code: number, out: string, errors: string]> {
  const command = [process.execPath, 'run', join(ROOT, 'scripts/platforms.ts'), ...words];
  const child = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return [await child.exited, out, errors];
}

/** Why there is none of it here; `undefined`: there is. */
async function missing(name: string): Promise<string | undefined> {
  const [, , errors] = await platforms('--tools', '--only', name);
  return errors === '' ? undefined : errors.trim();
}

const lacks = new Map<string, string>();
for (const { name } of PLATFORMS) {
  const why = await missing(name);
  if (why === undefined) continue;
  lacks.set(name, why);
  console.warn(`SKIPPED: ${why}`);
}
console.warn('SKIPPED: macOS is NOT tried: nothing emulates it');

describe.each(PLATFORMS.map(({ name }) => name))('%s', (name) => {
  test.skipIf(lacks.has(name))(
    'starts, lets in, lists and ends with 0, over HTTP and TLS',
    async () => {
      const [code, out, errors] = await platforms('--short', '--only', name);
      expect([code, errors]).toEqual([0, '']);
      expect(out).toContain(': 2 passaram, 0 falharam');
    },
    MAX_MS,
  );
});

test.skipIf(lacks.has('glibc'))(
  'the executable of a newer Linux says on an old glibc, in one line, what it asks for and which one does not',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-old-'));
    try {
      const [old] = PLATFORMS.filter(({ name }) => name === 'glibc');
      const launcher = join(folder, 'catp');
      writeFileSync(launcher, `#!/bin/sh\n${old?.command(await builtExecutable())}\n`);
      chmodSync(launcher, 0o755);
      const { exitCode, stderr } = Bun.spawnSync([launcher, 'init', '--data', 'dados'], {
        cwd: folder,
        env: {},
        stdin: 'ignore',
      });
      expect([exitCode, stderr.toString()]).toEqual([
        1,
        expect.stringMatching(
          /^catp: Este catp [^\n]* pede a glibc 2\.34 [^\n]*só a glibc 2\.28\.\n$/,
        ) as string,
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  MAX_MS,
);

test('a platform that there is not is refused by name', async () => {
  const [code, , errors] = await platforms('--only', 'amiga');
  expect([code, errors]).toEqual([
    2,
    expect.stringContaining('Plataformas: arm64, glibc, musl, windows') as string,
  ]);
});
