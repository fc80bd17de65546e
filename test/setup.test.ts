/**
 * scripts/setup on a machine that lacks a program: one line, the next step, exit code 1, nothing
 * installed.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './support/sources.ts';

let clone = '';
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'catp-setup-'));
  mkdirSync(join(clone, 'scripts'));
  mkdirSync(join(clone, 'bin'));
  for (const name of ['setup', 'bun'])
    cpSync(join(ROOT, 'scripts', name), join(clone, 'scripts', name), { recursive: true });
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Writes a program of that name, which runs this line of shell. */
function program(name: string, line: string): void {
  const file = join(clone, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
}

/** Runs the script with only the programs that it calls, next to those of the test. */
function setup(): { code: number; output: string } {
  const bash = Bun.which('bash') ?? '/bin/bash';
  for (const name of ['dirname', 'mkdir', 'ln', 'touch', 'cp'])
    program(name, `exec ${Bun.which(name) ?? `/bin/${name}`} "$@"`);
  const { exitCode, stdout, stderr } = Bun.spawnSync([bash, join(clone, 'scripts', 'setup')], {
    cwd: clone,
    env: { PATH: join(clone, 'bin') },
  });
  return { code: exitCode, output: `${String(stdout)}${String(stderr)}` };
}

const npmThatTells = (): void => program('npm', `echo npm was called > "${clone}/called"; exit 1`);

test.each(['v18.20.4', 'v9.0.0', 'bobagem'])('Node %s is too old', (version) => {
  program('node', `echo ${version}`);
  npmThatTells();
  expect(setup()).toEqual({
    code: 1,
    output: `setup: o Node.js encontrado é o ${version}; é preciso o 20 ou mais novo (nodejs.org), ou o Bun 1.4.4.\n`,
  });
  expect(readdirSync(clone).toSorted()).toEqual(['bin', 'scripts']);
});

test('neither Node nor Bun', () => {
  expect(setup()).toEqual({
    code: 1,
    output:
      'setup: falta o Node.js 20 ou mais novo com npm (nodejs.org), ou o Bun 1.4.4. Instale um deles e tente de novo.\n',
  });
});

test('Node 20 is new enough; an npm that cannot install is reported', () => {
  program('node', 'echo v20.0.0');
  npmThatTells();
  const { code, output } = setup();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('o npm não conseguiu instalar o pacote bun@1.4.4'),
  ]);
  expect(readdirSync(clone)).toContain('called');
});

test('the lock has the pinned version, and a hash of each package', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'scripts/bun/package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
  };
  const packages = Object.entries(lock.packages).filter(([place]) => place !== '');
  expect(packages.map(([place]) => place)).toContain('node_modules/bun');
  for (const [place, { version, integrity }] of packages)
    expect([place, version, integrity]).toEqual([place, '1.4.4', expect.stringMatching(/^sha512-/)]);
});
