/** Each foreign key to a table has an index: without one, a deletion scans the referring table. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';

/** Foreign keys without an index, each with the reason. */
const WITHOUT_INDEX: Readonly<Record<string, string>> = {};

const folder = mkdtempSync(join(tmpdir(), 'catp-keys-'));
let db: Db;
beforeAll(() => {
  db = openForWriting(join(folder, 'test.sqlite'));
  migrate(db, MIGRATIONS, new TestClock(0));
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

interface ForeignKeyColumn {
  readonly id: number;
  readonly seq: number;
  readonly from: string;
}

const tables = (): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();

/** Returns the columns of each foreign key of a table. */
function foreignKeysOf(table: string): string[][] {
  const columns = db.pragma(`foreign_key_list("${table}")`) as ForeignKeyColumn[];
  const keys = Map.groupBy(columns, ({ id }) => id).values();
  return [...keys].map((key) => key.toSorted((a, b) => a.seq - b.seq).map(({ from }) => from));
}

/** Returns the columns of each index of a table, in order, including the primary key. */
function indexesOf(table: string): string[][] {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_index_list(?)').pluck().all(table);
  const columns = db
    .prepare<[string], string>('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
    .pluck();
  const rowid = db
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(table);
  return [...names.map((name) => columns.all(name)), rowid];
}

test('each foreign key has an index that begins with its columns, or a reason for having none', () => {
  const keys = tables().flatMap((table) => foreignKeysOf(table).map((columns) => ({ table, columns })));
  expect(keys.length).toBeGreaterThan(15);
  const bare = keys.filter(
    ({ table, columns }) =>
      !indexesOf(table).some((index) => columns.every((column, at) => index[at] === column)),
  );
  expect(bare.map(({ table, columns }) => `${table} (${columns.join(', ')})`).toSorted()).toEqual(
    Object.keys(WITHOUT_INDEX).toSorted(),
  );
});
