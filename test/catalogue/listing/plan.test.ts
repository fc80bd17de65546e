/** Every filter is served by an index: no list scans a table (design, Validity). */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperatorFilter } from '../../../src/catalogue/foreign-operator/filter.ts';
import { operatorQuery } from '../../../src/catalogue/foreign-operator/list-query.ts';
import type { Query } from '../../../src/catalogue/list-query.ts';
import type { ProductFilter } from '../../../src/catalogue/product/filter.ts';
import { STRETCH_END, productQuery } from '../../../src/catalogue/product/list-query.ts';
import { TestClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { type Db, openForWriting } from '../../../src/db/open.ts';
import { fillProducts } from './fill.ts';

const folder = mkdtempSync(join(tmpdir(), 'catp-plan-'));
let db: Db;
beforeAll(() => {
  db = openForWriting(join(folder, 'test.sqlite'));
  migrate(db, MIGRATIONS, new TestClock(0));
  db.function('folded', (text) => text);
  db.exec(`INSERT INTO company (cpf_cnpj_raiz, nome) VALUES ('${cpfCnpjRaiz}', 'Exemplo')`);
  fillProducts(db, 1);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function planOf({ sql, parameters }: Query): string[] {
  const rows = db
    .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters);
  return rows.map(({ detail }) => detail);
}

/**
 * Scans that the plans may contain: the rows of the inner query (q), the few internal codes of one version
 * (i, json_each), and a row of constants. A temporary b-tree sorts the small rows (code, situation, version)
 * of the inner query if its index has another order than the list. The texts are fetched after the sort.
 */
const MAY_BE_SCANNED = /^SCAN (q|i( EXISTS)? VIRTUAL TABLE INDEX \d+:|CONSTANT ROW)$/;

const scans = (plan: readonly string[]): string[] =>
  plan.filter((step) => step.startsWith('SCAN') && !MAY_BE_SCANNED.test(step));

const cpfCnpjRaiz = '12345678';
const COMPANY_ID = 1;

/** Plan step that reads the keys of the company in order. */
const KEYS = /^SEARCH p USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/;

/** Single filters, each with the index columns that must serve it. */
const PRODUCT_FILTERS: readonly (readonly [string, Partial<ProductFilter>, RegExp])[] = [
  ['nothing', {}, KEYS],
  ['codigo', { codigo: 1 }, /^SEARCH p USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ['codigoInterno', { codigoInterno: 'A' }, /c USING PRIMARY KEY \(company_id=\? AND codigo_interno=\?/],
  ['ncm', { ncm: '73181500' }, /product_by_ncm \(company_id=\? AND ncm=\? AND rowid>\?/],
  ['a rare situacao', { situacao: 2 }, /product_by_situacao \(company_id=\? AND situacao=\?/],
  // Most products match these filters, so an index would not help: the query reads one company.
  ['situacao ATIVADO', { situacao: 0 }, KEYS],
  ['modalidade', { modalidade: 'AMBOS' }, KEYS],
  ['repeated codes', { repeated: 'codigoInterno' }, KEYS],
  [
    'the other products of a repeated code',
    { repeated: 'codigoInterno' },
    /c USING PRIMARY KEY \(company_id=\? AND codigo_interno=\?/,
  ],
  [
    'registration from',
    { periodoRegistroInicio: '2026-01-15' },
    /product_by_registration \(company_id=\? AND registered_at>\?\)/,
  ],
  [
    'registration until',
    { periodoRegistroFim: '2026-01-15' },
    /product_by_registration \(company_id=\? AND registered_at<\?\)/,
  ],
  [
    'change from',
    { ultimaAlteracaoInicio: '2026-01-15' },
    /product_by_change \(company_id=\? AND changed_at>\?\)/,
  ],
  [
    'change until',
    { ultimaAlteracaoFim: '2026-01-15' },
    /product_by_change \(company_id=\? AND changed_at<\?\)/,
  ],
  [
    'change from, for products that never changed',
    { ultimaAlteracaoInicio: '2026-01-15' },
    /product_by_registration \(company_id=\? AND registered_at>\?\)/,
  ],
  ['paisOrigem', { paisOrigem: 'DE' }, /manufacturer_link_by_country \(codigo_pais=\? AND product_id>\?/],
  [
    'cpfCnpjFabricante',
    { cpfCnpjFabricante: '12345678901' },
    /manufacturer_link_by_manufacturer \(cpf_cnpj_fabricante=\? AND product_id>\?/,
  ],
  [
    'operadorEstrangeiroCodigo',
    { operadorEstrangeiroCodigo: 'OPE_1' },
    /manufacturer_link_by_operator \(codigo_operador=\? AND product_id>\?/,
  ],
  [
    'the TIN of an operator',
    { operadorEstrangeiroCodigo: 'TIN' },
    /foreign_operator_by_tin \(company_id=\? AND tin=\?\)/,
  ],
  // No index finds a part of a text.
  ['denominacao', { denominacao: 'x' }, KEYS],
  ['descricao', { descricao: 'x' }, KEYS],
  ['all but deactivated', { withoutDeactivated: true }, KEYS],
];

describe('the list of products by', () => {
  test.each(PRODUCT_FILTERS)('%s is served by its index', (_name, filter, expected) => {
    const plan = planOf(productQuery({ cpfCnpjRaiz, ...filter }, COMPANY_ID));
    expect(scans(plan)).toEqual([]);
    expect(plan.some((step) => expected.test(step))).toBe(true);
    // The sort has only keys; the rows with their texts are fetched after it.
    if (plan.includes('USE TEMP B-TREE FOR ORDER BY'))
      expect(plan).toContain('SEARCH v USING INTEGER PRIMARY KEY (rowid=?)');
  });

  test.each(PRODUCT_FILTERS)('%s as of a day reads the keys of one company', (_name, filter) => {
    const plan = planOf(productQuery({ cpfCnpjRaiz, ...filter, dataReferencia: '2026-01-15' }, COMPANY_ID));
    expect(scans(plan)).toEqual([]);
    expect(plan.some((step) => /^SEARCH p USING INTEGER PRIMARY KEY \(rowid[=>]\?/.test(step))).toBe(true);
    const past = /^SEARCH v USING INDEX product_version_in_force \(record_id[=>]\?/;
    expect(plan.some((step) => past.test(step))).toBe(true);
    // Both parts have the order of `codigo`, and are merged; rows with their texts are never sorted.
    expect(plan).toContain('MERGE (UNION ALL)');
    expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY');
  });

  test.each([
    ['nothing', {}],
    ['denominacao', { denominacao: 'x' }],
    ['a day', { dataReferencia: '2026-01-15' }],
  ] as const)('%s reads a range of keys', (_name, filter) => {
    const plan = planOf(productQuery({ cpfCnpjRaiz, ...filter }, COMPANY_ID, { after: 1, upTo: 2 }));
    expect(scans(plan)).toEqual([]);
    expect(plan.some((step) => KEYS.test(step))).toBe(true);
    expect(planOf({ sql: STRETCH_END, parameters: [1, 2] })).toEqual([
      'SEARCH product USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    ]);
  });

  // The library builds a factory of rows after each new plan. A plan takes ten times as long as a short list.
  test.each([
    ['codigo', { codigo: 1 }],
    ['ncm', { ncm: '73181500' }],
    ['ncm and situacao', { ncm: '73181500', situacao: 0 }],
    ['ncm and modalidade', { ncm: '73181500', modalidade: 'AMBOS' }],
    ['nothing', {}],
  ] as const)('%s is planned once, also for the first company', (_name, filter) => {
    const { sql, parameters } = productQuery({ cpfCnpjRaiz, ...filter }, COMPANY_ID);
    const list = db.prepare(sql);
    const factories = spyOn(globalThis, 'Function');
    try {
      for (let run = 0; run < 3; run += 1) expect(list.all(...parameters)).toHaveLength(1);
      expect(factories).toHaveBeenCalledTimes(1);
    } finally {
      factories.mockRestore();
    }
  });

  // If it were ignored, all products would match.
  test.each(['denominacao', 'conteudo'] as const)(
    'a repeated %s is refused before it is resolved',
    (repeated) => {
      expect(() => productQuery({ cpfCnpjRaiz, repeated }, COMPANY_ID)).toThrow('must be replaced by codes');
    },
  );

  test('any two filters together is still served by indexes', () => {
    for (const [first, one] of PRODUCT_FILTERS)
      for (const [second, other] of PRODUCT_FILTERS) {
        const plan = planOf(productQuery({ cpfCnpjRaiz, ...one, ...other }, COMPANY_ID));
        expect([first, second, scans(plan)]).toEqual([first, second, []]);
      }
  });
});

const OPERATOR_FILTERS: readonly (readonly [string, Partial<OperatorFilter>, RegExp])[] = [
  ['nothing', {}, /foreign_operator_by_numero \(company_id=\?\)/],
  ['codigo', { codigo: 'OPE_1' }, /foreign_operator_by_codigo \(company_id=\? AND codigo=\?\)/],
  ['tin', { tin: 'T' }, /foreign_operator_by_tin \(company_id=\? AND tin=\?\)/],
  [
    'codigoInterno',
    { codigoInterno: 'C' },
    /foreign_operator_by_internal_code \(company_id=\? AND codigo_interno=\?\)/,
  ],
  ['paisOrigem', { paisOrigem: 'DE' }, /foreign_operator_by_country \(company_id=\? AND codigo_pais=\?\)/],
  ['nome', { nome: 'x' }, /foreign_operator_by_numero \(company_id=\?\)/],
  [
    'a repeated TIN',
    { repeated: 'tin' },
    /r USING INDEX foreign_operator_by_tin_key \(company_id=\? AND <expr>=\?/,
  ],
  [
    'a repeated name',
    { repeated: 'nome' },
    /r USING INDEX foreign_operator_by_name \(company_id=\? AND nome_folded=\?/,
  ],
];

describe('the list of foreign operators by', () => {
  test.each(OPERATOR_FILTERS)('%s is served by its index', (_name, filter, expected) => {
    for (const withoutDeactivated of [true, false]) {
      const plan = planOf(operatorQuery({ cpfCnpjRaiz, withoutDeactivated, ...filter }, COMPANY_ID));
      expect(scans(plan)).toEqual([]);
      expect(plan.some((step) => expected.test(step))).toBe(true);
    }
  });
});
