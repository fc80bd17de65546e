/** Look-ups of a turn see one state; what is remembered is forgotten with every commit, whoever made it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TestClock } from '../../src/clock.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';
import { Remembered } from '../../src/db/remembered.ts';
import { type CommittedBy, Snapshot } from '../../src/db/snapshot.ts';
import { Writer } from '../../src/db/writer.ts';

const PLENTY = 1000;

let folder: string;
let db: Db;
let other: Db;
let snapshot: Snapshot;
let writer: Writer;
let told: CommittedBy[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-snapshot-'));
  const file = join(folder, 'test.sqlite');
  db = openForWriting(file);
  db.exec("CREATE TABLE word (text TEXT NOT NULL) STRICT; INSERT INTO word VALUES ('um')");
  other = openForWriting(file);
  snapshot = new Snapshot(db);
  snapshot.begin();
  snapshot.end();
  told = [];
  snapshot.onCommit((by) => told.push(by));
  writer = new Writer({ db, snapshot, clock: new TestClock(0), stopwatch: () => 0 });
});

afterEach(async () => {
  await writer.close();
  snapshot.end();
  db.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const word = (): string => db.prepare<[], string>('SELECT text FROM word').pluck().get() ?? '';
const set = (by: Db, text: string): void => void by.prepare('UPDATE word SET text = ?').run(text);

describe('a snapshot', () => {
  test('shows one state until the turn is over, and then what others committed', async () => {
    snapshot.begin();
    expect(word()).toBe('um');
    set(other, 'dois');
    snapshot.begin();
    expect([word(), told]).toEqual(['um', []]);
    await nextTurn();
    expect(db.inTransaction).toBe(false);
    snapshot.begin();
    expect([word(), told]).toEqual(['dois', ['others']]);
  });

  test('makes way for a unit of work, whose commit it tells', async () => {
    snapshot.begin();
    const written = writer.write(() => set(db, 'dois'));
    await nextTurn();
    await written;
    snapshot.begin();
    expect([word(), told]).toEqual(['dois', ['us']]);
  });
});

describe('what is remembered', () => {
  const wordIn = (remembered: Remembered) => remembered.get('word', word);

  test('is read once, until this process commits', async () => {
    const remembered = new Remembered(snapshot, PLENTY);
    let reads = 0;
    const get = (): string => remembered.get('word', () => `${word()} ${(reads += 1)}`);
    expect([get(), get()]).toEqual(['um 1', 'um 1']);
    await nextTurn();
    expect(get()).toBe('um 1');
    await writer.write(() => set(db, 'dois'));
    expect(get()).toBe('dois 2');
  });

  test('is forgotten in the turn after another process committed', async () => {
    const remembered = new Remembered(snapshot, PLENTY);
    expect(wordIn(remembered)).toBe('um');
    set(other, 'dois');
    await nextTurn();
    expect(wordIn(remembered)).toBe('dois');
  });

  test('is never more than its bound', () => {
    const remembered = new Remembered(snapshot, 10);
    let reads = 0;
    const get = (key: string): string => remembered.get(key, () => `${(reads += 1)}234`);
    // Five characters each, the key included: the third empties the memory.
    expect([get('a'), get('b'), get('a'), get('b')]).toEqual(['1234', '2234', '1234', '2234']);
    expect([get('c'), get('a')]).toEqual(['3234', '4234']);
  });

  test('is not a failure: the next one asks again', () => {
    const remembered = new Remembered(snapshot, PLENTY);
    const missing = (): string => {
      throw new Error('não existe');
    };
    expect(() => remembered.get('word', missing)).toThrow('não existe');
    expect(wordIn(remembered)).toBe('um');
  });
});
