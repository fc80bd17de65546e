/** A backup whose database is hostile is refused before it costs time or memory (contract section 16). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { check } from '../../src/backup/restore.ts';
import { openApp } from '../support/app.ts';
import { type Members, type Scratch, membersOf, openScratch, withManifest } from './support.ts';

let scratch: Scratch;
let members: Members;

beforeAll(async () => {
  scratch = openScratch();
  const server = await openApp();
  const { path } = await server.app.core.backups.make({ to: scratch.path });
  await server.close();
  members = membersOf(path);
});
afterAll(() => scratch.close());

/** Returns the message about the backup with that database. */
const refusal = (name: string, database: Uint8Array): Promise<string> =>
  check({
    file: scratch.zip(`${name}.zip`, withManifest({ ...members, 'catp.sqlite': database })),
    restShare: 0,
  }).then(
    () => 'restored',
    (error: Error) => error.message,
  );

function databaseWith(
  name: string,
  change: (db: Database.Database) => void,
  start: Uint8Array = new Uint8Array(),
): Uint8Array {
  const file = scratch.file(`${name}.sqlite`, start);
  const db = new Database(file);
  change(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return readFileSync(file);
}

const changedBackup = (name: string, change: (db: Database.Database) => void): Uint8Array =>
  databaseWith(name, change, members['catp.sqlite']);

test.each([
  ['other texts than UTF-8', `PRAGMA encoding = 'UTF-16le'`],
  ['pages of another size', 'PRAGMA page_size = 8192'],
])('a database with %s', async (name, pragma) => {
  const database = databaseWith(name, (db) => db.exec(`${pragma}; CREATE TABLE a (b)`));
  expect(await refusal(name, database)).toContain('não tem páginas de 4 KiB e textos em UTF-8');
});

test.each([
  [
    'objects',
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n`,
  ],
  [
    'text',
    `UPDATE sqlite_schema SET sql = sql || '/*' || hex(zeroblob(2097152)) || '*/' WHERE name = 'product'`,
  ],
])('a schema with too much %s', async (name, sql) => {
  const database = changedBackup(name, (db) => {
    db.unsafeMode();
    db.pragma('writable_schema = ON');
    db.exec(sql);
  });
  expect(await refusal(name, database)).toContain('tem um esquema maior que o de qualquer banco');
});

test('a long name of a migration, or one with control characters, is shortened and escaped', async () => {
  const database = changedBackup('nome', (db) =>
    db
      .prepare('INSERT INTO migration SELECT 1000, ?, checksum, applied_at, ? FROM migration LIMIT 1')
      .run(`\u001b[2J${'n'.repeat(1_000_000)}`, `9\u001b[2J${'9'.repeat(1_000_000)}`),
  );
  const message = await refusal('nome', database);
  expect(message).toContain('migração 1000');
  expect(message.length).toBeLessThan(1000);
  expect(message).not.toContain('\u001b');
});
