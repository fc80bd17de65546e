import { afterEach, beforeEach, expect, test } from 'bun:test';
import { QUERIES } from '../../../src/catalogue/import/store.ts';
import { type TestImports, openImports } from './support.ts';

let imports: TestImports;

beforeEach(async () => {
  imports = await openImports();
});

afterEach(() => imports.close());

test.each([
  ['list', 'MULTI-INDEX OR'],
  ['listOfContent', 'SEARCH import_job USING INDEX import_job_of_content (sha256=?)'],
  ['listOfCompany', 'MULTI-INDEX OR'],
  ['listOfBoth', 'SEARCH import_job USING INDEX import_job_of_content (sha256=?)'],
  ['unfinished', 'SEARCH import_job USING INDEX import_job_unfinished (state=?)'],
  ['results', 'SEARCH import_result USING PRIMARY KEY (job_id=? AND idx>?)'],
  [
    'resultsOf',
    'SEARCH import_result USING INDEX import_result_by_outcome (job_id=? AND outcome=? AND idx>?)',
  ],
] as const)('the query %s is served by an index', (name, expected) => {
  const sql = QUERIES[name];
  const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
  const plan = imports.core.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
    detail: string;
  }[];
  expect(plan[0]?.detail).toBe(expected);
  // A few rows may be sorted, many may not.
  if (name.startsWith('results')) expect(plan).toHaveLength(1);
});
