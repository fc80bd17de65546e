/** A restore reports every fault of a backup, and leaves the folder unchanged (contract section 16). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { zipSync } from 'fflate';
import { check, restore } from '../../src/backup/restore.ts';
import { migrationTableDifference, schemaDifference } from '../../src/backup/schema-store.ts';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { openForReading, openScratch as openPrivate } from '../../src/db/open.ts';
import { START, openApp } from '../support/app.ts';
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

let fileCount = 0;
/** Returns a path at which nothing exists yet. */
const newFolderPath = (): string => join(scratch.path, `pasta-${(fileCount += 1)}`);

/** Returns the database of the backup with a change. */
function changedDatabase(change: (db: Database.Database) => void): Uint8Array {
  const file = scratch.file(`mudado-${(fileCount += 1)}.sqlite`, members['catp.sqlite'] ?? new Uint8Array());
  const db = new Database(file);
  change(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return readFileSync(file);
}

/** Returns the message about the backup with the changed database. */
const refusalOfDatabase = (name: string, change: (db: Database.Database) => void): Promise<string> =>
  refusal(scratch.zip(`${name}.zip`, withManifest({ ...members, 'catp.sqlite': changedDatabase(change) })));

async function refusal(file: string, to = newFolderPath()): Promise<string> {
  const before = existsSync(to) ? readdirSync(to) : undefined;
  const around = readdirSync(scratch.path).filter((name) => !name.startsWith('pasta-'));
  const outcomes: string[] = [];
  for (const attempt of [() => restore({ file, to, restShare: 0 }), () => check({ file, restShare: 0 })])
    await attempt().then(
      () => outcomes.push('restored'),
      (error: Error) => outcomes.push(`${error.name}: ${error.message}`),
    );
  expect(existsSync(to) ? readdirSync(to) : undefined).toEqual(before);
  expect(readdirSync(scratch.path).filter((name) => !name.startsWith('pasta-'))).toEqual(around);
  const [first = '', second] = outcomes;
  expect([first, second]).toEqual([expect.stringMatching(/^OperatorError: /), first]);
  return first;
}

describe('a good backup', () => {
  test('restores a folder with the database, the keys and nothing else', async () => {
    const to = newFolderPath();
    const { counts, keys } = await restore({ file: good, to, restShare: 0 });
    expect([counts, keys]).toEqual([manifestOf(members).counts, true]);
    expect(readdirSync(to).toSorted()).toEqual(['catp.key', 'catp.sqlite', 'catp.writer', 'imports']);
    expect(Buffer.from(members['catp.key'] ?? '')).toEqual(readFileSync(join(to, 'catp.key')));
    const db = openForReading(join(to, 'catp.sqlite'));
    expect(db.prepare('SELECT count(*) FROM product').pluck().get()).toBe(counts.products);
    db.close();
  });

  test('is restored into an empty folder, and over the files of an interrupted restore', async () => {
    const to = newFolderPath();
    mkdirSync(join(to, '.restauracao'), { recursive: true });
    writeFileSync(join(to, '.restauracao', 'catp.sqlite'), 'metade');
    await restore({ file: good, to, restShare: 0 });
    expect(readdirSync(to).toSorted()).toEqual(['catp.key', 'catp.sqlite', 'catp.writer', 'imports']);
  });

  test('passes a check, which leaves nothing', async () => {
    const before = readdirSync(scratch.path);
    expect((await check({ file: good, restShare: 0 })).counts).toEqual(manifestOf(members).counts);
    expect(readdirSync(scratch.path)).toEqual(before);
  });
});

describe('a database is restored', () => {
  const restored = (name: string, change: (db: Database.Database) => void) => {
    const changed = withManifest({ ...members, 'catp.sqlite': changedDatabase(change) });
    return check({ file: scratch.zip(`${name}.zip`, changed), restShare: 0 });
  };

  test('with the tables of the replication program', async () => {
    const { counts } = await restored('replicado', (db) =>
      db.exec(
        'CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);',
      ),
    );
    expect(counts).toEqual(manifestOf(members).counts);
  });

  test.each([
    ['with a column that was added later', 'ALTER TABLE migration ADD COLUMN applied_by TEXT'],
    ['as the first versions made it', ''],
  ])('with the table of migrations %s', async (name, further) => {
    const { counts } = await restored(name, (db) =>
      db.exec(`
        CREATE TEMP TABLE applied AS SELECT number, name, checksum, applied_at FROM migration;
        DROP TABLE migration;
        CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
        INSERT INTO migration SELECT * FROM applied;
        ${further}`),
    );
    expect(counts).toEqual(manifestOf(members).counts);
  });

  test('with the schema of any migration, which is not that of a later one', () => {
    const db = openPrivate(scratch.file('antigo.sqlite', ''));
    const further = new Set<number>();
    for (const { number } of MIGRATIONS) {
      const applied = MIGRATIONS.slice(0, number);
      migrate(db, applied, new TestClock(START));
      expect([number, migrationTableDifference(db), schemaDifference(db, applied)]).toEqual([
        number,
        undefined,
        undefined,
      ]);
      const next = MIGRATIONS.slice(0, number + 1);
      if (schemaDifference(db, next)?.kind !== undefined) further.add(number);
    }
    db.close();
    expect(further.size).toBeGreaterThan(MIGRATIONS.length / 2);
  });
});

describe('is refused, and nothing is left:', () => {
  test('a folder that is not empty', async () => {
    const to = newFolderPath();
    mkdirSync(to);
    writeFileSync(join(to, 'fotos'), '');
    await expect(restore({ file: good, to, restShare: 0 })).rejects.toThrow('não está vazia (tem fotos)');
    expect(readdirSync(to)).toEqual(['fotos']);
  });

  test('a missing file, an empty one, or one that is no zip', async () => {
    expect(await refusal(join(scratch.path, 'falta.zip'))).toContain('não existe, ENOENT');
    expect(await refusal(scratch.file('vazio.zip', ''))).toContain('não pode ser restaurado');
    expect(await refusal(scratch.file('texto.zip', 'isto não é um zip'))).toContain('Zip corrompido');
  });

  test('a zip that was truncated anywhere', async () => {
    const bytes = readFileSync(good);
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      const torn = scratch.file(`rasgado-${part}.zip`, bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(await refusal(torn)).toContain('não pode ser restaurado');
    }
  });

  test('a changed byte anywhere in the database', async () => {
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
    ['tabela virtual', 'CREATE VIRTUAL TABLE laço USING fts5(texto)', 'a tabela "laço"'],
    ['índice', 'CREATE INDEX laço ON product (length(denominacao))', 'o índice "laço"'],
    ['índice parcial', 'CREATE INDEX laço ON product (id) WHERE abs(id) > 0', 'o índice "laço"'],
    ['tabela a mais', 'CREATE TABLE laço (a TEXT DEFAULT (hex(zeroblob(1e9))))', 'a tabela "laço"'],
    ['estatísticas', 'ANALYZE', 'a tabela "sqlite_stat1"'],
    [
      'índice da replicação',
      'CREATE TABLE _litestream_lock (id INTEGER); CREATE INDEX laço ON _litestream_lock (id)',
      'o índice "laço"',
    ],
    ['outra tabela da replicação', 'CREATE TABLE _litestream_seq (id TEXT)', 'a tabela "_litestream_seq"'],
  ])('a database that has what ours has not: %s', async (name, sql, named) => {
    expect(await refusalOfDatabase(name, (db) => db.exec(sql))).toContain(
      `o banco de dados tem ${named}, que nenhum banco do catp tem.`,
    );
  });

  /** Replaces a part of the definition of an object through SQLite's writable schema. */
  const redefined = (name: string, part: string, replacement: string) => (db: Database.Database) => {
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    const changed = db
      .prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?')
      .run(part, replacement, name);
    expect(changed.changes).toBe(1);
    const { sql } = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
    expect(sql).toContain(replacement);
  };

  test.each([
    [
      'uma coluna calculada',
      (db: Database.Database) => db.exec('ALTER TABLE product ADD COLUMN laço INTEGER AS (1)'),
      'a tabela "product"',
    ],
    [
      'uma coluna a mais',
      (db: Database.Database) => db.exec('ALTER TABLE product ADD COLUMN laço TEXT'),
      'a tabela "product"',
    ],
    [
      'uma restrição CHECK',
      redefined('user', "CHECK (tipo IN ('PRIV', 'PUBL'))", 'CHECK (length(hex(zeroblob(100000000))))'),
      'a tabela "user"',
    ],
    [
      'um valor padrão',
      redefined('company', 'NOT NULL DEFAULT 0', 'NOT NULL DEFAULT (abs(-9))'),
      'a tabela "company"',
    ],
    [
      'uma collation',
      redefined('company', 'nome              TEXT NOT NULL', 'nome TEXT COLLATE NOCASE NOT NULL'),
      'a tabela "company"',
    ],
    [
      'um índice de expressão',
      redefined('representation_of_company', '(cpf_cnpj_raiz)', '(hex(zeroblob(100000000)))'),
      'o índice "representation_of_company"',
    ],
    [
      'a tabela das migrações',
      redefined('migration', 'name       TEXT NOT NULL', 'name TEXT DEFAULT (hex(zeroblob(9))) NOT NULL'),
      'a tabela "migration"',
    ],
    [
      'um objeto duas vezes',
      (db: Database.Database) => {
        db.unsafeMode(true);
        db.pragma('writable_schema = ON');
        db.exec("INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'access_key_of_user'");
      },
      undefined,
    ],
  ])('a database in which ours is defined otherwise: %s', async (name, change, named) => {
    const message = await refusalOfDatabase(name, change);
    if (named !== undefined)
      expect(message).toContain(`o banco de dados tem ${named} com outra definição do que a do catp.`);
    else expect(message).toContain('não pode ser restaurado');
  });

  test('a database without an index of ours', async () => {
    expect(await refusalOfDatabase('sem-índice', (db) => db.exec('DROP INDEX access_key_of_user'))).toContain(
      'o banco de dados não tem o índice "access_key_of_user", que todo banco do catp tem neste esquema.',
    );
  });

  test('a wrong hash', async () => {
    const wrong = withManifest(members, (manifest) => ({
      ...manifest,
      sha256: { ...manifest.sha256, 'catp.sqlite': '0'.repeat(64) },
    }));
    expect(await refusal(scratch.zip('hash.zip', wrong))).toContain(
      'o sha256 de catp.sqlite não é o do manifest.json',
    );
  });

  test('the keys of another instance', async () => {
    const wrong = scratch.zip('chave.zip', { ...members, 'catp.key': bytesOf('outra\n') });
    expect(await refusal(wrong)).toContain('o sha256 de catp.key');
  });

  test('a missing manifest, or an invalid one', async () => {
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

  test('a member that the manifest does not name, or a missing one that it names', async () => {
    const { 'catp.key': _, ...withoutKeys } = members;
    expect(await refusal(scratch.zip('falta.zip', withoutKeys))).toContain('falta catp.key');
    const unnamed = withManifest(members, ({ sha256: { 'catp.sqlite': only }, ...others }) => ({
      ...others,
      sha256: { 'catp.sqlite': only },
    }));
    expect(await refusal(scratch.zip('a-mais.zip', unnamed))).toContain('catp.key não está no manifest.json');
  });

  test('a member with another name: a path out of the folder is never written', async () => {
    const stray = join(scratch.path, 'fora');
    for (const name of ['../fora', stray, 'a/../../fora', '..\\fora', 'catp.toml']) {
      const { 'catp.key': _, ...others } = members;
      expect(await refusal(scratch.zip('estranho.zip', { ...others, [name]: bytesOf('x') }))).toContain(
        'que nenhuma cópia do catp tem',
      );
    }
    expect(existsSync(stray)).toBe(false);
  });

  test('a member that occurs twice', async () => {
    // Two members have names of equal length, and one is renamed in the bytes of the zip.
    const repeatedMember = Buffer.from(
      zipSync({ 'catp.sqlite': members['catp.sqlite'] ?? bytesOf(''), 'catp.sqlitX': bytesOf('x') }),
    );
    for (
      let at = repeatedMember.indexOf('catp.sqlitX');
      at !== -1;
      at = repeatedMember.indexOf('catp.sqlitX')
    )
      repeatedMember.write('catp.sqlite', at);
    expect(await refusal(scratch.file('duas.zip', repeatedMember))).toContain('catp.sqlite duas vezes');
  });

  test('counts that differ from the database', async () => {
    const wrong = withManifest(members, (manifest) => ({
      ...manifest,
      counts: { ...manifest.counts, products: manifest.counts.products + 1 },
    }));
    expect(await refusal(scratch.zip('contagem-errada.zip', wrong))).toContain('products:');
  });

  test('a damaged database, with matching hashes', async () => {
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

  test('the schema of a newer version, which is named, and a wrong schema number', async () => {
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
