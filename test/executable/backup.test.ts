/** Backup and restore for an operator (contract section 16). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading } from '../../src/db/open.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const PERSON = '00000000191';
const PAGE_BYTES = 4096;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

const refusal = (args: readonly string[], exitCode?: number): string => refusalOf(sandbox, args, exitCode);

/** Starts a server that has a company, a user with a key, and a product. */
async function startFilled() {
  sandbox.init('dados');
  const data = ['--data', 'dados'];
  outputOf(sandbox.run(['company', 'add', COMPANY, '--nome', 'X', ...data]));
  outputOf(sandbox.run(['user', 'add', PERSON, '--nome', 'Maria', ...data]));
  outputOf(sandbox.run(['representation', 'add', PERSON, COMPANY, ...data]));
  const key = outputOf(sandbox.run(['key', 'add', PERSON, ...data]));
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key) ?? [];
  const catp = await sandbox.start('serve', '--port', '0', ...data);
  const tokens = await tokensOf(catp.url, id, secret);
  const included = await fetch(`${catp.url}/catp/api/ext/produto/${COMPANY}`, {
    method: 'POST',
    headers: tokens as Record<string, string>,
    body: JSON.stringify({ denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '39269090' }),
  });
  expect(included.status).toBe(200);
  return { catp, tokens, product: await included.text() };
}

describe('catp backup next to a running server, and catp restore', () => {
  test('restore the same instance with its keys, data, users and open sessions', async () => {
    const { catp, tokens, product } = await startFilled();
    const output = outputOf(sandbox.run(['backup', '--data', 'dados', '--to', 'copias', '--with-keys']));
    const [file = ''] = readdirSync(place('copias'));
    expect(file).toMatch(/^catp-\d{8}T\d{6}\.zip$/);
    expect(output).toContain(`copias/${file}`);
    expect(output).toContain('1 produto em 1 versão');
    expect(await catp.stop()).toBe(0);

    expect(outputOf(sandbox.run(['restore', `copias/${file}`, '--check']))).toContain('A cópia está íntegra');
    expect(outputOf(sandbox.run(['restore', `copias/${file}`, '--to', 'novos']))).toContain(
      'catp serve --data novos',
    );
    const restarted = await sandbox.start('serve', '--port', '0', '--data', 'novos');
    const { codigo } = JSON.parse(product) as { codigo: number };
    const response = await ask(restarted.url, `/catp/api/ext/produto/${COMPANY}/${codigo}/1`, tokens);
    expect([response.status, await response.text()]).toEqual([200, product]);
  });

  test('restore a folder that is served only after its keys are added', async () => {
    await startFilled();
    outputOf(sandbox.run(['backup', '--data', 'dados']));
    const [file = ''] = readdirSync(place('dados', 'backups'));
    const output = outputOf(sandbox.run(['restore', `dados/backups/${file}`, '--to', 'novos']));
    expect(output).toContain('Faltam as chaves');
    expect(output).toContain('catp init --new-keys --data novos');
    expect(refusal(['serve', '--port', '0', '--data', 'novos'])).toContain('Falta o arquivo de chaves');
    writeFileSync(place('novos', 'catp.key'), readFileSync(place('dados', 'catp.key')), { mode: 0o600 });
    const restarted = await sandbox.start('serve', '--port', '0', '--data', 'novos');
    expect(await restarted.stop()).toBe(0);
  });

  test('restore a damaged instance with the keys next to it, by the commands of the guide', async () => {
    const { catp, tokens, product } = await startFilled();
    const { codigo } = JSON.parse(product) as { codigo: number };
    const path = `/catp/api/ext/produto/${COMPANY}/${codigo}/1`;
    outputOf(sandbox.run(['backup', '--data', 'dados']));
    expect(await catp.stop()).toBe(0);
    expect(readdirSync(place('dados'))).not.toContain('catp.sqlite-wal'); // a stop merges the log into the database
    const db = openForReading(place('dados', 'catp.sqlite'));
    const page = db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'product'").pluck();
    const at = ((page.get() ?? 0) - 1) * PAGE_BYTES;
    db.close();
    const bytes = readFileSync(place('dados', 'catp.sqlite'));
    writeFileSync(place('dados', 'catp.sqlite'), bytes.fill(0xff, at, at + PAGE_BYTES));

    const damaged = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect((await ask(damaged.url, path, tokens)).status).toBe(500);
    expect((await fetch(`${damaged.url}/readyz`)).status).toBe(503);
    expect(await damaged.stop()).toBe(0);
    expect(sandbox.run(['doctor', '--data', 'dados']).code).toBe(2);

    renameSync(place('dados'), place('danificada'));
    const [file = ''] = readdirSync(place('danificada', 'backups'));
    outputOf(sandbox.run(['restore', `danificada/backups/${file}`, '--to', 'dados']));
    for (const name of ['catp.key', 'catp.toml']) cpSync(place('danificada', name), place('dados', name));
    const restarted = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    const response = await ask(restarted.url, path, tokens);
    expect([response.status, await response.text()]).toEqual([200, product]);
    expect(await restarted.stop()).toBe(0);
  });

  test('the server logs the backup of the command, and the test job run by its name verifies the newest backup', async () => {
    const { catp } = await startFilled();
    outputOf(sandbox.run(['backup', '--data', 'dados']));
    const [file = ''] = readdirSync(place('dados', 'backups'));
    expect(
      JSON.parse(outputOf(sandbox.run(['job', 'run', 'teste-de-restauracao', '--data', 'dados']))),
    ).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/),
      file,
      ok: true,
    });
    const state = (await (await fetch(`${catp.url}/readyz`)).json()) as { backup: object };
    expect(state.backup).toMatchObject({ last: { file }, drill: { file, ok: true, message: null } });
  });
});

describe('the retention of backups', () => {
  test('--keep keeps the n newest backups of the folder, the new one included; without it all are kept', async () => {
    sandbox.init('dados');
    for (let times = 0; times < 3; times += 1)
      outputOf(sandbox.run(['backup', '--data', 'dados', '--to', 'copias']));
    expect(readdirSync(place('copias'))).toHaveLength(3);
    const output = outputOf(sandbox.run(['backup', '--data', 'dados', '--to', 'copias', '--keep', '2']));
    const copies = readdirSync(place('copias'));
    expect(copies).toHaveLength(2);
    expect(copies.some((name) => output.includes(`copias/${name}`))).toBe(true);
    expect(output).toContain('Cópias antigas apagadas: ');
    for (const wrong of ['0', 'x', '-1'])
      expect(refusal(['backup', '--data', 'dados', `--keep=${wrong}`], 2)).toContain('--keep');
  });

  test('the job follows backup.pasta, backup.manter and backup.horario', async () => {
    sandbox.init('dados');
    const settings = [
      '--set',
      'backup.pasta=outras',
      '--set',
      'backup.manter=1',
      '--set',
      'backup.horario=04:15',
    ];
    const jobs = outputOf(sandbox.run(['job', 'list', '--data', 'dados', ...settings]));
    expect(jobs).toMatch(/^backup +15 4 \* \* \*/m);
    expect(jobs).toMatch(/^teste-de-restauracao +45 4 \* \* \*/m);
    for (let times = 0; times < 2; times += 1)
      outputOf(sandbox.run(['job', 'run', 'backup', '--data', 'dados', ...settings]));
    expect([readdirSync(place('outras')).length, existsSync(place('dados', 'backups'))]).toEqual([1, false]);
    writeFileSync(place('copias.toml'), 'backup.pasta = "terceiras"\n');
    outputOf(sandbox.run(['backup', '--data', 'dados', '--config', 'copias.toml']));
    outputOf(sandbox.run(['backup', '--data', 'dados', '--set', 'backup.pasta=quartas']));
    expect(readdirSync(sandbox.folder)).toContain('terceiras');
    expect(readdirSync(sandbox.folder)).toContain('quartas');
    const never = outputOf(sandbox.run(['job', 'list', '--data', 'dados', '--set', 'backup.horario=nunca']));
    expect(never).toMatch(/^backup +- /m);
    const jobList = outputOf(
      sandbox.run(['job', 'list', '--data', 'dados', '--set', 'backup.horario=23:45']),
    );
    expect(jobList).toMatch(/^teste-de-restauracao +15 0 \* \* \*/m);
    const list = outputOf(sandbox.run(['job', 'list', '--data', 'dados']));
    expect(list).toMatch(/^Nome +Horário \(cron\) +O que faz\n/);
    expect(refusal(['job', 'run', 'bakcup', '--data', 'dados'])).toContain(
      "Não existe a tarefa 'bakcup'. Você quis dizer 'backup'? Conhecidas: ",
    );
    for (const wrong of ['24:00', '2:30', '02:60', 'sempre'])
      expect(refusal(['job', 'list', '--data', 'dados', '--set', `backup.horario=${wrong}`], 2)).toContain(
        'aceita hh:mm (por exemplo 02:30) ou nunca',
      );
  });
});

test('a path of catp.toml is relative to its folder, a path of catp init to the current folder; each path of a list too', () => {
  outputOf(sandbox.run(['init', '--data', 'dados', '--set', 'backup.pasta=copias']));
  expect(readFileSync(place('dados', 'catp.toml'), 'utf8')).toContain(`"${place('copias')}"`);
  writeFileSync(
    place('dados', 'catp.toml'),
    'backup.pasta = "../ao-lado"\nentrega.ca = ["a.pem", "b.pem"]\n',
  );
  outputOf(sandbox.run(['backup', '--data', 'dados']));
  expect(readdirSync(sandbox.folder).toSorted()).toEqual(['ao-lado', 'dados']);
  expect(refusal(['serve', '--port', '0', '--data', 'dados'], 2)).toContain(place('dados', 'a.pem'));
});

describe('is refused in one line with exit code 1, and leaves no file', () => {
  test('a backup of a folder without an instance, or to an unwritable destination', () => {
    expect(refusal(['backup', '--data', 'nada'])).toContain('não é uma pasta de dados');
    sandbox.init('dados');
    writeFileSync(place('no-caminho'), '');
    expect(refusal(['backup', '--data', 'dados', '--to', 'no-caminho'])).toContain('não foi feita');
  });

  test('an unwritable backup folder is reported by serve and by doctor', async () => {
    sandbox.init('dados');
    writeFileSync(place('no-caminho'), '');
    const setting = ['--set', 'backup.pasta=no-caminho/copias'];
    const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados', ...setting);
    expect(await catp.stop()).toBe(0);
    const UNWRITABLE = 'Nenhuma cópia de segurança pode ser gravada em no-caminho/copias';
    expect(await catp.allStderr()).toContain(UNWRITABLE);
    const { code, stdout } = sandbox.run(['doctor', '--data', 'dados', ...setting]);
    expect([code, stdout]).toEqual([2, expect.stringContaining(`ERRO    backup: ${UNWRITABLE}`)]);
  });

  test('a restore of a truncated file, or into a folder that is not empty', () => {
    sandbox.init('dados');
    outputOf(sandbox.run(['backup', '--data', 'dados', '--to', 'copias']));
    const [file = ''] = readdirSync(place('copias'));
    expect(refusal(['restore', `copias/${file}`, '--to', 'dados'])).toContain('dados não está vazia');
    const bytes = readFileSync(place('copias', file));
    writeFileSync(place('copias', file), bytes.subarray(0, bytes.length / 2));
    expect(refusal(['restore', `copias/${file}`, '--to', 'novos'])).toContain('não pode ser restaurado');
    expect(refusal(['restore', `copias/${file}`, '--check'])).toContain('não pode ser restaurado');
    expect([existsSync(place('novos')), readdirSync(place('copias'))]).toEqual([false, [file]]);
  });

  test('a restore with neither or both of --to and --check is a usage error', () => {
    refusal(['restore', 'x.zip'], 2);
    refusal(['restore', 'x.zip', '--to', 'novos', '--check'], 2);
  });

  test('a backup and a restore on a full disk', () => {
    outputOf(sandbox.run(['seed', '--products', '14000', '--data', 'dados']));
    outputOf(sandbox.run(['backup', '--data', 'dados', '--to', 'copias']));
    const [file = ''] = readdirSync(place('copias'));
    mkdirSync(place('outras'));
    // The limit of a file is 8 MiB: the database is larger, the in-memory file of the SQLite addon is
    // smaller.
    const limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$0" "$@"'];
    for (const [args, leaves] of [
      [['backup', '--data', 'dados', '--to', 'outras'], 'outras'],
      [['restore', `copias/${file}`, '--to', 'novos'], 'novos'],
    ] as const) {
      const { code, stderr } = sandbox.run(args, {}, limited);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/^catp: [^\n]+\n$/)]);
      expect(stderr).toMatch(/EFBIG|SQLITE_FULL|SQLITE_IOERR/);
      expect(existsSync(place(leaves)) ? readdirSync(place(leaves)) : []).toEqual([]);
    }
  });

  test('an interrupted backup leaves no file', async () => {
    sandbox.init('dados');
    const making = Bun.spawn([sandbox.executable, 'backup', '--data', 'dados', '--to', 'copias'], {
      cwd: sandbox.folder,
      env: {},
      stdout: 'pipe',
      stderr: 'pipe',
    });
    while (!existsSync(place('copias')) && making.exitCode === null) await Bun.sleep(1);
    making.kill('SIGTERM');
    await making.exited;
    const copies = readdirSync(place('copias'));
    expect(copies.filter((name) => !/^catp-\S+\.zip$/.test(name))).toEqual([]);
  });
});
