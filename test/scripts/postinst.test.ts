/**
 * The script that runs when the Debian package is configured: the result for its settings, without a
 * virtual machine.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

const TEMPLATE = '# porta = 8080\n';
/** Programs that need root or Debian. */
const STUBS = [
  'getent',
  'useradd',
  'chgrp',
  'chown',
  'deb-systemd-helper',
  'deb-systemd-invoke',
  'systemctl',
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-postinst-'));
  for (const name of ['bin', 'data', 'doc']) mkdirSync(join(folder, name));
  for (const name of STUBS) program(name, 'exit 0');
  // This substitute ignores the owner.
  program(
    'install',
    'while getopts dm:o:g: flag; do :; done; for last; do :; done; case " $* " in *" -d "*) mkdir -p "$last" ;; *) shift $((OPTIND - 1)); cp "$1" "$last" ;; esac',
  );
  writeFileSync(join(folder, 'doc', 'catp.toml'), TEMPLATE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

const settings = (): string => join(folder, 'etc', 'catp.toml');

function configure(): void {
  const script = readFileSync(join(ROOT, 'scripts/packaging/debian/postinst'), 'utf8')
    .replaceAll('/var/lib/catp', join(folder, 'data'))
    .replaceAll('/etc/catp', join(folder, 'etc'))
    .replaceAll('/usr/share/doc/catp', join(folder, 'doc'))
    .replaceAll('/run/systemd/system', join(folder, 'no-systemd'));
  writeFileSync(join(folder, 'postinst'), script);
  const { exitCode, stderr } = Bun.spawnSync(['sh', join(folder, 'postinst'), 'configure'], {
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
    stdin: 'ignore',
  });
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
}

test('missing settings are created from the template, and linked from the data folder', () => {
  configure();
  expect(readFileSync(settings(), 'utf8')).toBe(TEMPLATE);
  expect(readFileSync(join(folder, 'data', 'catp.toml'), 'utf8')).toBe(TEMPLATE);
  rmSync(settings());
  configure();
  expect(readFileSync(settings(), 'utf8')).toBe(TEMPLATE);
});

test('edited settings are kept, byte by byte, also when the template changed', () => {
  configure();
  writeFileSync(settings(), 'porta = 8090\n');
  writeFileSync(join(folder, 'doc', 'catp.toml'), '# porta = 9999\n');
  configure();
  expect(readFileSync(settings(), 'utf8')).toBe('porta = 8090\n');
  expect(readFileSync(join(folder, 'data', 'catp.toml'), 'utf8')).toBe('porta = 8090\n');
  expect(existsSync(`${settings()}.dpkg-new`)).toBe(false);
});
