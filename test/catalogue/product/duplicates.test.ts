/** GET /appliance/api/products/duplicates: the active products that repeat. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { BY_NCM } from '../../../src/catalogue/product/duplicate-list-query.ts';
import type { Client } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  PATH,
  WHOLE,
  include,
  includeDraft,
  productsForAllTests,
  succeed,
} from './support.ts';

const OF = `/appliance/api/products/duplicates?cpfCnpjRaiz=${COMPANY}`;
const products = productsForAllTests({ settings: { ambiente: 'producao' } });
let demo: Client;

beforeAll(async () => {
  ({ demo } = products());
  const same = {
    ...WHOLE,
    codigosInterno: ['B-1'],
    atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['02', '01'] }],
  };
  await include(demo, WHOLE); // 1
  await include(demo, { ...MINIMAL, denominacao: 'Água', ncm: '22011000' }); // 2
  await include(demo, same); // 3
  await include(demo, { ...MINIMAL, denominacao: 'AGUA', ncm: '22011000' }); // 4
  await include(demo, { ...MINIMAL, denominacao: 'Água', ncm: '22011000' }); // 5
  await include(demo, { ...MINIMAL, denominacao: 'Água' }); // 6, of another NCM
  await include(demo, { ...WHOLE, denominacao: 'Porca' }); // 7
  await include(demo, { ...WHOLE, denominacao: 'Porca' }); // 8
  await include(demo, WHOLE); // 9, no longer active
  await demo.call('PUT', `${PATH}/desativar/${COMPANY}/9`);
  for (let draft = 0; draft < 2; draft += 1) await includeDraft(demo, { denominacao: 'x' });
});

const page = async (query = '') => succeed(await demo.call('GET', `${OF}${query}`));

const CONTENT = [
  { ncm: '22011000', denominacao: 'Água', codigos: [2, 5] },
  { ncm: '73181500', denominacao: 'Parafuso sextavado', codigos: [1, 3] },
  { ncm: '73181500', denominacao: 'Porca', codigos: [7, 8] },
];
const NAME = [{ ...CONTENT[0], denominacao: 'AGUA', codigos: [2, 4, 5] }, CONTENT[1], CONTENT[2]];

test('whoever may read the company sees them', async () => {
  const { server } = products();
  expect((await server.anybody.call('GET', OF)).status).toBe(401);
  for (const key of ['estranho', 'admin'] as const)
    expect((await (await server.as(key)).call('GET', OF)).status).toBe(403);
  expect((await (await server.as('publico')).call('GET', OF)).status).toBe(200);
});

describe.each([
  ['', CONTENT],
  ['&by=content', CONTENT],
  ['&by=denominacao', NAME],
])('asked with %p', (by, expected) => {
  test('they come by NCM, whatever internal codes they have', async () => {
    expect(await page(by)).toEqual({ items: expected, next: null });
  });

  test('they come in pages', async () => {
    const all: unknown[] = [];
    for (let after = ''; ;) {
      const { items, next } = await page(`${by}&limit=1${after}`);
      all.push(...items);
      if (next === null) break;
      after = `&after=${next}`;
    }
    expect(all).toEqual(expected as unknown[]);
  });
});

test('what is not asked for rightly is refused', async () => {
  const { next } = await page('&limit=1');
  for (const query of ['by=ncm', 'limit=0', 'limit=501', 'after=x', `by=denominacao&after=${next}`])
    expect([query, (await demo.call('GET', `${OF}&${query}`)).status]).toEqual([query, 400]);
});

test('they are read in the order of an index', () => {
  const plan = products()
    .server.app.core.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${BY_NCM}`)
    .all(1, '');
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH p USING INDEX product_by_ncm (company_id=? AND ncm>?)',
  ]);
});
