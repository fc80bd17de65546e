/**
 * The drill of two machines: a short round of it, its detection of losses without epochs, and the packed
 * files of both sides.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { litestreamPath } from '../../scripts/proof/takeover/litestream.ts';
import { builtExecutable } from '../support/executable.ts';
import { nginxPath } from '../support/nginx.ts';
import { ROOT } from '../support/sources.ts';

setDefaultTimeout(400_000);

if (litestreamPath === undefined)
  console.warn(
    'SKIPPED: no Litestream on this machine (scripts/test --all builds it with Go); no takeover is tried',
  );

const UNPACKED = join(ROOT, '.tools', 'keepalived');
const LIBRARIES = ['lib', 'usr/lib'].map((place) =>
  join(UNPACKED, place, process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'),
);
const keepalived =
  Bun.which('keepalived') ?? [join(UNPACKED, 'usr/sbin/keepalived')].find((file) => existsSync(file));
/** keepalived refuses the loopback. */
const network = Object.entries(networkInterfaces()).find(([, all]) => all?.[0]?.internal === false)?.[0];
if (keepalived === undefined || network === undefined)
  console.warn(
    'SKIPPED: no keepalived (scripts/test --all brings it), or no network; its file is NOT checked',
  );

async function drill(...words: string[]) {
  const script = join(ROOT, 'scripts/takeover-drill.ts');
  const command = [process.execPath, 'run', script, '--executable', await builtExecutable(), ...words];
  const { out, err, code } = await toEnd(command, { cwd: ROOT });
  const figure = (name: string): number => Number(new RegExp(`${name} +(\\d+)`).exec(out)?.[1]);
  return { out, errors: err, code, figure };
}

describe.skipIf(litestreamPath === undefined)('a takeover with a real Litestream', () => {
  test('loses no acknowledged write when writes wait, and the old machine writes no more', async () => {
    // With this seed one machine returns early, and one late.
    const { out, errors, code, figure } = await drill('--rounds', '2', '--seed', '3');
    expect([code, errors]).toEqual([0, '']);
    expect(out).toContain('nenhuma perda, nunca duas épocas');
    expect(figure('gravações confirmadas')).toBeGreaterThan(0);
    expect(figure('voltas recusadas') + figure('voltas a só consultas')).toBe(2);
  });

  test('without waits reports the lost writes', async () => {
    const { out, code } = await drill('--rounds', '1', '--seed', '3', '--confirmar', 'nunca');
    expect([code, out]).toEqual([0, expect.stringContaining('perdidas em uma tomada')]);
  });

  test('without epochs loses writes, which the drill detects', async () => {
    const { code, figure } = await drill('--rounds', '1', '--seed', '1', '--control');
    expect([code, figure('perdas e gravações de duas épocas')]).toEqual([1, expect.any(Number)]);
    expect(figure('perdas e gravações de duas épocas')).toBeGreaterThan(0);
  });
});

test('on a disk that is mirrored by block the next machine opens every acknowledged write', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'catp-disk-'));
  const { out, errors, code } = await drill('--rounds', '2', '--on', disk);
  expect([code, errors, out]).toEqual([0, '', expect.stringContaining('nenhuma perda')]);
  expect(readdirSync(disk)).toEqual([]);
  rmSync(disk, { recursive: true });
});

describe('the packed files of both machines', () => {
  const packed = join(ROOT, 'scripts', 'packaging', 'duas-maquinas');
  const textOf = (name: string): string => readFileSync(join(packed, name), 'utf8');
  const inFolder = (use: (folder: string) => void): void => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-two-'));
    try {
      use(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const run = (...words: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(words);
    return { exitCode, output: stdout.toString() + stderr.toString() };
  };

  test.skipIf(litestreamPath === undefined)('include a file that Litestream accepts', () => {
    const { exitCode, output } = run(
      litestreamPath ?? '',
      'databases',
      '-config',
      join(packed, 'litestream.yml'),
    );
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/\/var\/lib\/catp\/catp\.sqlite +s3/)]);
  });

  test.skipIf(Bun.which('systemd-analyze') === null)('include units that systemd accepts', () =>
    inFolder((folder) => {
      const units = readdirSync(packed).filter((name) => name.endsWith('.service'));
      // This test does not check that the programs exist.
      for (const unit of units)
        writeFileSync(join(folder, unit), textOf(unit).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
      const { exitCode, output } = run(
        'systemd-analyze',
        'verify',
        ...units.map((unit) => join(folder, unit)),
      );
      expect([exitCode, output.split('\n').filter((line) => line.includes(folder))]).toEqual([0, []]);
    }),
  );

  test.skipIf(Bun.which('systemd-analyze') === null)(
    'include units with an exposure of at most 2.0 by systemd-analyze',
    () =>
      inFolder((folder) => {
        const units = readdirSync(packed).filter((name) => name.endsWith('.service'));
        expect(units).toHaveLength(3);
        for (const unit of units) {
          writeFileSync(join(folder, unit), textOf(unit));
          const { output } = run(
            'systemd-analyze',
            'security',
            '--offline=yes',
            '--no-pager',
            join(folder, unit),
          );
          const [, exposure = 'none'] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
          expect([unit, Number(exposure) <= 2]).toEqual([unit, true]);
        }
      }),
  );

  test.skipIf(nginxPath === undefined)('include a file that nginx accepts', () =>
    inFolder((folder) => {
      for (const name of ['logs', 'temp']) mkdirSync(join(folder, name));
      const http = `events {}\nerror_log ${folder}/error.log;\npid ${folder}/pid;\nhttp {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/temp;`).join('\n')}\n${textOf('nginx.conf')}}\n`;
      writeFileSync(join(folder, 'nginx.conf'), http);
      const { exitCode, output } = run(nginxPath ?? '', '-t', '-p', folder, '-c', join(folder, 'nginx.conf'));
      expect([exitCode, output]).toEqual([0, expect.stringContaining('test is successful')]);
    }),
  );

  test.skipIf(keepalived === undefined || network === undefined)(
    'include a file that keepalived accepts',
    () =>
      inFolder((folder) => {
        const file = join(folder, 'keepalived.conf');
        const check = (text: string) => {
          writeFileSync(file, text);
          return run('env', `LD_LIBRARY_PATH=${LIBRARIES.join(':')}`, keepalived ?? '', '-t', '-f', file);
        };
        // keepalived checks that user, program and network exist.
        const config = textOf('keepalived.conf')
          .replace('script_user catp', `script_user ${run('id', '-un').output.trim()}`)
          .replace('/usr/bin/catp', '/usr/bin/true')
          .replace('interface eth0', `interface ${network}`);
        expect(check(config)).toEqual({ exitCode: 0, output: '' });
        expect(check(config.replace('    catp_pronto', '    catp_outro')).output).toContain(
          'catp_outro not found',
        );
      }),
  );

  test('are named on the page, which prints the one that a reader edits first', () => {
    const page = readFileSync(join(ROOT, 'src/docs/pages/duas-maquinas.md'), 'utf8');
    expect(page).toContain(textOf('litestream.yml'));
    for (const name of ['catp-segue.service', 'keepalived.conf', 'nginx.conf']) {
      expect(textOf(name)).not.toBe('');
      expect(page).toContain(name);
    }
  });
});
