/** `scripts/package`: the release files, and the Debian package on a separate machine with a real systemd. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Machine, bootMachine, noMachine } from '../support/machine.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { describeHandedOut, testSignature } from './package-legal.ts';
import { describeImage } from './package-image.ts';
import { describeSuites } from './package-suites.ts';
import { blockAfter } from './terminal.ts';

/** Timeout of a run that compiles SQLite once and compresses 120 MiB four times. */
setDefaultTimeout(600_000);

const canPack = ['git', 'tar', 'gzip', 'dpkg-deb', 'python3'].every((program) => Bun.which(program) !== null);
if (!canPack) console.warn('SKIPPED: no git, tar, gzip, dpkg-deb or python3 here; nothing is packed');
if (noMachine !== undefined)
  console.warn(`SKIPPED: no machine for tests, ${noMachine}; the package is NOT installed`);

describe.skipIf(!canPack)('scripts/package', () => {
  let folder: string;
  let deb: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'catp-package-'));
    pack('--to', join(folder, 'um'), '--target', 'linux-x64');
    packElsewhere('--to', join(folder, 'dois'), '--target', 'linux-x64');
    deb = join(
      folder,
      'um',
      readdirSync(join(folder, 'um')).find((name) => name.endsWith('_amd64.deb')) ?? '',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pack = (...flags: readonly string[]): void =>
    packIn(ROOT, [join(ROOT, 'scripts', 'package'), ...flags]);

  /** Packs from a copy of the sources in another folder, with another home, name and umask. */
  function packElsewhere(...flags: readonly string[]): void {
    const copy = join(folder, 'uma pasta', 'outra');
    Bun.spawnSync(['git', 'clone', '-q', ROOT, copy]);
    Bun.spawnSync(
      ['sh', '-c', 'git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t "$0"', copy],
      { cwd: ROOT },
    );
    Bun.spawnSync(['cp', '-al', join(ROOT, 'node_modules'), copy]);
    // The folder has Bun and the compiler of the addon.
    symlinkSync(join(ROOT, '.tools'), join(copy, '.tools'));
    const home = join(folder, 'casa');
    mkdirSync(home);
    packIn(copy, ['sh', '-c', 'umask 077; exec "$@"', '-', join(copy, 'scripts', 'package'), ...flags], {
      HOME: home,
      USER: 'outra',
    });
  }

  function packIn(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const { exitCode, stderr } = Bun.spawnSync([...words], { cwd, env: { ...process.env, ...env } });
    if (exitCode !== 0) throw new Error(`scripts/package ended with ${exitCode}\n${stderr.toString()}`);
  }

  const output = (...words: string[]): string => Bun.spawnSync(words).stdout.toString();

  test('produces the same bytes from the same source, in another folder and for another user', () => {
    const sums = readFileSync(join(folder, 'um', 'SHA256SUMS'), 'utf8');
    expect(sums).toMatch(
      /^[\da-f]{64} {2}catp-1\.0\.0-linux-x64\.tar\.gz\n[\da-f]{64} {2}catp_1\.0\.0-\d+_amd64\.deb\n$/,
    );
    expect(readFileSync(join(folder, 'dois', 'SHA256SUMS'), 'utf8')).toBe(sums);
  });

  test('refuses an unknown platform or flag without a stack', () => {
    for (const [flags, reason] of [
      [['--target', 'amiga'], 'Alvos: linux-x64, linux-arm64'],
      [['--nada'], '--nada'],
      [['--sign', '/nada/chave'], 'não há a chave /nada/chave'],
    ] as const) {
      const { exitCode, stderr } = Bun.spawnSync([join(ROOT, 'scripts', 'package'), ...flags], { cwd: ROOT });
      const message = stderr.toString();
      expect([exitCode, message]).toEqual([2, expect.stringContaining(reason)]);
      expect(message).toMatch(/^package: .+\n$/);
    }
  });

  describe('two more runs into the same folder, of which the last one signs', () => {
    let place: string;
    let sumsBefore: string;
    beforeAll(() => {
      place = join(folder, 'dois');
      sumsBefore = readFileSync(join(place, 'SHA256SUMS'), 'utf8');
      appendFileSync(join(place, 'SHA256SUMS'), `${'0'.repeat(64)}  some.zip\n`);
      const key = join(place, 'chave');
      const { exitCode } = Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key]);
      expect(exitCode).toBe(0);
      pack('--to', place, '--wheel');
      pack('--to', place, '--wheel', '--sign', key);
    });

    test('list the existing files of an earlier run in SHA256SUMS', () => {
      const [wheel] = readdirSync(place).filter((name) => name.endsWith('.whl'));
      const sums = readFileSync(join(place, 'SHA256SUMS'), 'utf8');
      expect(sums.replace(/^[\da-f]{64}(?=  catp-.*\.whl$)/m, 'sum')).toBe(`${sumsBefore}sum  ${wheel}\n`);
    });

    testSignature(() => place);
  });

  test('an archive has the executable, its unit, completions, dashboard, legal files and a first page', () => {
    const archive = join(folder, 'um', 'catp-1.0.0-linux-x64.tar.gz');
    const entries = output('tar', 'tzf', archive)
      .split('\n')
      .filter((name) => !name.endsWith('/') && name !== '');
    expect(entries.map((name) => name.replace('catp-1.0.0-linux-x64/', ''))).toEqual([
      ...[
        'CHANGELOG.md',
        'LEIA-ME.md',
        'LICENCAS.txt',
        'LICENSE',
        'NOTICE',
        'catp',
        'catp.cdx.json',
        'catp.service',
      ],
      ...['completions/_catp', 'completions/catp.bash', 'completions/catp.fish', 'completions/catp.ps1'],
      ...['ate-o-fim', 'catp-segue-fim.service', 'catp-segue.env', 'catp-segue.service', 'keepalived.conf']
        .concat(['litestream.service', 'litestream.yml', 'nginx.conf'])
        .map((name) => `duas-maquinas/${name}`),
      ...['Antes.java', 'Depois.java', 'antes.mjs', 'antes.py', 'depois.mjs', 'depois.py', 'erp.csv'].map(
        (name) => `exemplos/antes-e-depois/${name}`,
      ),
      'grafana/catp.json',
    ]);
  });

  test('an archive has an SQLite for glibc 2.17, while a direct build requires a newer one', async () => {
    const newestGlibc = async (executable: string): Promise<string | undefined> => {
      const text = await Bun.file(executable).text();
      const all = new Set([...text.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor)));
      return `2.${Math.max(...all)}`;
    };
    output('tar', 'xzf', join(folder, 'um', 'catp-1.0.0-linux-x64.tar.gz'), '-C', folder);
    const packed = join(folder, 'catp-1.0.0-linux-x64', 'catp');
    expect([await newestGlibc(packed), await newestGlibc(await builtExecutable())]).toEqual(['2.17', '2.34']);
    expect(output(packed, 'init', '--data', join(folder, 'dados'))).toContain('Instância criada');
  });

  /** Packs into a folder of that name, once. */
  const packInto = (name: string, ...flags: readonly string[]): string => {
    const target = join(folder, name);
    if (!existsSync(target)) pack('--to', target, ...flags);
    return target;
  };
  describeHandedOut(packInto, () => join(folder, 'um'));
  describeSuites(packInto);
  describeImage(packInto);

  describe.skipIf(noMachine !== undefined)('the Debian package', () => {
    let machine: Machine;
    beforeAll(async () => {
      machine = await bootMachine();
      await machine.put(deb, '/root/catp_1.deb');
    });
    afterAll(() => machine.stop());

    function run(line: string): string {
      const { code, output: text } = machine.run(line);
      expect([line, code, code === 0 ? '' : text]).toEqual([line, 0, '']);
      return text;
    }
    const installed = (file: string): string =>
      run(
        `DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --allow-downgrades ${file}`,
      );

    test('creates user, folder, unit and settings, and prints the next step without starting the service', () => {
      const text = installed('/root/catp_1.deb');
      expect(text).toContain('sudo catp init --data /var/lib/catp');
      expect(text).toContain('o servidor escuta só em 127.0.0.1');
      expect(run('stat -c "%U %G %a %n" /var/lib/catp /etc/catp/catp.toml /usr/bin/catp')).toBe(
        'catp catp 700 /var/lib/catp\nroot catp 640 /etc/catp/catp.toml\nroot root 755 /usr/bin/catp\n',
      );
      expect(run('systemctl is-enabled catp')).toBe('enabled\n');
      expect(machine.run('systemctl is-active catp').output).toBe('inactive\n');
      expect(run('getent passwd catp')).toMatch(/:\/var\/lib\/catp:\/usr\/sbin\/nologin$/m);
      expect(
        run(
          'systemd-analyze verify catp.service; bash -c "source /usr/share/bash-completion/completions/catp"',
        ),
      ).toBe('');
      // The package does not include Litestream: the check of the units requires only that its file exists.
      run(
        'ln -s /bin/true /usr/bin/litestream && cp /usr/share/catp/duas-maquinas/*.service /etc/systemd/system',
      );
      run('systemctl daemon-reload');
      expect(run('systemd-analyze verify litestream.service catp-segue.service catp-segue-fim.service')).toBe(
        '',
      );
      run(
        'cd /etc/systemd/system && rm /usr/bin/litestream litestream.service catp-segue.service catp-segue-fim.service',
      );
      run('systemctl daemon-reload');
    });

    test('serves after catp init, also when root ran it: the service owns the created files', () => {
      run('sed -i "s/^# porta = 8080/porta = 8090/" /etc/catp/catp.toml');
      run(
        "cd /root && catp init --data /var/lib/catp --empresa 12345678 --nome 'Exemplo S.A.' --admin 00000000272 --admin-nome Ana",
      );
      expect(run('cat /etc/catp/catp.toml')).toMatch(/^perfil = "portal"$/m);
      run('systemctl start catp');
      expect(run('catp service status')).toContain('pronto em http://127.0.0.1:8090');
      run('curl -sSf http://127.0.0.1:8090/healthz');
      run("catp user add 00000000191 --nome 'Maria' --data /var/lib/catp");
      run('catp backup --data /var/lib/catp && catp job run teste-de-restauracao --data /var/lib/catp');
      expect(run('find /var/lib/catp ! -user catp')).toBe('');
      const findings = JSON.parse(
        machine.run('catp doctor --json --data /var/lib/catp 2>/dev/null').output,
      ) as { check: string; level: string }[];
      expect(findings.filter(({ level }) => level === 'warning' || level === 'error')).toEqual([]);
      expect(machine.run('catp service uninstall')).toMatchObject({
        code: 1,
        output: expect.stringContaining('apt remove catp') as string,
      });
    });

    test('an upgrade keeps data and edited settings, asks nothing, and restarts the service', () => {
      run(
        'mkdir /root/v2 && dpkg-deb -R /root/catp_1.deb /root/v2 && sed -i "s/^Version:.*/Version: 1.0.1-1/" /root/v2/DEBIAN/control && dpkg-deb --root-owner-group -Znone -b /root/v2 /root/catp_2.deb && rm -r /root/v2',
      );
      const pid = run('systemctl show -p MainPID --value catp');
      const settings = run('sha256sum /etc/catp/catp.toml');
      // The upgrade has no terminal and gets no answer.
      run('dpkg -i /root/catp_2.deb < /dev/null');
      expect(run('sha256sum /etc/catp/catp.toml')).toBe(settings);
      expect(run('ls /etc/catp')).toBe('catp.toml\n');
      expect(run("test -s /usr/share/doc/catp/catp.toml && dpkg-query -W -f='${Conffiles}' catp")).toBe('');
      expect(run('systemctl show -p MainPID --value catp')).not.toBe(pid);
      run('curl -sSf http://127.0.0.1:8090/healthz');
      expect(run('catp user list --data /var/lib/catp')).toContain('Maria');
    });

    test('an upgrade does not start or change a follower', () => {
      run('systemctl stop catp && touch /var/lib/catp/catp.sqlite-txid');
      const before = run('cd /var/lib/catp && sha256sum catp.*');
      expect(run('dpkg -i /root/catp_2.deb < /dev/null')).toContain('segue outra máquina');
      expect(machine.run('systemctl start catp && sleep 1; systemctl is-active catp').output).not.toBe(
        'active\n',
      );
      expect(run('cd /var/lib/catp && sha256sum catp.*')).toBe(before);
      run('rm /var/lib/catp/catp.sqlite-txid; systemctl reset-failed catp; systemctl start catp');
    });

    test('removal keeps the data and prints its path; the same package serves it again', () => {
      expect(run('apt-get remove -y catp')).toContain(
        'os dados ficam em /var/lib/catp, as configurações em /etc/catp',
      );
      expect(machine.run('systemctl is-active catp').output).toBe('inactive\n');
      run('test -e /var/lib/catp/catp.sqlite -a -e /etc/catp/catp.toml -a ! -e /usr/bin/catp');
      installed('/root/catp_2.deb');
      run('curl -sSf http://127.0.0.1:8090/healthz');
      expect(run('catp user list --data /var/lib/catp')).toContain('Maria');
    });

    test('purge prints the removed files, and keeps the backups', () => {
      const text = run('apt-get purge -y catp');
      expect(text).toMatch(/catp: apagando \/var\/lib\/catp \(\S+\): o catálogo, suas chaves/);
      expect(text).toMatch(/catp: ficam \d+ cópias de segurança em \/var\/lib\/catp\/backups\./);
      expect(text).toContain('catp: apagando /etc/catp');
      expect(text).toContain('catp: retirando o usuário catp.');
      expect(run('ls -A /var/lib/catp')).toBe('backups\n');
      expect(machine.run('ls -d /etc/catp; getent passwd catp').output).not.toContain('nologin');
      expect(machine.run('systemctl is-enabled catp 2>/dev/null').output).not.toBe('enabled\n');
    });

    test('the commands of the handbook install it, word by word', async () => {
      run('rm -r /var/lib/catp && mv /root/catp_2.deb /root/catp_1.0.1-1_amd64.deb');
      const block = await blockAfter('server-install');
      await Bun.write(
        join(folder, 'handbook'),
        `set -e\ncd /root\nsudo() { DEBIAN_FRONTEND=noninteractive "$@"; }\n${block}`,
      );
      await machine.put(join(folder, 'handbook'), '/root/handbook');
      // The last line is the exit code of doctor: 0 for no more than notices.
      const text = run('bash /root/handbook');
      expect(text).toContain('Client-Secret: ');
      expect(text).toContain('pronto em http://127.0.0.1:8080');
      expect(text).toContain('bom     drill: ');
    });
  });
});
