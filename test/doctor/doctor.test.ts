/**
 * The checks of `catp doctor` on the folder itself: a good and a bad state of each, on real files (contract
 * section 16).
 */
import { describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { putDrill, putLast } from '../../src/backup/marks.ts';
import { MINUTE_MS } from '../../src/clock.ts';
import { FolderMarks } from '../../src/db/folder-mark.ts';
import { type Finding, exitCodeOf } from '../../src/doctor/model.ts';
import { START } from '../support/app.ts';
import {
  GIB,
  HEALTHY,
  type Situation,
  originalPath,
  folderForEachTest,
  findings,
  folder,
  inDatabase,
  place,
  verdictOf,
} from './support.ts';

folderForEachTest();

describe('a healthy instance', () => {
  test('is good in every check, once it has a tested backup', async () => {
    inDatabase((db) => {
      const marks = new FolderMarks(db);
      writeFileSync(place('catp-1.zip'), 'x');
      putLast(marks, { at: START, file: 'catp-1.zip', bytes: 1, path: place('catp-1.zip') });
      putDrill(marks, { at: START, file: 'catp-1.zip', ok: true, message: null });
    });
    const all = await findings();
    expect(all.map(({ check, level }) => [check, level])).toEqual(
      [
        'integrity',
        'foreign-keys',
        'schema',
        'writer',
        'durability',
        'permissions',
        'folders',
        'disk',
        'clock',
        'tls',
        'attribute-table',
      ]
        .concat('backup', 'drill', 'audit', 'settings')
        .map((check) => [check, 'ok']),
    );
    expect(exitCodeOf(all)).toBe(0);
  });

  test('is checked without a change of any file', async () => {
    const before = ['catp.sqlite', 'catp.key'].map((name) => readFileSync(place(name)));
    await findings();
    expect(['catp.sqlite', 'catp.key'].map((name) => readFileSync(place(name)))).toEqual(before);
  });
});

test('the exit code is that of the worst finding', () => {
  const at = (level: Finding['level']): Finding => ({ check: 'x', level, message: '', remedy: null });
  expect(
    [[], ['ok'], ['ok', 'notice'], ['notice', 'warning'], ['warning', 'error', 'ok']].map((levels) =>
      exitCodeOf((levels as Finding['level'][]).map(at)),
    ),
  ).toEqual([0, 0, 0, 1, 2]);
});

describe('integrity', () => {
  test('a damaged page, a file that is no database, none at all', async () => {
    const file = readFileSync(place('catp.sqlite'));
    const damaged = Buffer.from(file);
    damaged.fill(0xff, file.length - 4096 * 20, file.length - 4096 * 4);
    writeFileSync(place('catp.sqlite'), damaged);
    const [level, text] = await verdictOf('integrity');
    expect([level, text]).toEqual(['error', expect.stringContaining('catp restore')]);
    // The message of SQLite is several lines of English.
    const page = Buffer.from(file);
    page.fill(0xff, 31 * 4096, 32 * 4096);
    writeFileSync(place('catp.sqlite'), page);
    expect((await verdictOf('integrity'))[1]).toMatch(
      /^O banco de dados está danificado: a página 32, da árvore \d+, está estragada\. [^\n]+$/,
    );
    writeFileSync(place('catp.sqlite'), 'isto não é um banco de dados; '.repeat(400));
    expect((await verdictOf('integrity'))[0]).toBe('error');
    expect((await verdictOf('schema'))[0]).toBe('none');
    rmSync(place('catp.sqlite'));
    expect((await verdictOf('integrity'))[0]).toBe('error');
  });
});

describe('foreign-keys', () => {
  test('rows without the rows that they refer to', async () => {
    inDatabase((db) => db.exec('DELETE FROM company'));
    expect(await verdictOf('foreign-keys')).toEqual(['error', expect.stringContaining('product')]);
  });
});

describe('schema', () => {
  test('an older one is a notice, a newer one an error with its version, and so is another text', async () => {
    const last = 'number = (SELECT max(number) FROM migration)';
    inDatabase((db) => db.exec(`UPDATE migration SET checksum = 'x' WHERE ${last}`));
    expect(await verdictOf('schema')).toEqual(['error', expect.stringContaining('difere')]);
    inDatabase((db) => db.exec(`DELETE FROM migration WHERE ${last}`));
    expect(await verdictOf('schema')).toEqual(['notice', expect.stringContaining('versão anterior')]);
    // The state that a version without a trail left.
    inDatabase((db) => db.exec("DROP TABLE audit_page; DELETE FROM migration WHERE name LIKE 'audit%'"));
    for (const check of ['audit', 'backup', 'drill', 'clock', 'attribute-table'])
      expect(await verdictOf(check)).toEqual(['notice', expect.stringContaining('Não se sabe')]);
    copyFileSync(originalPath('catp.sqlite'), place('catp.sqlite'));
    inDatabase((db) =>
      db.exec(
        "INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (999, 'future', 'x', 1, '9.8.7')",
      ),
    );
    expect(await verdictOf('schema')).toEqual(['error', expect.stringContaining('catp 9.8.7')]);
  });
});

describe('durability', () => {
  test('a folder in memory, and a database in a mode that another program has set', async () => {
    expect(await verdictOf('durability', { disk: { ...HEALTHY, isVolatile: true } })).toEqual([
      'error',
      expect.stringContaining('em memória'),
    ]);
    inDatabase((db) => db.pragma('journal_mode = DELETE'));
    expect(await verdictOf('durability')).toEqual(['warning', expect.stringContaining('delete')]);
  });
});

describe('permissions', () => {
  test('a folder that others can read is a warning; readable or missing keys are an error', async () => {
    chmodSync(place('catp.key'), 0o600);
    chmodSync(folder, 0o755);
    expect(await verdictOf('permissions')).toEqual([
      'warning',
      expect.stringContaining(`chmod -R go= ${folder}`),
    ]);
    chmodSync(place('catp.key'), 0o640);
    expect(await verdictOf('permissions')).toEqual(['error', expect.stringContaining('ler as chaves')]);
    chmodSync(folder, 0o700);
    expect((await verdictOf('permissions'))[0]).toBe('ok');
    writeFileSync(place('catp.key'), 'curto');
    expect(await verdictOf('permissions')).toEqual(['error', expect.stringContaining('está danificado')]);
    rmSync(place('catp.key'));
    expect(await verdictOf('permissions')).toEqual([
      'error',
      expect.stringContaining('catp init --new-keys'),
    ]);
  });
});

describe('disk', () => {
  const MIB = 1024 * 1024;
  const free = (freeBytes: number): Situation => ({ disk: { freeBytes, isVolatile: false } });

  test('less than a gibibyte or twice the database is a warning; less than 100 MiB is an error', async () => {
    const at = async (bytes: number): Promise<string> => (await verdictOf('disk', free(bytes)))[0];
    expect([await at(GIB), await at(GIB - 1), await at(100 * MIB), await at(100 * MIB - 1)]).toEqual([
      ...['ok', 'warning', 'warning', 'error'],
    ]);
    expect(statSync(place('catp.sqlite')).size).toBeLessThan(GIB / 2);
  });
});

describe('clock', () => {
  test('behind the last write, or never set', async () => {
    expect((await verdictOf('clock', { now: START - 5 * MINUTE_MS }))[0]).toBe('ok');
    expect(await verdictOf('clock', { now: START - 5 * MINUTE_MS - 1 })).toEqual([
      'error',
      expect.stringContaining('NTP'),
    ]);
    expect(await verdictOf('clock', { now: 0 })).toEqual([
      'error',
      expect.stringContaining('nunca foi acertado'),
    ]);
  });
});
