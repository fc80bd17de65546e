/** The unit that systemd starts the server by, as text and as systemd-analyze judges it. */
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type UnitParts, unitText } from '../../src/service/unit.ts';

const hasAnalyze = Bun.which('systemd-analyze') !== null;
if (!hasAnalyze)
  console.warn('SKIPPED: no systemd-analyze here (Debian package systemd); the unit is NOT judged');

const USUAL: UnitParts = { executable: '/usr/local/bin/catp', data: '/var/lib/catp', user: 'catp' };

describe('the unit', () => {
  test('lets a folder of /var/lib be made by systemd, and has limits of memory and tasks', () => {
    expect(unitText({ ...USUAL, writes: ['/mnt/copias', '/srv/registro'] })).toContain(
      '\nStateDirectory=catp\nStateDirectoryMode=0700\nReadWritePaths=/mnt/copias /srv/registro\n',
    );
    expect(unitText(USUAL)).toMatch(/\nMemoryMax=\d+%\nTasksMax=\d+\n/);
  });

  test('names a folder with blanks and signs as systemd reads them', () => {
    const unit = unitText({ ...USUAL, data: '/srv/dados 100% $x' });
    expect(unit).toContain('ConditionPathExists=/srv/dados 100%% $x/catp.sqlite\n');
    expect(unit).toContain('serve --data "/srv/dados 100%% $$x"\n');
  });

  test('hides the temporary files of the machine and homes, but for what lies there', () => {
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

  test.skipIf(!hasAnalyze)('has little to fear by systemd-analyze: at most 2.0', () => {
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
