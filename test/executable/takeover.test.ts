/** `catp takeover` as an operator meets it (contract section 26): from the folder that followed to the one that writes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { refusalOf, said } from './outcome.ts';
import { type Alone, openAlone } from './support.ts';

let alone: Alone;
beforeEach(async () => {
  alone = await openAlone();
  alone.init('a');
  said(alone.run(['company', 'add', '12345678', '--nome', 'Norte', '--data', 'a']));
});
afterEach(() => alone.close());

const place = (...names: string[]): string => join(alone.folder, ...names);

/** What a follower has: the database and the keys that were brought; no seal. */
function follow(from: string, to: string): void {
  mkdirSync(place(to));
  for (const name of ['catp.sqlite', 'catp.key']) copyFileSync(place(from, name), place(to, name));
}

const takeover = (data: string) => alone.run(['takeover', '--data', data]);
const refused = (data: string): string => refusalOf(alone, ['takeover', '--data', data]);
const verify = (data: string): string => said(alone.run(['audit', 'verify', '--data', data]));

interface Entry {
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

const epochsIn = (data: string): Entry[] =>
  said(alone.run(['audit', 'export', '--data', data]))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
    .filter(({ subject }) => subject.startsWith('epoca '));

async function readyz(data: string) {
  const catp = await alone.start('serve', '--port', '0', '--data', data);
  const answer = await fetch(`${catp.url}/readyz`);
  await answer.body?.cancel();
  await catp.stop();
  return { epoch: answer.headers.get('catp-epoch'), since: answer.headers.get('catp-epoch-since') };
}

test('counts the epoch up, each time, and the trail of what followed is sound and tells of it', async () => {
  follow('a', 'b');
  const told = takeover('b');
  expect(said(told)).toContain('Época 2, desde 20');
  expect(told.stdout).toContain('a trilha confere até a entrada');
  expect(told.stdout).toContain('Não havia catp.seal');
  expect(told.stdout).toContain('url: DESTINO/epoca-2\n');
  expect(told.stdout).toContain(`- path: ${place('b', 'catp.sqlite')}\n`);
  expect(told.stdout).toContain('path: /run/litestream/catp.sock\n');
  expect(told.stderr).toContain('catp serve --data b');
  expect(verify('b')).toContain('A trilha de auditoria está inteira');
  expect(said(takeover('b'))).toContain('Época 3, desde 20');
  expect(verify('b')).toContain('A trilha de auditoria está inteira');
  const words = { channel: 'cli', action: 'SUBSTITUICAO' };
  expect(epochsIn('b')).toMatchObject([
    { ...words, subject: 'epoca 2', before: '1', after: '2' },
    { ...words, subject: 'epoca 3', before: '2', after: '3' },
  ]);
  expect(await readyz('b')).toEqual({ epoch: '3', since: expect.stringMatching(/^20.*T.*-03:00$/) });
  expect(await readyz('a')).toEqual({ epoch: '1', since: null });
});

test('obeys the settings, and does not wait for the Litestream that comes afterwards', () => {
  follow('a', 'b');
  writeFileSync(place('b.toml'), '[replica]\nsocket = "/run/um.sock"\nconfirmar = "sempre"\n');
  const one = alone.run(['takeover', '--data', 'b', '--config', 'b.toml']);
  expect(said(one)).toContain('path: /run/um.sock\n');
  const other = alone.run(['takeover', '--data', 'b', '--set', 'replica.socket=/run/outro.sock']);
  expect(said(other)).toContain('path: /run/outro.sock\n');
});

test('what Litestream knew of the place where this machine wrote before is to go', () => {
  follow('a', 'b');
  mkdirSync(place('b', '.catp.sqlite-litestream'));
  writeFileSync(place('b', 'catp.sqlite-txid'), '0000000000000002\n');
  expect(takeover('b').stderr).toContain(`rm -r ${place('b', '.catp.sqlite-litestream')}\n`);
  // A follower that is started by mistake would go on into the file.
  expect(existsSync(place('b', 'catp.sqlite-txid'))).toBe(false);
});

describe('a seal of when this machine wrote last', () => {
  test('that the trail goes on from is good', () => {
    follow('a', 'b');
    copyFileSync(place('a', 'catp.seal'), place('b', 'catp.seal'));
    said(alone.run(['company', 'add', '87654321', '--nome', 'Sul', '--data', 'a']));
    copyFileSync(place('a', 'catp.sqlite'), place('b', 'catp.sqlite'));
    expect(said(takeover('b'))).not.toContain('Não havia');
    expect(verify('b')).toContain('A trilha de auditoria está inteira');
  });

  test('that knows more than the trail is told, and the trail keeps it; the machine takes over all the same', () => {
    follow('a', 'b');
    said(alone.run(['company', 'add', '87654321', '--nome', 'Sul', '--data', 'a']));
    copyFileSync(place('a', 'catp.seal'), place('b', 'catp.seal'));
    const told = takeover('b');
    expect(told.code).toBe(0);
    expect(told.stderr).toMatch(/não está inteira, e passa a dizê-lo\. Faltam? .*catp\.seal/);
    expect(refusalOf(alone, ['audit', 'verify', '--data', 'b'])).toContain('não está inteira');
  });
});

describe('refuses, and counts nothing up,', () => {
  test('a folder that is served', async () => {
    await alone.start('serve', '--port', '0', '--data', 'a');
    expect(refused('a')).toContain('a está em uso por outro catp');
    expect(epochsIn('a')).toEqual([]);
  });

  test('one without its keys, with those of another, and one that is none', () => {
    follow('a', 'b');
    rmSync(place('b', 'catp.key'));
    expect(refused('b')).toContain('Falta o arquivo de chaves');
    alone.init('c');
    copyFileSync(place('c', 'catp.key'), place('b', 'catp.key'));
    expect(refused('b')).toContain('é de outra instância');
    copyFileSync(place('a', 'catp.key'), place('b', 'catp.key'));
    expect(said(takeover('b'))).toContain('Época 2, desde');
    expect(refused('d')).toContain('não é uma pasta de dados');
  });

  test('a database that is damaged', () => {
    follow('a', 'b');
    const file = openSync(place('b', 'catp.sqlite'), 'r+');
    const half = Math.floor(statSync(place('b', 'catp.sqlite')).size / 2);
    writeSync(file, Buffer.alloc(half, 7), 0, half, 8192);
    closeSync(file);
    const told = refused('b');
    expect(told).toMatch(/^catp: O banco de dados .* está danificado/);
    expect(told).toContain('A época não mudou');
  });
});
