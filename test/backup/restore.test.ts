/** A restore reports every fault of a backup, and leaves the folder unchanged (contract section 16). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { zipSync } from 'fflate';
import { check, restore } from '../../src/backup/restore.ts';
import { openForReading } from '../../src/db/open.ts';
import { openApp } from '../support/app.ts';
import {
  type Members,
  type Scratch,
  bytesOf,
  manifestOf,
  membersOf,
  openScratch,
  withManifest,
} from './support.ts';

let scratch: Scratch;
let good: string;
let members: Members;

beforeAll(async () => {
  scratch = openScratch();
  const server = await openApp({ demo: true });
  const { backups } = server.app.core;
  ({ path: good } = await backups.make({ to: scratch.path, keys: join(server.folder, 'catp.key') }));
  await server.close();
  members = membersOf(good);
});
afterAll(() => scratch.close());

let made = 0;
/** A place where nothing is yet. */
const fresh = (): string => join(scratch.path, `pasta-${(made += 1)}`);

/** The database of the backup, changed. */
function changedDatabase(change: (db: Database.Database) => void): Uint8Array {
  const file = scratch.file(`mudado-${(made += 1)}.sqlite`, members['catp.sqlite'] ?? new Uint8Array());
  const db = new Database(file);
  change(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return readFileSync(file);
}

async function refusal(file: string, to = fresh()): Promise<string> {
  const before = existsSync(to) ? readdirSync(to) : undefined;
  const around = readdirSync(scratch.path).filter((name) => !name.startsWith('pasta-'));
  const told: string[] = [];
  for (const attempt of [() => restore({ file, to, restShare: 0 }), () => check({ file, restShare: 0 })])
    await attempt().then(
      () => told.push('restored'),
      (error: Error) => told.push(`${error.name}: ${error.message}`),
    );
  expect(existsSync(to) ? readdirSync(to) : undefined).toEqual(before);
  expect(readdirSync(scratch.path).filter((name) => !name.startsWith('pasta-'))).toEqual(around);
  const [first = '', second] = told;
  expect([first, second]).toEqual([expect.stringMatching(/^OperatorError: /), first]);
  return first;
}

describe('a good backup', () => {
  test('gives a folder with the database, the keys and nothing else', async () => {
    const to = fresh();
    const { counts, keys } = await restore({ file: good, to, restShare: 0 });
    expect([counts, keys]).toEqual([manifestOf(members).counts, true]);
    expect(readdirSync(to).toSorted()).toEqual(['catp.key', 'catp.sqlite', 'catp.writer', 'imports']);
    expect(Buffer.from(members['catp.key'] ?? '')).toEqual(readFileSync(join(to, 'catp.key')));
    const db = openForReading(join(to, 'catp.sqlite'));
    expect(db.prepare('SELECT count(*) FROM product').pluck().get()).toBe(counts.products);
    db.close();
  });

  test('goes into an empty folder, and over what a restore that died has left', async () => {
    const to = fresh();
    mkdirSync(join(to, '.restauracao'), { recursive: true });
    writeFileSync(join(to, '.restauracao', 'catp.sqlite'), 'metade');
    await restore({ file: good, to, restShare: 0 });
    expect(readdirSync(to).toSorted()).toEqual(['catp.key', 'catp.sqlite', 'catp.writer', 'imports']);
  });

  test('is found whole by a check, which leaves nothing', async () => {
    const before = readdirSync(scratch.path);
    expect((await check({ file: good, restShare: 0 })).counts).toEqual(manifestOf(members).counts);
    expect(readdirSync(scratch.path)).toEqual(before);
  });
});

describe('is refused, and nothing is left:', () => {
  test('a folder that is not empty', async () => {
    const to = fresh();
    mkdirSync(to);
    writeFileSync(join(to, 'fotos'), '');
    await expect(restore({ file: good, to, restShare: 0 })).rejects.toThrow('não está vazia (tem fotos)');
    expect(readdirSync(to)).toEqual(['fotos']);
  });

  test('a file that is not there, none at all, or no zip', async () => {
    expect(await refusal(join(scratch.path, 'falta.zip'))).toContain('não existe, ENOENT');
    expect(await refusal(scratch.file('vazio.zip', ''))).toContain('não pode ser restaurado');
    expect(await refusal(scratch.file('texto.zip', 'isto não é um zip'))).toContain('Zip corrompido');
  });

  test('a zip that was torn anywhere', async () => {
    const bytes = readFileSync(good);
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      const torn = scratch.file(`rasgado-${part}.zip`, bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(await refusal(torn)).toContain('não pode ser restaurado');
    }
  });

  test('a byte that has changed, wherever in the database', async () => {
    const bytes = readFileSync(good);
    for (const part of [0.2, 0.4, 0.6]) {
      const changed = Buffer.from(bytes);
      const at = Math.floor(bytes.length * part);
      changed.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
      expect(await refusal(scratch.file(`virado-${part}.zip`, changed))).toContain('não pode ser restaurado');
    }
  });

  test.each([
    ['gatilho', 'CREATE TRIGGER laço AFTER INSERT ON folder_mark BEGIN SELECT 1; END', 'o gatilho "laço"'],
    [
      'visão',
      'CREATE VIEW laço AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n',
      'a visão "laço"',
    ],
    ['tabela virtual', 'CREATE VIRTUAL TABLE laço USING fts5(texto)', 'a tabela virtual "laço"'],
    ['coluna', 'ALTER TABLE product ADD COLUMN laço INTEGER AS (1)', 'a coluna calculada "product.laço"'],
  ])('a database that runs SQL of its own: %s', async (name, sql, named) => {
    const file = scratch.zip(
      `${name}.zip`,
      withManifest({ ...members, 'catp.sqlite': changedDatabase((db) => db.exec(sql)) }),
    );
    expect(await refusal(file)).toContain(`o banco de dados tem ${named}, que nenhum banco do catp tem.`);
  });

  test('a hash that is another', async () => {
    const wrong = withManifest(members, (manifest) => ({
      ...manifest,
      sha256: { ...manifest.sha256, 'catp.sqlite': '0'.repeat(64) },
    }));
    expect(await refusal(scratch.zip('hash.zip', wrong))).toContain(
      'o sha256 de catp.sqlite não é o do manifest.json',
    );
  });

  test('keys that are another’s', async () => {
    const wrong = scratch.zip('chave.zip', { ...members, 'catp.key': bytesOf('outra\n') });
    expect(await refusal(wrong)).toContain('o sha256 de catp.key');
  });

  test('no manifest, or one that is none', async () => {
    const { 'manifest.json': _, ...without } = members;
    expect(await refusal(scratch.zip('sem.zip', without))).toContain('falta manifest.json');
    for (const [name, text] of [
      ...[
        ['texto', 'olá'],
        ['lista', '[]'],
        ['nada', '{}'],
      ],
      ['contagem', JSON.stringify({ ...manifestOf(members), counts: { products: 'muitos' } })],
      ['caminho', JSON.stringify({ ...manifestOf(members), sha256: { '../x': '0'.repeat(64) } })],
      ['grande', ' '.repeat(65 * 1024)],
    ] as const)
      expect(
        await refusal(scratch.zip(`${name}.zip`, { ...members, 'manifest.json': bytesOf(text) })),
      ).toContain('manifest.json');
  });

  test('a member that the manifest does not name, or that it names and is not there', async () => {
    const { 'catp.key': _, ...withoutKeys } = members;
    expect(await refusal(scratch.zip('falta.zip', withoutKeys))).toContain('falta catp.key');
    const unnamed = withManifest(members, ({ sha256: { 'catp.sqlite': only }, ...others }) => ({
      ...others,
      sha256: { 'catp.sqlite': only },
    }));
    expect(await refusal(scratch.zip('a-mais.zip', unnamed))).toContain('catp.key não está no manifest.json');
  });

  test('a member with another name: paths that leave the folder are written nowhere', async () => {
    const stray = join(scratch.path, 'fora');
    for (const name of ['../fora', stray, 'a/../../fora', '..\\fora', 'catp.toml']) {
      const { 'catp.key': _, ...others } = members;
      expect(await refusal(scratch.zip('estranho.zip', { ...others, [name]: bytesOf('x') }))).toContain(
        'que nenhuma cópia do catp tem',
      );
    }
    expect(existsSync(stray)).toBe(false);
  });

  test('a member that is there twice', async () => {
    // Two members of equally long names, one of them renamed in the bytes of the zip.
    const twice = Buffer.from(
      zipSync({ 'catp.sqlite': members['catp.sqlite'] ?? bytesOf(''), 'catp.sqlitX': bytesOf('x') }),
    );
    for (let at = twice.indexOf('catp.sqlitX'); at !== -1; at = twice.indexOf('catp.sqlitX'))
      twice.write('catp.sqlite', at);
    expect(await refusal(scratch.file('duas.zip', twice))).toContain('catp.sqlite duas vezes');
  });

  test('counts that are not those of the database', async () => {
    const wrong = withManifest(members, (manifest) => ({
      ...manifest,
      counts: { ...manifest.counts, products: manifest.counts.products + 1 },
    }));
    expect(await refusal(scratch.zip('contagem-errada.zip', wrong))).toContain('products:');
  });

  test('a database that is damaged, with hashes that fit', async () => {
    const broken = Buffer.from(members['catp.sqlite'] ?? '');
    broken.fill(0xff, 4096 * 3, 4096 * 8);
    expect(
      await refusal(scratch.zip('danificado.zip', withManifest({ ...members, 'catp.sqlite': broken }))),
    ).toContain('não pode ser restaurado');
    const none = withManifest({
      ...members,
      'catp.sqlite': bytesOf('isto não é um banco de dados; '.repeat(300)),
    });
    expect(await refusal(scratch.zip('nenhum.zip', none))).toContain('SQLITE_NOTADB');
  });

  test('rows whose parents are missing', async () => {
    const orphaned = changedDatabase((db) => {
      db.pragma('foreign_keys = OFF');
      db.exec('DELETE FROM company');
    });
    expect(
      await refusal(scratch.zip('orfao.zip', withManifest({ ...members, 'catp.sqlite': orphaned }))),
    ).toContain('registros sem aquilo a que se referem');
  });

  test('the schema of a newer version, which is named, and one that is not told as it is', async () => {
    const newer = changedDatabase((db) =>
      db.exec(
        "INSERT INTO migration (number, name, checksum, applied_at, applied_by) VALUES (999, 'future', 'x', 1, '9.8.7')",
      ),
    );
    const future = withManifest({ ...members, 'catp.sqlite': newer }, (manifest) => ({
      ...manifest,
      schema: 999,
    }));
    expect(await refusal(scratch.zip('futuro.zip', future))).toContain('Use o catp 9.8.7 ou um mais novo');
    const other = withManifest(members, (manifest) => ({ ...manifest, schema: manifest.schema + 1 }));
    expect(await refusal(scratch.zip('esquema.zip', other))).toContain('o manifest.json diz');
  });
});
