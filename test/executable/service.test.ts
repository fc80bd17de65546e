/**
 * `catp service`: the server as a systemd unit, and its messages to the systemd that started it (contract
 * section 16).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCatp } from '../support/executable.ts';
import { type Machine, bootMachine, noMachine } from '../support/machine.ts';
import { type NotifySocket, notifySocket } from '../support/notify-socket.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, openSandbox } from './support.ts';

const runsSystemd = existsSync('/run/systemd/system');
if (noMachine !== undefined)
  console.warn(`SKIPPED: no machine for tests, ${noMachine}; the unit is NOT tried under systemd`);

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

/** Returns the unit from the output of `--print`. */
const unitOf = (printed: string): string =>
  [...printed.matchAll(/^(?: {4}.*)?\n/gm)]
    .map(([line]) => line.slice(4) || '\n')
    .join('')
    .trimStart();

describe('catp service install --print', () => {
  test('prints each command, then the unit, and changes nothing', () => {
    sandbox.init('dados');
    const before = readdirSync(join(sandbox.folder, 'dados'));
    const output = outputOf(
      sandbox.run([
        'service',
        'install',
        '--print',
        '--data',
        'dados',
        '--user',
        'catalogo',
        '--name',
        'catp-filial',
      ]),
    );
    expect(output).toStartWith('executa useradd --system --user-group ');
    expect(output).toContain('grava /etc/systemd/system/catp-filial.service:');
    const unit = unitOf(output);
    expect(unit).toContain('\nType=notify\n');
    expect(unit).toContain('\nUser=catalogo\nGroup=catalogo\n');
    expect(unit).toContain(`\nExecStart=${sandbox.executable} serve --data ${sandbox.folder}/dados\n`);
    expect(unit).toContain(`\nReadWritePaths=${sandbox.folder}/dados\n`);
    expect(output).toContain(
      'executa systemctl restart catp-filial.service\ngrava /etc/systemd/system/catp-filial.service:\n\n',
    );
    expect(readdirSync(join(sandbox.folder, 'dados'))).toEqual(before);
    expect(existsSync('/etc/systemd/system/catp-filial.service')).toBe(false);
  });

  test('gives the service the rights of its settings: a low port, writable folders, the file of settings', () => {
    const config = join(sandbox.folder, 'ajustes.toml');
    writeFileSync(
      config,
      '[tls]\nporta = 443\n[backup]\npasta = "/mnt/copias"\n[log]\narquivo = "/srv/registro/catp.log"\n',
    );
    sandbox.init('dados');
    const output = outputOf(
      sandbox.run(['service', 'install', '--print', '--data', 'dados', '--config', config]),
    );
    const unit = unitOf(output);
    expect(unit).toContain(
      '\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n',
    );
    expect(unit).toContain(`\nReadWritePaths=${sandbox.folder}/dados /mnt/copias /srv/registro\n`);
    expect(unit).toContain(`serve --data ${sandbox.folder}/dados --config ${config}\n`);
    expect(output).toContain(`executa chgrp catp -- ${config}\n`);
    expect(output).toContain('executa install -d -m 0700 -o catp -g catp -- /mnt/copias\n');
  });

  test('gives write access to the folders that the file names relative to itself, from any current folder', () => {
    sandbox.init('dados');
    writeFileSync(
      join(sandbox.folder, 'dados', 'catp.toml'),
      'backup.pasta = "../copias"\nlog.arquivo = "sv.log"\n',
    );
    const output = outputOf(sandbox.run(['service', 'install', '--print', '--data', 'dados']));
    expect(unitOf(output)).toContain(`\nReadWritePaths=${sandbox.folder}/dados ${sandbox.folder}/copias\n`);
  });

  test('refuses a path with a line break in any option, and quotes commands as a shell requires', () => {
    const data = 'a b;c';
    sandbox.init(data);
    const print = ['service', 'install', '--print', '--data'];
    const broken = 'x\nExecStartPre=/bin/true';
    for (const words of [
      [...print, broken],
      [...print, data, '--config', broken],
    ])
      expect(refusalOf(sandbox, words, 2)).toContain('tem um caractere de controle');
    const printed = outputOf(sandbox.run([...print, data]));
    expect(printed).toContain(`executa chown -hR catp:catp -- '${sandbox.folder}/a b;c'\n`);
    expect(unitOf(printed)).toContain(`serve --data "${sandbox.folder}/a b;c"\n`);
  });

  test('refuses a folder that serve refuses', async () => {
    const print = ['service', 'install', '--print', '--data'];
    expect(refusalOf(sandbox, [...print, 'nada'])).toContain('não é uma pasta de dados do catp');
    const dev = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'dev');
    expect(await dev.stop()).toBe(0);
    expect(refusalOf(sandbox, [...print, 'dev'])).toContain('foi criada por catp dev');
    sandbox.init('dados');
    rmSync(join(sandbox.folder, 'dados', 'catp.key'));
    expect(refusalOf(sandbox, [...print, 'dados'])).toContain('Falta o arquivo de chaves');
  });
});

describe('catp service', () => {
  test('prints the files that an uninstall removes', () => {
    expect(outputOf(sandbox.run(['service', 'uninstall', '--print', '--name', 'catp-filial']))).toBe(
      'executa systemctl disable --now catp-filial.service\nexecuta systemctl daemon-reload\napaga /etc/systemd/system/catp-filial.service\n',
    );
  });

  test('refuses an invalid name of a unit or user', () => {
    expect(refusalOf(sandbox, ['service', 'status', '--name', '../x'], 2)).toContain(
      "--name: recebido '../x'",
    );
    expect(refusalOf(sandbox, ['service', 'install', '--user=-r'], 2)).toContain("--user: recebido '-r'");
  });

  test.skipIf(runsSystemd)('without systemd reports it, and installs nothing', () => {
    sandbox.init('dados');
    expect(refusalOf(sandbox, ['service', 'install', '--data', 'dados'])).toContain(
      'não é iniciada pelo systemd',
    );
    expect(refusalOf(sandbox, ['service', 'uninstall'])).toContain('não é iniciada pelo systemd');
    expect(refusalOf(sandbox, ['service', 'start', '--name', 'catp-filial'])).toContain('não é iniciada');
    expect(refusalOf(sandbox, ['service', 'stop', '--name', 'catp-filial'])).toContain('não é iniciada');
    expect(refusalOf(sandbox, ['service', 'status', '--json'])).toContain('O systemd não responde');
  });
});

describe.skipIf(process.platform !== 'linux')('a server that systemd started', () => {
  let socket: NotifySocket;
  afterEach(() => socket.close());

  async function startNotified(environment: Readonly<Record<string, string>> = {}) {
    sandbox.init('dados');
    const path = join(sandbox.folder, 'notify');
    socket = notifySocket(path);
    const env = { NOTIFY_SOCKET: path, ...environment };
    return startCatp(['serve', '--port', '0', '--data', 'dados'], {
      cwd: sandbox.folder,
      executable: sandbox.executable,
      env,
    });
  }

  test('sends READY with its address once it answers, RELOADING and READY around a SIGHUP, STOPPING before it ends', async () => {
    const catp = await startNotified();
    const ready = await socket.next('READY=1');
    expect(ready).toBe(`READY=1\nSTATUS=pronto em ${catp.url}`);
    expect((await fetch(`${catp.url}/healthz`)).status).toBe(200);
    catp.process.kill('SIGHUP');
    await socket.next('RELOADING=1');
    expect(await socket.next('READY=1')).toBe(ready);
    expect(await catp.stop()).toBe(0);
    await socket.next('STOPPING=1');
    expect(socket.messages().filter((message) => message.startsWith('WATCHDOG'))).toEqual([]);
  });

  test('does not send READY when it cannot listen', async () => {
    const first = await startNotified();
    await socket.next('READY=1');
    sandbox.init('outra');
    const { port } = new URL(first.url);
    const second = sandbox.run(['serve', '--port', port, '--data', 'outra'], {
      NOTIFY_SOCKET: join(sandbox.folder, 'notify'),
    });
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('já está em uso')]);
    expect(socket.messages()).toHaveLength(1);
    expect(await first.stop()).toBe(0);
  });

  test('notifies the watchdog as long as it runs', async () => {
    const catp = await startNotified({ WATCHDOG_USEC: '100000' });
    await socket.next('READY=1');
    for (let ping = 0; ping < 3; ping += 1) expect(await socket.next('')).toBe('WATCHDOG=1');
    expect(await catp.stop()).toBe(0);
  });

  test('does not notify a watchdog of another process', async () => {
    const catp = await startNotified({ WATCHDOG_USEC: '20000', WATCHDOG_PID: '1' });
    await socket.next('READY=1');
    for (let count = 0; count < 20; count += 1) await fetch(`${catp.url}/healthz`);
    expect(await catp.stop()).toBe(0);
    expect(socket.messages().filter((message) => message.startsWith('WATCHDOG'))).toEqual([]);
  });

  test('serves also when no process receives its notifications', async () => {
    const catp = await startNotified({ NOTIFY_SOCKET: '@nobody-listens-here' });
    expect((await fetch(`${catp.url}/healthz`)).status).toBe(200);
    expect(await catp.stop()).toBe(0);
  });
});

describe.skipIf(noMachine !== undefined)('under a real systemd', () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = await bootMachine();
    await machine.put(sandbox.executable, '/usr/local/bin/catp');
    runInMachine('chmod 755 /usr/local/bin/catp');
  });
  afterEach(() => machine.stop());

  function runInMachine(line: string): string {
    const { code, output } = machine.run(line);
    const problem = code === 0 ? '' : output + machine.run('journalctl --no-pager -n 40').output;
    expect([line, code, problem]).toEqual([line, 0, '']);
    return output;
  }

  test('the service is installed, serves with its own rights only, is stopped when it hangs, and removed', () => {
    expect(machine.run('catp service install')).toMatchObject({
      code: 1,
      output: expect.stringContaining('catp init') as string,
    });
    runInMachine('catp init --data /var/lib/catp');
    const output = runInMachine('catp service install');
    expect(output).toContain('Ele escuta em 127.0.0.1, porta 8080.');
    expect(runInMachine('catp service status')).toContain('catp.service: active (running)');
    const status = JSON.parse(runInMachine('catp service status --json')) as { pid: number };
    expect(status).toMatchObject({
      unit: 'catp.service',
      path: '/etc/systemd/system/catp.service',
      enabled: true,
      active: true,
      state: 'active (running)',
      status: 'pronto em http://127.0.0.1:8080',
      restarts: 0,
    });
    expect(runInMachine('curl -sS http://127.0.0.1:8080/healthz')).toContain('ok');
    const rights = runInMachine(`cat /proc/${status.pid}/status`);
    expect(rights).toMatch(/^CapBnd:\t0{16}$/m);
    expect(rights).toMatch(/^Seccomp:\t2$/m);
    expect(rights).not.toMatch(/^Uid:\t0/m);
    runInMachine('systemctl reload catp');

    // The watchdog kills a process that hangs, and systemd restarts it.
    runInMachine(
      'sed -i s/WatchdogSec=60/WatchdogSec=1/ /etc/systemd/system/catp.service && systemctl daemon-reload && systemctl restart catp',
    );
    runInMachine(
      'pid=$(systemctl show -p MainPID --value catp); kill -STOP $pid; while [ "$(systemctl show -p NRestarts --value catp)" = 0 ] || ! systemctl -q is-active catp; do sleep 0.1; done',
    );
    expect(runInMachine('curl -sS http://127.0.0.1:8080/healthz')).toContain('ok');

    expect(runInMachine('catp service stop')).toBe('O serviço catp terminou.\n');
    expect(machine.run('catp service status').code).toBe(1);
    expect(runInMachine('catp service start')).toBe('O serviço catp está em execução.\n');

    expect(runInMachine('catp service uninstall')).toContain('A pasta de dados e o usuário ficam.');
    expect(machine.run('catp service status')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Não há o serviço catp') as string,
    });
    expect(machine.run('catp service uninstall').code).toBe(1);

    // The service can use a data folder inside /tmp.
    runInMachine('catp init --data /tmp/catp --set porta=8082');
    runInMachine('catp service install --data /tmp/catp --name catp-tmp');
    expect(runInMachine('catp health --url http://127.0.0.1:8082 --wait 30')).toContain('pronto');
    runInMachine('catp service uninstall --name catp-tmp');
    expect(runInMachine('ls -A /var/lib/catp')).toContain('catp.sqlite');
  });
});
