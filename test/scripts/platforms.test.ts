/** `scripts/platforms` in its shortest form: the executable of each platform starts, serves and ends. */
import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLE, withRows } from '../../scripts/proof/platforms/page.ts';
import { PLATFORMS } from '../../scripts/proof/platforms/platforms.ts';
import { type Ended, toEnd } from '../../scripts/proof/to-end.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const MAX_MS = 600_000;

const platforms = (...words: readonly string[]): Promise<Ended> =>
  toEnd([process.execPath, 'run', join(ROOT, 'scripts/platforms.ts'), ...words], { cwd: ROOT });

/** Returns the reason for which the platform is missing. `undefined`: it is present. */
async function missing(name: string): Promise<string | undefined> {
  const { err } = await platforms('--tools', '--only', name);
  return err === '' ? undefined : err.trim();
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
    'starts, accepts a sign-in, lists and ends with 0, over HTTP and TLS',
    async () => {
      const { code, out, err } = await platforms('--short', '--only', name);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(': 2 passaram, 0 falharam');
    },
    MAX_MS,
  );
});

test.skipIf(lacks.has('glibc'))(
  'the executable of a newer Linux reports on an old glibc, in one line, the required version and the one that lacks it',
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

test('a run rewrites the rows of its platforms, and no others', () => {
  const table =
    '| Plataforma | Como | Visto |\n| --- | --- | --- |\n| arm64 | qemu | antes |\n| macOS | - | nada |';
  const rows = [
    { title: 'arm64', way: 'qemu', seen: 'hoje' },
    { title: 'musl', way: 'raiz', seen: 'a | b' },
  ];
  expect(withRows(table, rows).split('\n').slice(2)).toEqual([
    '| arm64 | qemu | hoje |',
    '| macOS | - | nada |',
    '| musl | raiz | a \\| b |',
  ]);
  const page = readFileSync(join(ROOT, 'src/docs/pages/plataformas.md'), 'utf8');
  for (const { title } of PLATFORMS) expect(TABLE.exec(page)?.[0]).toContain(`\n| ${title} `);
});

test('an unknown platform is refused by name', async () => {
  const { code, err } = await platforms('--only', 'amiga');
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('Plataformas: arm64, glibc, musl, windows') as string,
  ]);
});
