/** Only the writer checkpoints the write-ahead log into the database. */
import { describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { TestClock } from '../../src/clock.ts';
import { LONGEST_LOG_BYTES, SHORT_LOG_BYTES, WriteAheadLog } from '../../src/db/log.ts';
import { Feed } from '../../src/db/feed.ts';
import { Writer } from '../../src/db/writer.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

const PAGE_BYTES = 4096;
/** Number of notes in a group. */
const GROUP = 16;
/** Takes about one page of the log. */
const NOTE = 'x'.repeat(PAGE_BYTES - 500);

function open() {
  const { db, file } = scratch();
  db.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT');
  const writer = new Writer({ db, feed: new Feed(db), clock: new TestClock(0), stopwatch: () => 0 });
  const insert = db.prepare<[string]>('INSERT INTO note (text) VALUES (?)');
  const look = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
  const write = async (notes: number): Promise<void> => {
    for (let remaining = notes; remaining > 0; remaining -= GROUP) {
      const group = Array.from({ length: Math.min(remaining, GROUP) }, () =>
        writer.write(() => insert.run(NOTE)),
      );
      await Promise.all(group);
    }
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

test('a short log is not checkpointed: SQLite has no automatic checkpoint', async () => {
  const { db, write, inDatabase } = open();
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
  await write(50);
  expect(inDatabase()).toBe(0);
});

test('a long log is checkpointed into the database and restarted', async () => {
  const { write, inLog, file } = open();
  await write(LONGEST_LOG_BYTES / PAGE_BYTES);
  // Each note takes more than a page of the log, and one group may exceed the threshold.
  expect(inLog()).toBeLessThan(LONGEST_LOG_BYTES / PAGE_BYTES);
  expect(statSync(`${file}-wal`).size).toBeLessThan(1.1 * LONGEST_LOG_BYTES);
});

describe('on a disk with little free space', () => {
  test('a log counts as long once the database could not grow by it and by another', async () => {
    const { db, write, inLog } = open();
    let room = 0;
    const log = new WriteAheadLog(db, () => room);
    await write(SHORT_LOG_BYTES / PAGE_BYTES);
    const enough = inLog() * PAGE_BYTES + LONGEST_LOG_BYTES;
    room = enough;
    expect(log.isLong()).toBe(false);
    room = enough - 1;
    expect(log.isLong()).toBe(true);
  });

  test('a very short log is not checkpointed even then', async () => {
    const { db, write, inLog } = open();
    const log = new WriteAheadLog(db, () => 0);
    while (inLog() * PAGE_BYTES < SHORT_LOG_BYTES) {
      expect(log.isLong()).toBe(false);
      await write(1);
    }
    expect(log.isLong()).toBe(true);
  });

  test('pages that are in the database already need no further space', async () => {
    const { db, write } = open();
    const log = new WriteAheadLog(db, () => 0);
    await write((2 * SHORT_LOG_BYTES) / PAGE_BYTES);
    log.checkpoint();
    expect(log.isLong()).toBe(false);
  });
});
