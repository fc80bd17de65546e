/** Caches are invalidated by the commits that make them stale, from any process. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TestClock } from '../../src/clock.ts';
import { Feed } from '../../src/db/feed.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';
import { Writer } from '../../src/db/writer.ts';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

let db: Db;
let otherConnection: Db;
let feed: Feed;
let writer: Writer;
let topics: string[];

beforeEach(() => {
  const { db: ours, file } = scratch();
  db = ours;
  db.exec("CREATE TABLE word (text TEXT NOT NULL) STRICT; INSERT INTO word VALUES ('um')");
  otherConnection = openForWriting(file);
  feed = new Feed(db);
  feed.checkNow();
  topics = [];
  feed.subscribe('accounts', () => topics.push('accounts'));
  feed.subscribe('activations', () => topics.push('activations'));
  feed.onReplaced(() => topics.push('replaced'));
  feed.onOthers(() => topics.push('others'));
  writer = new Writer({ db, feed, clock: new TestClock(0), stopwatch: () => 0 });
});

afterEach(async () => {
  await writer.close();
  otherConnection.close();
});

const set = (by: Db, text: string): void => void by.prepare('UPDATE word SET text = ?').run(text);

describe('a commit of this process', () => {
  test('invalidates what it reports as changed, once it is on disk, and nothing else', async () => {
    const written = writer.write((tx) => {
      tx.afterCommit(() => feed.changed('accounts'));
      set(db, 'dois');
      expect(topics).toEqual([]);
    });
    await written;
    expect(topics).toEqual(['accounts']);
  });

  test('that reports nothing, like the inclusion of a product, invalidates nothing', async () => {
    await writer.write(() => set(db, 'dois'));
    feed.checkNow();
    expect(topics).toEqual([]);
  });

  test('that is rolled back invalidates nothing', async () => {
    const refused = writer.write((tx) => {
      tx.afterCommit(() => feed.changed('accounts'));
      throw new Error('não');
    });
    await expect(refused).rejects.toThrow('não');
    expect(topics).toEqual([]);
  });

  test('that replaces every row invalidates everything', () => {
    feed.replaced();
    expect(topics).toEqual(['accounts', 'activations', 'replaced']);
  });
});

describe('a commit of another process', () => {
  const ANYTHING = ['accounts', 'activations', 'others'];

  test('may contain anything: it is reported once, with the first check of a turn', async () => {
    feed.checkForChanges();
    set(otherConnection, 'dois');
    feed.checkForChanges();
    expect(topics).toEqual([]);
    await nextTurn();
    feed.checkForChanges();
    feed.checkForChanges();
    expect(topics).toEqual(ANYTHING);
    await nextTurn();
    feed.checkForChanges();
    expect(topics).toEqual(ANYTHING);
  });

  test('is detected before a unit of work runs, whenever the turn last checked', async () => {
    const written = writer.write(() => [...topics]);
    setImmediate(() => undefined);
    feed.checkForChanges();
    set(otherConnection, 'dois');
    expect(await written).toEqual(ANYTHING);
  });

  test('is no longer reported to a listener that has unsubscribed', () => {
    const end = feed.onOthers(() => topics.push('again'));
    end();
    set(otherConnection, 'dois');
    feed.checkNow();
    expect(topics).toEqual(ANYTHING);
  });
});
