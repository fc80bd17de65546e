/** The executable for Windows, run by Wine: the differences from Linux (contract section 23). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { type Ran, type Wine, noWine, openWine } from '../support/wine.ts';

// The timeout includes the creation of a Windows folder on a busy machine.
setDefaultTimeout(300_000);

if (noWine !== undefined) console.warn(`SKIPPED: ${noWine}; the executable for Windows is NOT tried`);

/** Number of starts and stops, the same as in the first trial of the service. */
const CYCLES = 10;

describe.skipIf(noWine !== undefined)('on Windows', () => {
  let wine: Wine;
  let port: number;
  let data: string;
  beforeAll(async () => {
    wine = await openWine();
    port = freePort();
    data = wine.windowsPath(join(wine.folder, 'dados'));
    outputOf(await wine.run(['init', '--data', data, '--set', `porta=${port}`]));
  });
  afterAll(() => wine?.close());

  function outputOf({ code, stdout, stderr }: Ran): string {
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout;
  }
  const health = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
  const logOf = (): string => readFileSync(join(wine.folder, 'dados', 'catp.log'), 'utf8');

  test('a service is printed, installed, started and stopped repeatedly, and removed', async () => {
    expect(await wine.run(['service', 'status'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Não há o serviço catp') as string,
    });
    const output = outputOf(await wine.run(['service', 'install', '--print', '--data', data]));
    expect(output).toContain('com a conta NT SERVICE\\catp: ');
    expect(output).toContain(`serve --data ${data} --windows-service catp\n`);
    expect((await wine.run(['service', 'status'])).code).toBe(1);

    expect(outputOf(await wine.run(['service', 'install', '--data', data]))).toContain(
      `O serviço catp está em execução e inicia com a máquina. Ele escuta em 127.0.0.1, porta ${port}.`,
    );
    for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
      expect(await health()).toContain('ok');
      expect(outputOf(await wine.run(['service', 'stop']))).toBe('O serviço catp terminou.\n');
      // A clean stop merges the log into the database.
      expect(readdirSync(join(wine.folder, 'dados'))).not.toContain('catp.sqlite-wal');
      const status = await wine.run(['service', 'status', '--json']);
      expect(status.code).toBe(1);
      expect(JSON.parse(status.stdout)).toMatchObject({
        name: 'catp',
        state: 'stopped',
        pid: null,
        exitCode: 0,
        account: 'NT SERVICE\\catp',
        startsByItself: true,
      });
      expect(outputOf(await wine.run(['service', 'start']))).toBe('O serviço catp está em execução.\n');
    }
    expect(await health()).toContain('ok');
    expect(outputOf(await wine.run(['service', 'status']))).toStartWith('catp: em execução\n');
    // The file has only the log of the service.
    expect(logOf()).toContain('"level":"INFO"');
    expect(logOf()).not.toContain('foi cortado');

    // A second install updates the service.
    expect(outputOf(await wine.run(['service', 'install', '--data', data]))).toContain('está em execução');
    expect(outputOf(await wine.run(['service', 'uninstall']))).toContain('A pasta de dados fica');
    expect((await wine.run(['service', 'status'])).stdout).toContain('Não há o serviço catp');
    expect(await wine.run(['service', 'stop', '--name', 'catp-filial'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Não há o serviço catp-filial.') as string,
    });
  });

  test('a service that cannot start logs the reason, and the command reports the failure', async () => {
    outputOf(await wine.run(['service', 'install', '--data', data, '--name', 'catp-filial']));
    outputOf(await wine.run(['service', 'stop', '--name', 'catp-filial']));
    rmSync(join(wine.folder, 'dados', 'catp.key'));
    const { code, stderr } = await wine.run(['service', 'start', '--name', 'catp-filial']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('terminou ao iniciar (código 1)')]);
    expect(logOf()).toContain('O servidor não iniciou: Falta o arquivo de chaves');
    outputOf(await wine.run(['init', '--new-keys', '--data', data]));
    outputOf(await wine.run(['service', 'uninstall', '--name', 'catp-filial']));
  });

  test('doctor lists the users with access to the folder, and prints the PowerShell command that closes it', async () => {
    const folder = join(wine.folder, 'dados');
    const all = (mode: number, fileMode: number): void => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        chmodSync(join(folder, name), existsSync(join(folder, name, '.')) ? mode : fileMode);
      chmodSync(folder, mode);
    };
    // Wine translates modes to access lists.
    all(0o755, 0o644);
    const { stdout: open } = await wine.run(['doctor', '--data', data]);
    expect(open).toContain('Outros usuários da máquina podem ler as chaves (');
    expect(open).toContain('catp.key: Todos');
    expect(open).toContain(`→ icacls '${data}' /inheritance:r /grant:r `);
    all(0o700, 0o600);
    expect((await wine.run(['doctor', '--data', data])).stdout).toContain(
      'Só o dono lê a pasta de dados e o que há nela.',
    );
  });

  test.each([
    ['a new folder', []],
    ['a temporary folder', ['--temporary']],
  ])(
    'a failed first start of dev in %s reports the reason and leaves no file, though Windows keeps open files',
    async (_, flags) => {
      const home = join(wine.folder, 'novos');
      const missingFile = wine.windowsPath(join(wine.folder, 'nada', 'pronto.json'));
      const { code, stderr } = await wine.run([
        ...['dev', '--port', '0', '--empty', '--clock', '2026-01-31T12:00:00Z'],
        ...['--data', wine.windowsPath(home), '--ready-file', missingFile, ...flags],
      ]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`--ready-file: ${missingFile} não pode ser gravado`),
      ]);
      expect(stderr).not.toContain('EBUSY');
      expect(existsSync(home)).toBe(false);
    },
  );

  test('Ctrl+Break and closing stop the server gracefully; Ctrl+C is handled by the runtime', async () => {
    const script = wine.windowsPath(join(import.meta.dir, '..', 'windows', 'console-main.ts'));
    expect(JSON.parse(outputOf(await wine.script(script)))).toEqual({
      ctrlC: { calls: 0, answered: 0 },
      ctrlBreak: { calls: 1, answered: 'held' },
      closing: { calls: 2, answered: 'held' },
    });
  });

  test('the printed next step is for PowerShell', async () => {
    const home = wine.windowsPath(join(wine.folder, "dados d'ouro"));
    const quotedHome = `'${home.replaceAll("'", "''")}'`;
    expect((await wine.run(['init', '--data', home])).stderr).toContain(`catp serve --data ${quotedHome}`);
    expect((await wine.run(['init', '--data', home])).stderr).toContain(
      `catp serve --data ${quotedHome}, ou`,
    );
    const outcome = await wine.run(['takeover', '--data', home]);
    expect(outcome.stderr).toContain('Set-Service catp -StartupType Disabled');
    expect(outcome.stderr).not.toContain('systemctl');
    const noKey = wine.windowsPath(join(wine.folder, 'prefix', 'system.reg'));
    const refusal = await wine.run(['init', '--data', `${home}2`, '--token-key', noKey]);
    expect([refusal.code, refusal.stderr]).toEqual([
      2,
      expect.stringContaining('[Security.Cryptography.RandomNumberGenerator]::Create()'),
    ]);
  });

  test('a change by the command line names the user of the machine in the log', async () => {
    const { code, stderr } = await wine.run([
      'company',
      'add',
      '12345678',
      '--nome',
      'Exemplo',
      '--data',
      data,
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/"uid":"\w+"/);
  });
});
