import { expect, test } from 'bun:test';
import { scratchForEachTest } from './support.ts';

const scratch = scratchForEachTest();

test('a statement is prepared at its first use: its table may be created after it', () => {
  const { db } = scratch();
  const count = db.prepare<[], number>('SELECT count(*) FROM a').pluck();
  const insert = db.prepare<[number, string]>('INSERT INTO a VALUES (?, ?)');
  expect(() => insert.run(1, 'x')).toThrow('no such table: a');
  db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT) STRICT');
  expect(insert.run(1, 'x').changes).toBe(1);
  expect(insert.run(2, 'y').changes).toBe(1);
  expect(count.get()).toBe(2);
});

test('the same text gives rows, their first columns, and rows as arrays', () => {
  const { db } = scratch();
  db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT) STRICT');
  db.exec("INSERT INTO a VALUES (1, 'x'), (2, 'y')");
  const rows = db.prepare<[number], unknown>('SELECT id, text FROM a WHERE id >= ? ORDER BY id');
  expect(rows.all(1)).toEqual([
    { id: 1, text: 'x' },
    { id: 2, text: 'y' },
  ]);
  expect([...rows.pluck().iterate(1)]).toEqual([1, 2]);
  expect(rows.raw().get(2)).toEqual([2, 'y']);
  // The derived statement does not change the original.
  expect(rows.get(2)).toEqual({ id: 2, text: 'y' });
  expect(rows.get(3)).toBeUndefined();
});
