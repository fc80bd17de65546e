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

test.each([
  ['products', 18, (db: Db) => new ProductStore(db, () => 0, true)],
  ['product codes', 5, (db: Db) => new ProductCodeStore(db)],
  ['foreign operators', 16, (db: Db) => new OperatorStore(db)],
  ['links', 3, (db: Db) => new LinkStore(db)],
] as const)('the statements of %s use an index', (_, least, make) => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(0));
  const statements = statementsOf(db, make);
  expect(statements.length).toBeGreaterThanOrEqual(least);
  for (const sql of statements) {
    // A count of the records of a company reads all of them, but only in an index.
    if (sql.startsWith('SELECT (SELECT count(*)')) continue;
    const namedParameters = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]));
    const values = [...sql.matchAll(/\?/g)].map(() => 1);
    const planQuery = db.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const plan = (values.length > 0 ? planQuery.all(...values) : planQuery.all(namedParameters)).map(
      ({ detail }) => detail,
    );
    // No statement scans a table or a company; it may scan a list that is a parameter.
    expect([
      sql,
      plan.filter((step) => /^SCAN (?!\w+ VIRTUAL TABLE|CONSTANT ROW)|\(company_id=\?\)$/.test(step)),
    ]).toEqual([sql, []]);
  }
});
