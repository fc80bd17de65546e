import { afterEach, beforeEach, expect, test } from 'bun:test';
import { FAMILY_QUERIES } from '../../../src/catalogue/import/family-store.ts';
import { FAILURE_QUERIES } from '../../../src/catalogue/import/failures-store.ts';
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
  ['bySource', 'SEARCH j USING INDEX import_job_by_source (source=?)'],
  ['carriedOut', 'SEARCH import_job USING INDEX import_job_by_source (source=?)'],
  ['family', 'MULTI-INDEX OR'],
  ['ofCompany', 'SEARCH j USING INDEX import_job_failures (company=?)'],
  ['ofSender', 'SEARCH j USING INDEX import_job_failures (company=?)'],
  ['unfinished', 'SEARCH import_job USING INDEX import_job_unfinished (state=?)'],
  ['results', 'SEARCH import_result USING PRIMARY KEY (job_id=? AND idx>?)'],
  [
    'resultsOf',
    'SEARCH import_result USING INDEX import_result_by_outcome (job_id=? AND outcome=? AND idx>?)',
  ],
] as const)('the query %s is served by an index', (name, expected) => {
  const sql = { ...QUERIES, ...FAMILY_QUERIES, ...FAILURE_QUERIES }[name];
  const names = ['documento', 'represented', 'listed', 'sha256', 'limit', 'root'];
  const parameters = sql.includes('@')
    ? [Object.fromEntries(names.map((one) => [one, '1']))]
    : Array.from(sql.matchAll(/\?/g), () => 1);
  const plan = imports.core.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
    detail: string;
  }[];
  expect(plan[0]?.detail).toBe(expected);
  // Only queries of a few rows may sort; a sort would be a second step.
  if (name.startsWith('results')) expect(plan).toHaveLength(1);
});
