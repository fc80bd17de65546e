import { expect, test } from 'bun:test';
import { openForReading, storagePragmas } from '../../src/db/open.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

test('a writing connection waits for stable storage and enforces foreign keys', () => {
  const { db } = scratch();
  const pragma = (name: string): unknown => db.pragma(name, { simple: true });
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
  db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE b (a INTEGER REFERENCES a) STRICT');
  expect(() => db.exec('INSERT INTO b VALUES (1)')).toThrow('FOREIGN KEY');
});

test('only on macOS the drive is flushed, for the log and for the database, and this SQLite knows both pragmas', () => {
  expect([storagePragmas('linux'), storagePragmas('win32')]).toEqual([[], []]);
  const { db } = scratch();
  const pragmas = storagePragmas('darwin');
  const values = pragmas.map((pragma) => {
    db.pragma(`${pragma} = ON`);
    return [pragma, db.pragma(pragma, { simple: true })];
  });
  expect(values).toEqual([
    ['fullfsync', 1],
    ['checkpoint_fullfsync', 1],
  ]);
});

test('a reading connection cannot write, and needs an existing file', () => {
  const { db, file, folder } = scratch();
  db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT');
  const reader = openForReading(file);
  expect(() => reader.exec('INSERT INTO a VALUES (1)')).toThrow('readonly');
  reader.close();
  expect(() => openForReading(`${folder}/missing.sqlite`)).toThrow();
});

test('each BEGIN of a reader is a separate snapshot', () => {
  const { db, file } = scratch();
  db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1)');
  const reader = openForReading(file);
  const count = reader.prepare<[], number>('SELECT count(*) FROM a').pluck();
  reader.exec('BEGIN');
  expect(count.get()).toBe(1);
  db.exec('INSERT INTO a VALUES (2)');
  expect(count.get()).toBe(1);
  reader.exec('ROLLBACK; BEGIN');
  expect(count.get()).toBe(2);
  reader.exec('ROLLBACK');
  reader.close();
});
