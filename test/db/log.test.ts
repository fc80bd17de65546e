/** The write-ahead log is brought into the database by the writer, and by nobody else. */
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { TestClock } from '../../src/clock.ts';
import { CHECKPOINT_PAGES } from '../../src/db/log.ts';
import { Feed } from '../../src/db/feed.ts';
import { Writer } from '../../src/db/writer.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

const PAGE_BYTES = 4096;
/** About one page of the log each. */
const NOTE = 'x'.repeat(PAGE_BYTES - 500);

function open() {
  const { db, file } = scratch();
  db.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT');
  const writer = new Writer({ db, feed: new Feed(db), clock: new TestClock(0), stopwatch: () => 0 });
  const insert = db.prepare<[string]>('INSERT INTO note (text) VALUES (?)');
  const look = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
  const write = async (notes: number): Promise<void> => {
    for (let written = 0; written < notes; written += 1) await writer.write(() => insert.run(NOTE));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    db,
    file,
    write,
    inLog: () => look.get()?.[1] ?? 0,
    inDatabase: () => look.get()?.[2] ?? 0,
  };
}

test('a short log stays where it is: SQLite does nothing by itself', async () => {
  const { db, write, inDatabase } = open();
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
  await write(50);
  expect(inDatabase()).toBe(0);
});

test('a log that has grown long is brought into the database and begun anew', async () => {
  const { write, inLog, file } = open();
  await write(CHECKPOINT_PAGES);
  // Each note takes more than a page of the log, and one group may go over the mark.
  expect(inLog()).toBeLessThan(CHECKPOINT_PAGES);
  expect(statSync(`${file}-wal`).size).toBeLessThan(1.1 * CHECKPOINT_PAGES * PAGE_BYTES);
});
