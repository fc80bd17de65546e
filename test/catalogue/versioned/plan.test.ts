/**
 * The queries of a change and of a look-up use an index with all their conditions, for any size of a
 * company.
 */
import { expect, test } from 'bun:test';
import { OperatorStore } from '../../../src/catalogue/foreign-operator/store.ts';
import { LinkStore } from '../../../src/catalogue/manufacturer-link/store.ts';
import { ProductCodeStore } from '../../../src/catalogue/product/code-store.ts';
import { ProductStore } from '../../../src/catalogue/product/store.ts';
import { TestClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import type { Db } from '../../../src/db/open.ts';
import { scratchForEachTest } from '../../db/support.ts';

const scratch = scratchForEachTest();

/** Returns the statements that a store prepares. */
function statementsOf(db: Db, make: (db: Db) => unknown): string[] {
  const prepared: string[] = [];
  const recordingDb = new Proxy(db, {
    get: (target, name) =>
      name === 'prepare'
        ? (sql: string) => {
            prepared.push(sql);
            return target.prepare(sql);
          }
        : Reflect.get(target, name),
  });
  make(recordingDb);
  return prepared;
}

/** Returns the rows of an EXPLAIN, with a value for each parameter. */
function explained<Row>(db: Db, sql: string): Row[] {
  const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]));
  const values = [...sql.matchAll(/\?/g)].map(() => 1);
  return db.prepare<unknown[], Row>(sql).all(...(values.length > 0 ? values : [named]));
}

const STORES = [
  ['products', 18, (db: Db) => new ProductStore(db, () => 0, true)],
  ['product codes', 5, (db: Db) => new ProductCodeStore(db)],
  ['foreign operators', 16, (db: Db) => new OperatorStore(db)],
  ['links', 3, (db: Db) => new LinkStore(db)],
] as const;

test.each(STORES)('the statements of %s use an index', (_, least, make) => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(0));
  const statements = statementsOf(db, make);
  expect(statements.length).toBeGreaterThanOrEqual(least);
  for (const sql of statements) {
    // A count of the records of a company reads all of them, but only in an index.
    if (sql.startsWith('SELECT (SELECT count(*)')) continue;
    const plan = explained<{ readonly detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`).map(
      ({ detail }) => detail,
    );
    // No statement scans a table or a company; it may scan a list that is a parameter.
    expect([
      sql,
      plan.filter((step) => /^SCAN (?!\w+ VIRTUAL TABLE|CONSTANT ROW)|\(company_id=\?\)$/.test(step)),
    ]).toEqual([sql, []]);
  }
});

// For a trigger, SQLite copies each page that the statement changes. It fills a temporary table for each row when a
// CHECK names more than two values with IN.
test.each(STORES)('a change of %s runs no trigger and fills no temporary table', (_, _least, make) => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(0));
  const changes = statementsOf(db, make).filter((sql) =>
    /^(INSERT|UPDATE|DELETE)(?!.* RETURNING )/s.test(sql),
  );
  expect(changes.length).toBeGreaterThan(0);
  for (const sql of changes) {
    const codes = explained<{ readonly opcode: string }>(db, `EXPLAIN ${sql}`).map(({ opcode }) => opcode);
    expect([sql, codes.filter((code) => code === 'Program' || code === 'OpenEphemeral')]).toEqual([sql, []]);
  }
});
