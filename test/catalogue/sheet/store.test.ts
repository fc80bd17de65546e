/** Queries that depend on the number of stored sheets use an index. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { QUERIES } from '../../../src/catalogue/sheet/store.ts';
import { type TestApp, openApp } from '../../support/app.ts';

let server: TestApp;

beforeEach(async () => {
  server = await openApp();
});

afterEach(() => server.close());

test.each(Object.entries(QUERIES))('%s', (_name, sql) => {
  const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
  const plan = server.app.core.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
    detail: string;
  }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH sheet_upload USING INDEX/),
  ]);
});
