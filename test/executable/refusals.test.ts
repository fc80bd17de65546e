/** Refusals of catp: one Portuguese line with the next action, the right exit code, never a stack. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '../../src/db/open.ts';
import { type Sandbox, type Finished, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

/** Expects one line without a stack, and nothing on standard output. */
function oneLine({ code, stdout, stderr }: Finished, exitCode: number): string {
  expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringMatching(/^catp: [^\n]+\n$/)]);
  expect(stderr).not.toMatch(/\bat .*:\d+|\bError\b|node:|\$bunfs/);
  return stderr;
}

const refusalLine = (args: readonly string[], exitCode = 1): string => oneLine(sandbox.run(args), exitCode);

async function madeFolder(): Promise<void> {
  const catp = await sandbox.start('serve', '--port', '0', '--data', 'dados');
  expect(await catp.stop()).toBe(0);
  expect(sandbox.run(['company', 'add', '12345678', '--nome', 'X', '--data', 'dados']).code).toBe(0);
}

const ADVICE = 'Verifique o caminho, as permissões e o disco, ou indique outra com --data.';

describe('an unusable data folder is refused', () => {
  test('when it is a file, or below one: by the server and by commands', () => {
    writeFileSync(place('dados'), '');
    for (const command of [
      ['serve', '--port', '0'],
      ['dev', '--port', '0'],
    ])
      for (const data of ['dados', 'dados/abaixo']) {
        const message = refusalLine([...command, '--data', data]);
        expect(message).toContain(`A pasta de dados ${data} não pode ser usada (`);
        expect(message).toContain(ADVICE);
      }
    expect(refusalLine(['user', 'list', '--data', 'dados'])).toContain('dados');
    expect(refusalLine(['user', 'list', '--data', 'dados/abaixo'])).toContain('dados/abaixo');
    expect(readFileSync(place('dados'), 'utf8')).toBe('');
  });

  test('when it is not writable: by the server and by commands', async () => {
    await madeFolder();
    const run = withoutRights();
    if (run === undefined) return;
    mkdirSync(place('vazia'));
    chmodSync(place('vazia'), 0o555);
    for (const command of [['init'], ['dev', '--port', '0']])
      expect(oneLine(run([...command, '--data', 'vazia']), 1)).toContain(
        'A pasta de dados vazia não pode ser usada (',
      );
    for (const file of ['catp.sqlite', 'catp.key', 'catp.lock']) chmodSync(place('dados', file), 0o444);
    chmodSync(place('dados', 'imports'), 0o555);
    chmodSync(place('dados'), 0o555);
    for (const command of [
      ['serve', '--port', '0'],
      ['user', 'list'],
    ])
      expect(oneLine(run([...command, '--data', 'dados']), 1)).toMatch(
        /dados.* não pode ser (usada|aberto) \(.*SQLITE_(READONLY|CANTOPEN)/,
      );
    // The advice for an intact folder that cannot be opened is not a restore.
    const report = run(['doctor', '--data', 'dados']).stdout;
    expect(report).toMatch(
      /ERRO +integrity: .*SQLITE_(READONLY|CANTOPEN).*\n +→ Verifique as permissões e o disco\./,
    );
    expect(report).not.toContain('restaure a última cópia');
    chmodSync(place('dados'), 0o700);
    chmodSync(place('dados', 'catp.key'), 0o000);
    expect(oneLine(run(['user', 'list', '--data', 'dados']), 1)).toContain(
      'A pasta de dados dados não pode ser usada (dados/catp.key: sem permissão, EACCES)',
    );
    expect(run(['doctor', '--data', 'dados']).stdout).toContain(
      'não pode ser lida por este usuário (dados/catp.key: sem permissão, EACCES)',
    );
    chmodSync(place('dados', 'catp.key'), 0o600);
    chmodSync(place('dados', 'catp.lock'), 0o000);
    expect(oneLine(run(['serve', '--port', '0', '--data', 'dados']), 1)).toContain(
      'não pode ser usada (dados/catp.lock: não pôde ser aberto, SQLITE_CANTOPEN)',
    );
  });

  test('when its database is read-only: the server does not start, and catp doctor reports the reason', async () => {
    await madeFolder();
    const run = withoutRights();
    if (run === undefined) return;
    chmodSync(place('dados', 'catp.sqlite'), 0o444);
    expect(oneLine(run(['serve', '--port', '0', '--data', 'dados']), 1)).toMatch(
      /dados\/catp\.sqlite não pode ser aberto \(só permite leitura, SQLITE_READONLY/,
    );
    expect(oneLine(run(['user', 'add', '00000000191', '--nome', 'X', '--data', 'dados']), 1)).toContain(
      'O banco de dados só permite leitura (SQLITE_READONLY',
    );
    const { code, stdout } = run(['doctor', '--data', 'dados']);
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/ERRO +durability: O banco de dados não aceita gravações \(só permite leitura/),
    ]);
    // SQLite creates the other files with the mode of the database: the advice names all of them.
    for (const name of readdirSync(place('dados')).filter((file) => file.startsWith('catp.sqlite')))
      chmodSync(place('dados', name), 0o600);
    expect(run(['doctor', '--data', 'dados']).stdout).toMatch(/bom +durability/);
  });

  test('when its database is invalid, or its keys are broken or missing: commands create no new keys', async () => {
    await madeFolder();
    rmSync(place('dados', 'catp.key'));
    expect(refusalLine(['user', 'list', '--data', 'dados'])).toContain(
      'Falta o arquivo de chaves dados/catp.key',
    );
    expect(existsSync(place('dados', 'catp.key'))).toBe(false);
    writeFileSync(place('dados', 'catp.key'), 'curto\n');
    for (const command of [
      ['serve', '--port', '0'],
      ['user', 'list'],
    ])
      expect(refusalLine([...command, '--data', 'dados'])).toContain('está danificado. Restaure-o');
    rmSync(place('dados', 'catp.key'));
    sandbox.run(['init', '--new-keys', '--data', 'dados']);
    writeFileSync(place('dados', 'catp.sqlite'), 'isto não é um banco de dados; '.repeat(400));
    for (const name of ['catp.sqlite-wal', 'catp.sqlite-shm']) rmSync(place('dados', name), { force: true });
    expect(refusalLine(['serve', '--port', '0', '--data', 'dados'])).toContain(
      'não pode ser aberto (não é um banco de dados SQLite, SQLITE_NOTADB)',
    );
  });
});

describe('a database that lost all its data', () => {
  test.each([
    ['emptied', ''],
    ['of another program', undefined],
  ])('%s is never served as an empty catalogue, nor backed up as one', async (_, content) => {
    await madeFolder();
    const database = place('dados', 'catp.sqlite');
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    if (content !== undefined) writeFileSync(database, content);
    else {
      const foreign = openForWriting(database);
      foreign.exec('CREATE TABLE outra (coisa TEXT)');
      foreign.close();
    }
    const before = readFileSync(database);
    const reason = 'não tem nada do catp: foi esvaziado, ou é de outro programa';
    for (const command of [['serve', '--port', '0'], ['user', 'list'], ['backup']]) {
      const message = refusalLine([...command, '--data', 'dados']);
      expect(message).toContain(`O banco de dados dados/catp.sqlite ${reason}.`);
      expect(message).toContain('restaure a última cópia de segurança com catp restore');
    }
    const report = sandbox.run(['doctor', '--data', 'dados']);
    expect([report.code, report.stderr]).toEqual([2, '']);
    expect(report.stdout).toContain(reason);
    rmSync(place('dados', 'catp.key'));
    // A reader may remove its empty log.
    const namesNow = (): string[] => readdirSync(place('dados')).filter((name) => !/-(wal|shm)$/.test(name));
    const names = namesNow();
    expect(refusalLine(['init', '--new-keys', '--data', 'dados'])).toContain(reason);
    expect(namesNow()).toEqual(names);
    expect(existsSync(place('dados', 'catp.key'))).toBe(false);
    expect(readFileSync(database)).toEqual(before);
  });
});

describe('a damaged database', () => {
  test('is reported with the next step, at the start and during operation', async () => {
    await madeFolder();
    const [database, intact] = [place('dados', 'catp.sqlite'), readFileSync(place('dados', 'catp.sqlite'))];
    const PAGE = 4096;
    const NEXT_STEP = 'guarde a pasta como está e restaure a última cópia de segurança com catp restore.';
    writeFileSync(database, intact.subarray(0, intact.length / 2));
    for (const command of [
      ['serve', '--port', '0'],
      ['user', 'list'],
      ['audit', 'verify'],
    ])
      expect(refusalLine([...command, '--data', 'dados'])).toMatch(
        new RegExp(`está danificado, .*${NEXT_STEP}`),
      );
    writeFileSync(database, intact);
    const read = openForWriting(database);
    const root = read
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'company'")
      .pluck()
      .get() as number;
    read.close();
    writeFileSync(database, Buffer.from(intact).fill(0xa5, (root - 1) * PAGE, root * PAGE));
    expect(refusalLine(['company', 'list', '--data', 'dados'])).toMatch(
      new RegExp(`^catp: O banco de dados: está danificado, SQLITE_CORRUPT\\. .*${NEXT_STEP}`),
    );
  });
});

describe('unreadable files of options are refused', () => {
  test('CA and PEM files: missing, a folder, empty, broken', () => {
    sandbox.init('dados');
    mkdirSync(place('pasta'));
    writeFileSync(place('vazio.pem'), '');
    writeFileSync(place('torto.pem'), '-----BEGIN CERTIFICATE-----\nTUlJQg==\n-----END CERTIFICATE-----\n');
    for (const [file, reason] of [
      ['falta.pem', 'não existe, ENOENT'],
      ['pasta', 'é uma pasta, não um arquivo, EISDIR'],
      ['vazio.pem', 'não contém certificados em PEM'],
      ['torto.pem', 'o certificado 1 do arquivo torto.pem está danificado'],
    ] as const)
      for (const flags of [
        ['dev', '--ca', file, '--data', 'novos'],
        ['serve', '--set', `entrega.ca=${file}`, '--data', 'dados'],
      ]) {
        const message = refusalLine([...flags, '--port', '0'], 2);
        expect(message).toContain('entrega.ca: ');
        expect(message).toContain(reason);
      }
    expect(existsSync(place('novos'))).toBe(false);
  });

  test('a table of attributes, an event’s body, a file to import', async () => {
    await madeFolder();
    mkdirSync(place('pasta'));
    const data = ['--data', 'dados'];
    expect(
      refusalLine(['serve', '--port', '0', '--set', 'atributos.arquivo=falta.json', ...data], 2),
    ).toContain('O arquivo falta.json não pode ser lido (não existe, ENOENT)');
    expect(refusalLine(['attributes', 'load', 'pasta', ...data], 2)).toContain('é uma pasta');
    expect(refusalLine(['attributes', 'load', 'falta.json', ...data], 2)).toContain('não existe');
    const publish = ['event', 'publish', 'x', '--para', 'CNPJ:12345678', '--arquivo'];
    expect(refusalLine([...publish, 'falta.json', ...data], 2)).toContain('não existe, ENOENT');
    for (const [file, reason] of [
      ['falta.json', 'o arquivo não existe.'],
      ['pasta', 'é uma pasta, não um arquivo'],
    ] as const) {
      const { code, stderr } = sandbox.run(['import', 'produto', file, ...data]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
      expect(stderr).toContain('Nada foi gravado.');
    }
  });

  test('the folder of the receiver', () => {
    writeFileSync(place('no-caminho'), '');
    expect(refusalLine(['receiver', 'init', '--dir', 'no-caminho'])).toContain('Indique outra com --dir.');
    expect(refusalLine(['receiver', '--dir', 'no-caminho/ca'])).toContain('Indique outra com --dir.');
  });
});

describe('an unwritable output is reported before the work, and no partial file is left', () => {
  const PRODUCT = {
    seq: 1,
    cpfCnpjRaiz: '12345678',
    denominacao: 'A',
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  };

  test('--to of export and --erros of import', async () => {
    await madeFolder();
    mkdirSync(place('pasta'));
    writeFileSync(place('no-caminho'), '');
    writeFileSync(place('produtos.json'), JSON.stringify([PRODUCT, { ...PRODUCT, ncm: 'x' }]));
    const before = readdirSync(sandbox.folder).toSorted();
    const data = ['--data', 'dados'];
    for (const [file, reason] of [
      ['pasta', 'é uma pasta, não um arquivo, EISDIR'],
      ['falta/a.zip', 'não existe, ENOENT'],
      ['no-caminho/a.zip', 'uma parte do caminho é um arquivo, não uma pasta, ENOTDIR'],
    ] as const) {
      expect(refusalLine(['export', 'produto', '--empresa', '12345678', '--to', file, ...data])).toContain(
        `--to: ${file} não pode ser gravado (${reason})`,
      );
      const { code, stderr } = sandbox.run(['import', 'produto', 'produtos.json', '--erros', file, ...data]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`catp: --erros: ${file} não pode ser gravado (${reason})`),
      ]);
    }
    expect(readdirSync(sandbox.folder).toSorted()).toEqual(before);
    // The refused commands imported nothing.
    const list = sandbox.run(['export', 'produto', '--empresa', '12345678', '--to', '/dev/stdout', ...data]);
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining('/dev/stdout')]);
    const { stderr } = sandbox.run(['import', 'produto', 'produtos.json', '--erros', 'erros.csv', ...data]);
    expect(stderr).toContain('1 incluído,');
    expect(readFileSync(place('erros.csv'), 'utf8')).toContain('ncm');
    expect(readdirSync(sandbox.folder).filter((name) => name.endsWith('.parcial'))).toEqual([]);
  });

  test('a disk that is full during the write: the partial file is removed', async () => {
    await madeFolder();
    const items = Array.from({ length: 3 }, (_, index) => ({ ...PRODUCT, seq: index + 1, ncm: 'x' }));
    writeFileSync(place('produtos.json'), JSON.stringify(items));
    const run = ['import', 'produto', 'produtos.json', '--erros', '/dev/full', '--data', 'dados'];
    const { code, stderr } = sandbox.run(run);
    expect([code, stderr]).toEqual([1, expect.stringContaining('o disco está cheio, ENOSPC')]);
    expect(stderr).not.toMatch(/\bat .*:\d+/);
  });
});

describe('a disk that is too small', () => {
  const SMALL = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o size=300k none pequeno && exec "$0" "$@"'];
  const hasUnshare = Bun.spawnSync(['unshare', '-m', 'true']).exitCode === 0;
  if (!hasUnshare) console.warn('SKIPPED: no mounts of our own here; a full disk is NOT tried');

  test.skipIf(!hasUnshare)(
    'is reported by restore and by init with the next step, and not as a fault of the backup',
    async () => {
      await madeFolder();
      expect(sandbox.run(['backup', '--to', 'copias', '--data', 'dados']).code).toBe(0);
      const [copy = ''] = readdirSync(place('copias'));
      mkdirSync(place('pequeno'));
      const restored = oneLine(sandbox.run(['restore', `copias/${copy}`, '--to', 'pequeno/x'], {}, SMALL), 1);
      expect(restored).toMatch(
        /^catp: A cópia não cabe: o disco de pequeno\/x tem 300 KiB livres, e são precisos \S+ bytes; nada ficou gravado\. Libere espaço, /,
      );
      expect(oneLine(sandbox.run(['init', '--data', 'pequeno/y'], {}, SMALL), 1)).toMatch(
        /o disco está cheio, .* Libere espaço em disco e tente de novo\.\n$/,
      );
    },
  );

  test.skipIf(!hasUnshare).each([[], ['--tls', '0']])(
    'leaves no file of a first start of catp dev %j, and keeps all earlier files',
    (...flags: readonly string[]) => {
      mkdirSync(place('pequeno'));
      const first = `"$0" dev --port 0 ${flags.join(' ')} --data`;
      const script = `mkdir pequeno/meu; echo x > pequeno/meu/x; ${first} pequeno/a/b; ${first} pequeno/meu; find pequeno -mindepth 1`;
      const mounted = `mount -t tmpfs -o size=300k none pequeno && ${script}`;
      const { stdout, stderr } = sandbox.run([], {}, ['unshare', '-m', 'sh', '-c', mounted]);
      expect(stdout.trim().split('\n').toSorted()).toEqual(['pequeno/meu', 'pequeno/meu/x']);
      expect(stderr.match(/^catp: .*o disco está cheio/gm)).toHaveLength(2);
    },
  );
});

describe('the output of a command', () => {
  test('is complete through a pipe with a slow reader, and a reader that closes early is no error', async () => {
    await madeFolder();
    const db = openForWriting(place('dados', 'catp.sqlite'));
    const put = db.prepare(
      "INSERT INTO user (documento, nome, tipo, orgao, administrador) VALUES (?, ?, 'PRIV', NULL, 0)",
    );
    const USERS = 5000;
    for (let n = 0; n < USERS; n += 1) put.run(String(n).padStart(11, '0'), 'x'.repeat(100));
    db.close();
    const piped = (reader: string): string => {
      const line = `"$0" user list --data dados | ${reader}; echo " $?"`;
      const { stdout, stderr } = Bun.spawnSync(['bash', '-o', 'pipefail', '-c', line, sandbox.executable], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH ?? '' },
      });
      return `${String(stdout)}${String(stderr)}`.replaceAll(/\s+/g, ' ').trim();
    };
    expect(piped('(sleep 0.3; wc -l)')).toBe(`${USERS + 1} 0`);
    expect(piped('(head -n 1 | wc -l)')).toBe('1 0');
  });
});

describe('an unexpected error', () => {
  test('is reported in one line without a stack; the stack is printed on request', async () => {
    await madeFolder();
    const db = openForWriting(place('dados', 'catp.sqlite'));
    db.exec('DROP TABLE company');
    db.close();
    const args = ['company', 'list', '--data', 'dados'];
    expect(refusalLine(args)).toContain('Isto é um defeito do catp');
    const { code, stderr } = sandbox.run(args, { CATP_LOG_NIVEL: 'debug' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\n\s+at .*:\d+/)]);
  });
});

/**
 * Returns a function that runs catp without root rights. Prints a warning and returns `undefined` if
 * impossible.
 */
function withoutRights(): ((args: readonly string[]) => Finished) | undefined {
  if (process.getuid?.() !== 0) return (args) => sandbox.run(args);
  if (Bun.which('setpriv') === null) {
    console.warn('SKIPPED: root may write everywhere, and there is no setpriv to become somebody else.');
    return undefined;
  }
  const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
  Bun.spawnSync(['chown', '-R', '65534:65534', sandbox.folder, sandbox.executable]);
  Bun.spawnSync(['chmod', '0755', join(sandbox.executable, '..')]);
  return (args) => sandbox.run(args, {}, asNobody);
}
