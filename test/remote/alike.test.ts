/** The pair of a record is found in the remote by an index, never by a scan of all records. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import Database from 'better-sqlite3';
import { INDICES, SCHEMA } from '../../src/remote/compare/layout-store.ts';
import { CANDIDATE_QUERIES } from '../../src/remote/compare/scratch-store.ts';

let db: Database.Database;
beforeAll(() => {
  db = new Database(':memory:');
  db.exec(SCHEMA);
  db.exec(INDICES);
});
afterAll(() => void db.close());

/** The expected plan of each query: all its conditions use the index, whose order needs no sort. */
const PLANS: Record<keyof typeof CANDIDATE_QUERIES, string> = {
  words: 'SEARCH w USING COVERING INDEX word_of (kind=? AND side=? AND key=?)',
  unpaired: 'SEARCH o USING PRIMARY KEY (kind=? AND side=? AND sort=? AND mark=?)',
  crowd: 'SEARCH o USING PRIMARY KEY (kind=? AND side=? AND sort=? AND mark=?)',
};

test.each(Object.entries(PLANS))('the query %s is one search', (name, plan) => {
  const steps = db
    .prepare<[object], { detail: string }>(
      `EXPLAIN QUERY PLAN ${CANDIDATE_QUERIES[name as keyof typeof CANDIDATE_QUERIES]}`,
    )
    .all({ kind: 'produto', side: 0, key: '1', sort: 'identity', mark: 1 })
    .map(({ detail }) => detail);
  expect(steps).toEqual([plan]);
});
