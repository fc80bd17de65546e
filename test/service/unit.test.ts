/** The systemd unit of the server, as text and as systemd-analyze rates it. */
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePlainPaths } from '../../src/cli/service-home.ts';
import { type UnitParts, unitText } from '../../src/service/unit.ts';

const hasAnalyze = Bun.which('systemd-analyze') !== null;
if (!hasAnalyze)
  console.warn('SKIPPED: no systemd-analyze here (Debian package systemd); the unit is NOT judged');

const USUAL: UnitParts = { executable: '/usr/local/bin/catp', data: '/var/lib/catp', user: 'catp' };

describe('the unit', () => {
  test('has systemd create a folder of /var/lib, and has limits of memory and tasks', () => {
    expect(unitText({ ...USUAL, writes: ['/mnt/copias', '/srv/registro'] })).toContain(
      '\nStateDirectory=catp\nStateDirectoryMode=0700\nReadWritePaths=/mnt/copias /srv/registro\n',
    );
    expect(unitText(USUAL)).toMatch(/\nMemoryMax=\d+%\nTasksMax=\d+\n/);
  });

  test('quotes a folder with blanks and special characters for systemd', () => {
    const unit = unitText({ ...USUAL, data: '/srv/dados 100% $x' });
    expect(unit).toContain('ConditionPathExists=/srv/dados 100%% $x/catp.sqlite\n');
    expect(unit).toContain('serve --data "/srv/dados 100%% $$x"\n');
  });

  test('quotes paths with blanks, quotes, special characters and backslashes for each of its lines', () => {
    const odd = `/srv/a b"c'd$e%f\\g;h:i`;
    const unit = unitText({ ...USUAL, executable: odd, data: odd, config: odd, writes: [odd] });
    const [command, listed] = [`"/srv/a b\\"c'd$$e%%f\\\\g;h:i"`, `"/srv/a b\\"c'd$e%%f\\\\g;h:i"`];
    expect(unit).toContain(`\nExecStart=${listed} serve --data ${command} --config ${command}\n`);
    expect(unit).toContain(`\nReadWritePaths=${listed} ${listed}\n`);
  });

  test.skipIf(!hasAnalyze)('is accepted by systemd with such paths, and starts the right executable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-unit-'));
    const odd = join(folder, `a b"c'd$e%n\\g;h:i`);
    mkdirSync(odd);
    // systemd accepts no quotes and backslashes in the path of a program.
    mkdirSync(join(folder, 'a b$e%n;h:i'));
    const executable = join(folder, 'a b$e%n;h:i', 'catp');
    writeFileSync(executable, '#!/bin/sh\n', { mode: 0o755 });
    const file = join(folder, 'catp-test.service');
    const verified = (parts: Partial<UnitParts>): readonly [number, string[]] => {
      writeFileSync(
        file,
        unitText({ ...USUAL, executable, data: odd, config: odd, writes: [odd], ...parts }),
      );
      const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', file]);
      return [
        exitCode,
        String(stderr)
          .split('\n')
          .filter((line) => line.includes('catp-test')),
      ];
    };
    expect(verified({})).toEqual([0, []]);
    expect(verified({ executable: `${executable}-no` })[0]).not.toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('refuses a path with a control character, and on Windows one with a percent sign', () => {
    for (const path of [
      '/srv/a\nExecStartPre=/bin/x',
      '/srv/a\r',
      '/srv/\t',
      '/srv/\u0085',
      '/srv/\u2028',
      '/srv/\u001b',
    ])
      expect(() => requirePlainPaths(['/srv/bem', path])).toThrow('tem um caractere de controle');
    expect(() => requirePlainPaths([undefined, `/srv/a b"c'd$e%f\\g`], 'linux')).not.toThrow();
    expect(() => requirePlainPaths(['C:\\%TEMP%\\catp'], 'win32')).toThrow('tem o sinal %');
    expect(() => requirePlainPaths(['C:\\Program Files\\catp'], 'win32')).not.toThrow();
  });

  test('hides the temporary files of the machine and homes, except for folders inside them', () => {
    const hidden = (parts: Partial<UnitParts>): readonly string[] =>
      unitText({ ...USUAL, ...parts }).match(/^(ProtectHome|PrivateTmp|Bind\w+)=.*$/gm) ?? [];
    expect(hidden({})).toEqual(['ProtectHome=yes', 'PrivateTmp=yes']);
    expect(hidden({ data: '/srv/tmp/x' })).toEqual(['ProtectHome=yes', 'PrivateTmp=yes']);
    expect(hidden({ data: '/tmp/x', executable: '/tmp/catp', config: '/var/tmp/catp.toml' })).toEqual([
      ...[
        'ProtectHome=yes',
        'PrivateTmp=yes',
        'BindPaths=/tmp/x',
        'BindReadOnlyPaths=/tmp/catp /var/tmp/catp.toml',
      ],
    ]);
    expect(hidden({ writes: ['/home/ana/copias'] })).toEqual(['ProtectHome=read-only', 'PrivateTmp=yes']);
  });

  test.skipIf(!hasAnalyze)('has an exposure of at most 2.0 by systemd-analyze', () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-unit-'));
    for (const lowPort of [false, true]) {
      const file = join(folder, 'catp.service');
      writeFileSync(file, unitText({ ...USUAL, lowPort }));
      const { stdout } = Bun.spawnSync([
        ...['systemd-analyze', 'security', '--offline=yes', '--no-pager', file],
      ]);
      const [, exposure = 'none'] = /Overall exposure level for \S+: ([\d.]+)/.exec(String(stdout)) ?? [];
      expect(Number(exposure)).toBeLessThanOrEqual(2);
    }
    rmSync(folder, { recursive: true });
  });
});
