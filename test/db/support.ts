/** A separate database file for each test. */
import { afterEach } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestClock } from '../../src/clock.ts';
import { Feed } from '../../src/db/feed.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';
import { type GroupMeasure, Writer, type WriterOptions } from '../../src/db/writer.ts';
import { quickFolder } from '../support/quick-disk.ts';

export interface Scratch {
  readonly folder: string;
  readonly file: string;
  readonly db: Db;
}

/** Returns a function that creates a database, closed and removed after the test. */
export function scratchForEachTest(): () => Scratch {
  let scratch: Scratch | undefined;
  afterEach(() => {
    scratch?.db.close();
    if (scratch !== undefined) rmSync(scratch.folder, { recursive: true, force: true });
    scratch = undefined;
  });
  return () => {
    const folder = quickFolder('catp-db-');
    const file = join(folder, 'test.sqlite');
    return (scratch = { folder, file, db: openForWriting(file) });
  };
}

/** Creates a writer over a separate database for each test, and records its reports. */
export function writerForEachTest() {
  const scratch = scratchForEachTest();
  return (parts: Partial<WriterOptions> = {}) => {
    const { db, ...rest } = scratch();
    db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT');
    const groups: GroupMeasure[] = [];
    const troubles: unknown[] = [];
    const writer = new Writer({
      db,
      feed: new Feed(db),
      clock: new TestClock(1000),
      stopwatch: () => 0,
      onGroup: (group) => groups.push(group),
      onTrouble: (trouble) => troubles.push(trouble),
      ...parts,
    });
    const insert = db.prepare<[string]>('INSERT INTO note (text) VALUES (?)');
    const texts = (): string[] => db.prepare<[], string>('SELECT text FROM note ORDER BY id').pluck().all();
    return { ...rest, db, writer, groups, troubles, insert, texts };
  };
}
