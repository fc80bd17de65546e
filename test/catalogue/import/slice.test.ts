/** A slice of a file: only the writes of an item that is refused later are rolled back. */
import { expect, test } from 'bun:test';
import { Feed } from '../../../src/db/feed.ts';
import { TestClock } from '../../../src/clock.ts';
import { SLICE_MS, type SliceOptions, applySlice } from '../../../src/catalogue/import/slice.ts';
import { type Transaction, Writer } from '../../../src/db/writer.ts';
import { DomainError } from '../../../src/errors.ts';
import { scratchForEachTest } from '../../db/support.ts';

const scratch = scratchForEachTest();

/** Text that decides its result: `a` is written, `b!` written and refused, `!c` refused without a write. */
type Item = string;

function open({ msPerItem = 0, dryRun = false } = {}) {
  const { db } = scratch();
  db.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT');
  const insert = db.prepare<[string]>('INSERT INTO note (text) VALUES (?)');
  let now = 0;
  const committedItems: Item[] = [];
  const order = {
    applier: {
      apply: (tx: Transaction, _: unknown, item: Item) => {
        now += msPerItem;
        if (item.startsWith('#')) tx.afterCommit(() => committedItems.push(item));
        if (item.startsWith('!')) throw new DomainError('unprocessable', `recusado: ${item}`);
        insert.run(item);
        if (item.endsWith('!')) throw new DomainError('unprocessable', `recusado: ${item}`);
        if (item.endsWith('?')) throw new Error('a fault of ours');
        return { codigo: item, versao: '1', outcome: 'created' };
      },
    },
    caller: {},
    mode: 'lote',
    dryRun,
  } as unknown as SliceOptions;
  const writer = new Writer({ db, feed: new Feed(db), clock: new TestClock(0), stopwatch: () => 0 });
  const apply = async (...items: Item[]) => {
    const received = items.map((value, index) => ({
      index,
      value,
      file: undefined,
      line: index + 1,
      member: 0,
    }));
    const results = await writer.write((tx) => applySlice(() => now, tx, received, order));
    return results.map(({ codigo, outcome, errors }) => (outcome === 'failed' ? errors[0] : codigo));
  };
  const notes = (): string[] => db.prepare<[], string>('SELECT text FROM note').pluck().all();
  return { apply, notes, committedItems };
}

test('items that are refused before they write do not affect the others', async () => {
  const { apply, notes } = open();
  expect(await apply('a', '!b', 'c')).toEqual(['a', 'recusado: !b', 'c']);
  expect(notes()).toEqual(['a', 'c']);
});

test('the writes of an item that is refused later are rolled back, and no other writes', async () => {
  const { apply, notes } = open();
  expect(await apply('a', 'b!', 'c', 'd!', '!e', 'f')).toEqual([
    'a',
    'recusado: b!',
    'c',
    'recusado: d!',
    'recusado: !e',
    'f',
  ]);
  expect(notes()).toEqual(['a', 'c', 'f']);
});

test('a listener is woken once after the commit, also when the slice is repeated', async () => {
  const { apply, committedItems } = open();
  await apply('#a', 'b', '#c');
  expect(committedItems.splice(0)).toEqual(['#a', '#c']);
  await apply('#a', 'b!', '#c');
  expect(committedItems.splice(0)).toEqual(['#a', '#c']);
  await apply('#a', '#b!', '#c');
  expect(committedItems.splice(0)).toEqual(['#a', '#c']);
  await expect(apply('#a', 'b?')).rejects.toThrow('a fault of ours');
  expect(committedItems).toEqual([]);
});

test('a dry run wakes no listener', async () => {
  const { apply, committedItems } = open({ dryRun: true });
  await apply('#a', 'b!', '#c');
  expect(committedItems).toEqual([]);
});

test('an internal fault rolls back the whole slice', async () => {
  const { apply, notes } = open();
  await expect(apply('a', 'b?', 'c')).rejects.toThrow('a fault of ours');
  expect(notes()).toEqual([]);
});

test('a dry run stores nothing', async () => {
  const { apply, notes } = open({ dryRun: true });
  expect(await apply('a', 'b!', '!c')).toEqual([null, 'recusado: b!', 'recusado: !c']);
  expect(notes()).toEqual([]);
});

test('a slice ends with the item that uses up its time, refused or not', async () => {
  const { apply, notes } = open({ msPerItem: SLICE_MS / 2 });
  expect(await apply('a', 'b', 'c')).toEqual(['a', 'b']);
  expect(await apply('d!', 'e', 'f')).toEqual(['recusado: d!', 'e']);
  expect(notes()).toEqual(['a', 'b', 'e']);
});
