/** `catp takeover` for an operator (contract section 26): from the following folder to the writing one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, openSandbox } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  sandbox.init('a');
  outputOf(sandbox.run(['company', 'add', '12345678', '--nome', 'Norte', '--data', 'a']));
});
afterEach(() => sandbox.close());

const place = (...names: string[]): string => join(sandbox.folder, ...names);

/** Creates the folder of a follower: a copy of database and keys, without the seal. */
function follow(from: string, to: string): void {
  mkdirSync(place(to), { mode: 0o700 });
  for (const name of ['catp.sqlite', 'catp.key']) copyFileSync(place(from, name), place(to, name));
}

function damage(data: string): void {
  const file = openSync(place(data, 'catp.sqlite'), 'r+');
  const half = Math.floor(statSync(place(data, 'catp.sqlite')).size / 2);
  writeSync(file, Buffer.alloc(half, 7), 0, half, 8192);
  closeSync(file);
}

const takeover = (data: string) => sandbox.run(['takeover', '--data', data]);
const refusal = (data: string): string => refusalOf(sandbox, ['takeover', '--data', data]);
const verify = (data: string): string => outputOf(sandbox.run(['audit', 'verify', '--data', data]));

interface Entry {
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

const epochsIn = (data: string): Entry[] =>
  outputOf(sandbox.run(['audit', 'export', '--data', data]))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
    .filter(({ subject }) => subject.startsWith('epoca '));

async function readyz(data: string) {
  const catp = await sandbox.start('serve', '--port', '0', '--data', data);
  const answer = await fetch(`${catp.url}/readyz`);
  await answer.body?.cancel();
  await catp.stop();
  return { epoch: answer.headers.get('catp-epoch'), since: answer.headers.get('catp-epoch-since') };
}

test('increments the epoch each time, and the trail of the follower is intact and records it', async () => {
  follow('a', 'b');
  const outcome = takeover('b');
  expect(outputOf(outcome)).toContain('Época 2, desde 20');
  expect(outcome.stdout).toContain('a trilha confere até a entrada');
  expect(outcome.stdout).toContain('Não havia catp.seal');
  expect(outcome.stdout).toContain('url: DESTINO/epoca-2\n');
  expect(outcome.stdout).toContain(`- path: ${place('b', 'catp.sqlite')}\n`);
  expect(outcome.stdout).toContain('path: /run/litestream/catp.sock\n');
  expect(outcome.stderr).toContain('catp serve --data b');
  expect(verify('b')).toContain('A trilha de auditoria está íntegra');
  expect(outputOf(takeover('b'))).toContain('Época 3, desde 20');
  expect(verify('b')).toContain('A trilha de auditoria está íntegra');
  const words = { channel: 'cli', action: 'SUBSTITUICAO' };
  expect(epochsIn('b')).toMatchObject([
    { ...words, subject: 'epoca 2', before: '1', after: '2' },
    { ...words, subject: 'epoca 3', before: '2', after: '3' },
  ]);
  expect(await readyz('b')).toEqual({ epoch: '3', since: expect.stringMatching(/^20.*T.*-03:00$/) });
  expect(await readyz('a')).toEqual({ epoch: '1', since: null });
});

test('obeys the settings, and does not wait for the Litestream that starts later', () => {
  follow('a', 'b');
  writeFileSync(place('b.toml'), '[replica]\nsocket = "/run/um.sock"\nconfirmar = "sempre"\n');
  const fromFile = sandbox.run(['takeover', '--data', 'b', '--config', 'b.toml']);
  expect(outputOf(fromFile)).toContain('path: /run/um.sock\n');
  const fromOption = sandbox.run(['takeover', '--data', 'b', '--set', 'replica.socket=/run/outro.sock']);
  expect(outputOf(fromOption)).toContain('path: /run/outro.sock\n');
});

test('requests the removal of the files of Litestream from an earlier period of writing', () => {
  follow('a', 'b');
  mkdirSync(place('b', '.catp.sqlite-litestream'));
  writeFileSync(place('b', 'catp.sqlite-txid'), '0000000000000002\n');
  expect(takeover('b').stderr).toContain(`rm -r ${place('b', '.catp.sqlite-litestream')}\n`);
  // A follower that is started by mistake would continue to write to the file.
  expect(existsSync(place('b', 'catp.sqlite-txid'))).toBe(false);
});

describe('a seal of an earlier period of writing', () => {
  test('is valid when the trail continues from it', () => {
    follow('a', 'b');
    copyFileSync(place('a', 'catp.seal'), place('b', 'catp.seal'));
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Sul', '--data', 'a']));
    copyFileSync(place('a', 'catp.sqlite'), place('b', 'catp.sqlite'));
    expect(outputOf(takeover('b'))).not.toContain('Não havia');
    expect(verify('b')).toContain('A trilha de auditoria está íntegra');
  });

  test('that is newer than the trail is reported and recorded in the trail; the machine still takes over', () => {
    follow('a', 'b');
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Sul', '--data', 'a']));
    copyFileSync(place('a', 'catp.seal'), place('b', 'catp.seal'));
    const outcome = takeover('b');
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(/não está íntegra, e passa a dizê-lo\. Faltam? .*catp\.seal/);
    expect(refusalOf(sandbox, ['audit', 'verify', '--data', 'b'])).toContain('não está íntegra');
  });
});

/** Returns the bytes of each file of a folder. */
const bytesOf = (data: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(place(data)).map((name) => [
      name,
      statSync(place(data, name)).isFile()
        ? new Bun.CryptoHasher('sha256').update(readFileSync(place(data, name))).digest('hex')
        : 'a folder',
    ]),
  );

const WRITING = [
  ['serve', '--port', '0'],
  ['dev', '--port', '0'],
  ['company', 'add', '87654321', '--nome', 'Sul'],
  ['backup'],
  ['job', 'run', 'retencao'],
  ['migrate'],
  ['init', '--new-keys'],
];
const READING = [
  ['company', 'list'],
  ['audit', 'export'],
  ['audit', 'verify'],
  ['export', 'produto', '--empresa', '12345678', '--to', 'fora.zip'],
  ['doctor'],
];

describe('a folder that another machine writes to', () => {
  test.each([
    ['that Litestream brings up to date', 'catp.sqlite-txid'],
    ['that came from a replica, and which nothing follows any more', 'catp.writer'],
  ])('%s is refused for writing with the name of takeover, and commands that read accept it', (_, sign) => {
    follow('a', 'b');
    if (sign === 'catp.sqlite-txid') writeFileSync(place('b', sign), '0000000000000002\n');
    const before = bytesOf('b');
    for (const words of WRITING) {
      const message = refusalOf(sandbox, [...words, '--data', 'b']);
      expect([words, message]).toEqual([words, expect.stringContaining('catp takeover --data b')]);
      expect([words, message]).toEqual([words, expect.stringContaining(sign)]);
      expect([words, bytesOf('b')]).toEqual([words, before]);
    }
    for (const words of READING) {
      const { stdout, stderr } = sandbox.run([...words, '--data', 'b']);
      expect([words, stderr, stdout === '']).toEqual([words, '', false]);
      expect([words, bytesOf('b')]).toEqual([words, before]);
    }
    outputOf(takeover('b'));
    outputOf(sandbox.run(['company', 'add', '87654321', '--nome', 'Sul', '--data', 'b']));
  });

  test('is refused with the writer of another folder', () => {
    follow('a', 'b');
    sandbox.init('c');
    copyFileSync(place('c', 'catp.writer'), place('b', 'catp.writer'));
    expect(refusalOf(sandbox, ['serve', '--port', '0', '--data', 'b'])).toContain('catp.writer é de outra');
  });

  test('is reported by doctor, and so is a superseded one, also when no other machine is named', () => {
    follow('a', 'b');
    writeFileSync(place('b', 'catp.sqlite-txid'), '0000000000000002\n', { mode: 0o600 });
    expect(sandbox.run(['doctor', '--data', 'b'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^aviso {3}writer: .*\n.*disable --now catp/m),
    });
    writeFileSync(place('a', 'catp.superseded'), JSON.stringify({ number: 2, since: 1 }));
    expect(sandbox.run(['doctor', '--data', 'a']).stdout).toMatch(/^ERRO {4}writer: .*substituída/m);
    for (const words of WRITING)
      expect(refusalOf(sandbox, [...words, '--data', 'a'])).toContain('Esta instância foi substituída');
    expect(outputOf(takeover('a'))).toContain('Época 3');
    expect(sandbox.run(['doctor', '--data', 'a']).stdout).toMatch(/^bom {5}writer: /m);
  });
});

describe('a follower with local writes', () => {
  const PROCEDURE = /litestream restore -o b\/catp\.sqlite .*rode catp takeover outra vez/;

  test('after a kill or a stop is reported with the procedure that loses nothing', () => {
    follow('a', 'b');
    writeFileSync(place('b', 'catp.sqlite-txid'), '0000000000000002\n');
    writeFileSync(place('b', 'catp.sqlite-wal'), 'a log');
    const killed = refusal('b');
    expect(killed).toContain('um catp gravou nela (há catp.sqlite-wal)');
    expect(killed).toMatch(PROCEDURE);
    rmSync(place('b', 'catp.sqlite-wal'));
    const { mtimeMs } = statSync(place('b', 'catp.sqlite'));
    utimesSync(place('b', 'catp.sqlite-txid'), (mtimeMs - 2000) / 1000, (mtimeMs - 2000) / 1000);
    const refusalText = refusal('b');
    expect(refusalText).toContain('catp.sqlite é mais novo que catp.sqlite-txid');
    expect(refusalText).toMatch(PROCEDURE);
    expect(existsSync(place('b', 'catp.sqlite-txid'))).toBe(true);
    utimesSync(place('b', 'catp.sqlite-txid'), mtimeMs / 1000, mtimeMs / 1000);
    expect(outputOf(takeover('b'))).toContain('Época 2');
  });

  test('with a damaged replica is not referred to the last backup', () => {
    follow('a', 'b');
    damage('b');
    writeFileSync(place('b', 'catp.sqlite-txid'), '0000000000000002\n');
    const message = refusal('b');
    expect(message).toMatch(/está danificado.*A época não mudou/);
    expect(message).toMatch(PROCEDURE);
    expect(message).not.toContain('catp restore');
  });
});

test('a folder without its subfolders gets them at the start, and accepts an upload and a backup', async () => {
  follow('a', 'b');
  outputOf(takeover('b'));
  rmSync(place('b', 'imports'), { recursive: true, force: true });
  const catp = await sandbox.start('serve', '--port', '0', '--data', 'b');
  expect((await fetch(`${catp.url}/readyz`)).status).toBe(200);
  expect([existsSync(place('b', 'imports')), existsSync(place('b', 'backups'))]).toEqual([true, true]);
  rmSync(place('b', 'imports'), { recursive: true });
  const upload = async (): Promise<string> => {
    const answer = await fetch(`${catp.url}/readyz`);
    return answer.text();
  };
  let text = await upload();
  while (!text.includes('Nenhum arquivo pode ser recebido')) text = await upload();
  await catp.stop();
  expect(sandbox.run(['doctor', '--data', 'b']).stdout).toMatch(/^aviso {3}folders: Falta b\/imports/m);
});

describe('is refused without a new epoch for', () => {
  test('a folder in use by a server', async () => {
    await sandbox.start('serve', '--port', '0', '--data', 'a');
    expect(refusal('a')).toContain('a está em uso por outro catp');
    expect(epochsIn('a')).toEqual([]);
  });

  test('a folder without its keys, with those of another, and a folder without an instance', () => {
    follow('a', 'b');
    rmSync(place('b', 'catp.key'));
    expect(refusal('b')).toContain('Falta o arquivo de chaves');
    sandbox.init('c');
    copyFileSync(place('c', 'catp.key'), place('b', 'catp.key'));
    expect(refusal('b')).toContain('é de outra instância');
    copyFileSync(place('a', 'catp.key'), place('b', 'catp.key'));
    expect(outputOf(takeover('b'))).toContain('Época 2, desde');
    expect(refusal('d')).toContain('não é uma pasta de dados');
  });

  test('a damaged database', () => {
    follow('a', 'b');
    damage('b');
    const message = refusal('b');
    expect(message).toMatch(/^catp: O banco de dados .* está danificado/);
    expect(message).toContain('A época não mudou');
  });
});
