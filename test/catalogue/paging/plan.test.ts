/** No page scans a table, and an order with an index is not sorted (contract section 14). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperatorOrder } from '../../../src/catalogue/foreign-operator/model.ts';
import { operatorQuery } from '../../../src/catalogue/foreign-operator/list-query.ts';
import type { Query } from '../../../src/catalogue/list-query.ts';
import type { PageEnd } from '../../../src/catalogue/paging/model.ts';
import { keysOf } from '../../../src/catalogue/versioned/model.ts';
import type { ProductOrder } from '../../../src/catalogue/product/model.ts';
import { stretchQuery } from '../../../src/catalogue/product/page-list-query.ts';
import { walkQueries } from '../../../src/catalogue/product/walk-list-query.ts';
import { TestClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { type Db, openForWriting } from '../../../src/db/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'catp-page-plan-'));
let db: Db;
beforeAll(() => {
  db = openForWriting(join(folder, 'test.sqlite'));
  migrate(db, MIGRATIONS, new TestClock(0));
  db.function('folded', (text) => text);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const planOf = ({ sql, parameters }: Query): string[] =>
  db
    .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
    .map(({ detail }) => detail);

const cpfCnpjRaiz = '12345678';
const COMPANY_ID = 1;
const SORTED = 'USE TEMP B-TREE FOR ORDER BY';
const scans = (plan: readonly string[]): string[] =>
  plan.filter((step) => /^SCAN (?!q$|json_each|\(subquery|CONSTANT ROW)/.test(step));

const pageRequest = <By extends string>(by: By, isDescending: boolean, after?: PageEnd) => ({
  order: { by, isDescending },
  after,
  limit: 100,
  filterMark: '',
});

describe('a page of products that is read in order', () => {
  const CODES = /^SEARCH p USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/;
  const NCMS = /^SEARCH p USING (COVERING )?INDEX product_by_ncm \(company_id=\?\)/;
  const NCMS_AFTER = /^SEARCH p USING (COVERING )?INDEX product_by_ncm \(company_id=\? AND ncm[=<>]\?/;
  const MOMENTS = /^SEARCH p USING (COVERING )?INDEX product_by_(change|registration) \(company_id=\?\)/;
  const CHANGES_AFTER =
    /^SEARCH p USING (COVERING )?INDEX product_by_(change \(company_id=\? AND changed|registration \(company_id=\? AND registered)_at[=<>]\?/;
  const PAGE_ORDERS: readonly (readonly [ProductOrder, RegExp, PageEnd | undefined])[] = [
    ['codigo', CODES, undefined],
    ['codigo', CODES, [1]],
    ['ncm', NCMS, undefined],
    ['ncm', NCMS_AFTER, ['1', 1]],
    ['ncm', NCMS_AFTER, ['', 1]],
    ['changedAt', MOMENTS, undefined],
    ['changedAt', CHANGES_AFTER, [1, 1]],
  ];
  /** Plan steps that merge two indexes, each in its order. */
  const MERGED = /^(MERGE \(UNION ALL\)|LEFT|RIGHT)$/;

  test.each(PAGE_ORDERS)('by %s uses an index in its order', (by, expected, after) => {
    for (const isDescending of [false, true])
      for (const filter of [{ cpfCnpjRaiz }, { cpfCnpjRaiz, denominacao: 'x', modalidade: 'AMBOS' }])
        for (const query of walkQueries(filter, COMPANY_ID, pageRequest(by, isDescending, after))) {
          const plan = planOf(query).filter((step) => !MERGED.test(step));
          expect([query.sql, plan.filter((step) => !expected.test(step))]).toEqual([query.sql, []]);
          expect(plan).not.toEqual([]);
        }
  });
});

describe('a page of products that is searched', () => {
  const ORDERS: readonly ProductOrder[] = ['codigo', 'denominacao', 'ncm', 'changedAt'];
  const FILTERS = [
    [{}, /^SEARCH p USING INTEGER PRIMARY KEY/],
    [{ ncm: '1' }, /product_by_ncm \(company_id=\? AND ncm=\?/],
    [{ ncmBegins: '73' }, /product_by_ncm \(company_id=\? AND ncm>\? AND ncm<\?/],
    [{ text: 'a 1' }, /^SEARCH p USING INTEGER PRIMARY KEY/],
    [{ internalCode: '1' }, /^SEARCH p USING INTEGER PRIMARY KEY \(rowid=\?\)/],
    [{ internalCode: '1' }, /^SEARCH c USING PRIMARY KEY \(company_id=\? AND codigo_interno=\?/],
    [{ codigoInterno: '1' }, /^SEARCH c USING PRIMARY KEY \(company_id=\? AND codigo_interno=\?/],
    [{ deactivatedBySystem: true }, /product_by_situacao \(company_id=\? AND situacao=\?/],
    [{ situacao: 2 }, /product_by_situacao \(company_id=\? AND situacao=\?/],
    [{ periodoRegistroInicio: '2026-01-15' }, /product_by_registration \(company_id=\? AND registered_at>\?/],
    [{ ultimaAlteracaoInicio: '2026-01-15' }, /product_by_change \(company_id=\? AND changed_at>\?/],
    [{ paisOrigem: 'DE' }, /manufacturer_link_by_country \(codigo_pais=\? AND product_id>\?/],
  ] as const;

  test.each(FILTERS)('by %p is served by its index in every order', (filter, expected) => {
    for (const by of ORDERS)
      for (const isDescending of [false, true])
        for (const start of [undefined, { key: 'x', id: 1 }]) {
          const query = stretchQuery(
            { cpfCnpjRaiz, ...filter },
            COMPANY_ID,
            pageRequest(by, isDescending),
            start,
            keysOf(1),
          );
          const plan = planOf(query);
          expect([query.sql, scans(plan)]).toEqual([query.sql, []]);
          expect([query.sql, plan, plan.some((step) => expected.test(step))]).toEqual([
            query.sql,
            plan,
            true,
          ]);
        }
  });
});

describe('a page of operators', () => {
  test.each([
    ['codigo', 'foreign_operator_by_numero', false],
    ['codigoPais', 'foreign_operator_by_country', false],
    ['nome', 'foreign_operator_by_numero', true],
    ['changedAt', 'foreign_operator_by_numero', true],
  ] as const)('by %s reads %s', (by: OperatorOrder, index, isSorted) => {
    const end = by === 'codigo' ? [1, 'x'] : ['x', 1, 'x'];
    for (const isDescending of [false, true])
      for (const after of [undefined, end]) {
        const filter = { cpfCnpjRaiz, withoutDeactivated: true };
        const plan = planOf(operatorQuery(filter, COMPANY_ID, pageRequest(by, isDescending, after)));
        expect(scans(plan)).toEqual([]);
        expect(plan.some((step) => step.includes(`INDEX ${index} (company_id=?`))).toBe(true);
        expect(plan.some((step) => step.startsWith(SORTED))).toBe(isSorted);
      }
  });
});
