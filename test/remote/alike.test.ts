/** Whoever has no pair is looked for on the other side by what it is, never by a walk over all that is there. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import Database from 'better-sqlite3';
import { INDICES, SCHEMA } from '../../src/remote/compare/layout-store.ts';
import { ALIKE_QUERIES } from '../../src/remote/compare/scratch-store.ts';

let db: Database.Database;
beforeAll(() => {
  db = new Database(':memory:');
  db.exec(SCHEMA);
  db.exec(INDICES);
});
afterAll(() => void db.close());

/** Each by all that is known of it; SQLite may look for the last one in both halves. */
const OUTWARDS = [
  /^SEARCH w USING COVERING INDEX word_of \(kind=\? AND side=\? AND key=\?\)/,
  /^SEARCH o USING PRIMARY KEY \(kind=\? AND side=\? AND sort=\? AND word=\?\)/,
  /^SEARCH w USING PRIMARY KEY \(kind=\? AND side=\? AND key=\?\)/,
  /^SEARCH o USING COVERING INDEX rec_identity \(kind=\? AND side=\? AND identity=\?\)/,
  /^SEARCH r USING PRIMARY KEY \(kind=\? AND side=\? AND key=\?\)/,
];

test.each(Object.entries(ALIKE_QUERIES))('the query %s goes from one record outwards', (_, sql) => {
  const steps = db
    .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all({ kind: 'produto', key: '1' })
    .map(({ detail }) => detail)
    .filter((detail) => /^(SEARCH|SCAN) [wor]\b/.test(detail));
  expect(steps.filter((step) => !OUTWARDS.some((outwards) => outwards.test(step)))).toEqual([]);
  expect(OUTWARDS.filter((outwards) => !steps.some((step) => outwards.test(step)))).toEqual([]);
});
