/** Deadlines over all companies of a caller: each with the companies that it concerns (contract section 25). */
import { describe, expect, test } from 'bun:test';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { ANNOUNCING, COFFEE, PATH, SCREW, deadlinesForEachTest } from './support.ts';

const fixture = deadlinesForEachTest();
const { put, get, deadlines } = fixture;

test('names the companies with affected products, except when one company is requested', async () => {
  await put(tableFile('1', ANNOUNCING));
  await include(fixture.demo, product(SCREW));
  await include(fixture.demo, product(SCREW, 'ATT_1'));
  await fixture.demo.call('POST', '/catp/api/ext/produto/87654321', product(SCREW));
  const companies = [
    { cpfCnpjRaiz: COMPANY, nome: 'Exemplo Importadora S.A.', products: 2, missing: 1 },
    { cpfCnpjRaiz: '87654321', nome: 'Modelo Comércio Exterior Ltda.', products: 1, missing: 1 },
  ];
  expect(await deadlines()).toMatchObject([{ products: 3, missing: 2, companies }]);
  expect((await deadlines(`cpfCnpjRaiz=${COMPANY}`))[0]).not.toHaveProperty('companies');
  const csv = (await fixture.demo.call('GET', `${PATH}.csv?columns=empresa,missing`)).text
    .trim()
    .split('\r\n');
  expect(csv).toEqual([
    'Empresa;Sem valor',
    'Exemplo Importadora S.A.;1',
    'Modelo Comércio Exterior Ltda.;1',
  ]);
  // The administrator gets the numbers of all companies, and represents none.
  expect((await get(await fixture.server.as('admin'))).items).toMatchObject([{ products: 3, companies: [] }]);
  expect((await get(await fixture.server.as('publico'))).items).toMatchObject([{ products: 3, companies }]);
});

describe('products without a company', () => {
  const OTHER = '87654321';
  const PRODUCTS = `${PATH}/products`;

  /** Includes two products of one company and one of the other without ATT_1, and one product with it. */
  async function includeProducts(): Promise<void> {
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    await include(fixture.demo, product(SCREW));
    await fixture.demo.call('POST', `/catp/api/ext/produto/${OTHER}`, product(SCREW));
  }
  const page = async (query = '', client = fixture.demo) =>
    (await client.call('GET', `${PRODUCTS}?${query}`)).json;
  const keysIn = ({ items }: { items: Record<string, string | number>[] }) =>
    items.map(({ cpfCnpjRaiz, codigo, empresa }) => [cpfCnpjRaiz, codigo, empresa]);
  const ALL = [
    [COMPANY, 1, 'Exemplo Importadora S.A.'],
    [COMPANY, 3, 'Exemplo Importadora S.A.'],
    [OTHER, 1, 'Modelo Comércio Exterior Ltda.'],
  ];

  test('are those of all companies of the caller, each with its company', async () => {
    await includeProducts();
    const all = await page('on=2026-02-01');
    expect([keysIn(all), all.total, all.next]).toEqual([ALL, 3, null]);
    expect((await page(`ncm=${COFFEE}`)).items).toEqual([]);
    expect((await page('on=2026-02-02')).total).toBe(0);
    expect(keysIn(await page('', await fixture.server.as('publico')))).toEqual(ALL);
    for (const user of ['admin', 'estranho'])
      expect(await page('', await fixture.server.as(user))).toMatchObject({
        items: [],
        total: 0,
        next: null,
      });
    expect((await page(`cpfCnpjRaiz=${OTHER}`)).items[0]).not.toHaveProperty('empresa');
  });

  test.each([1, 2, 3])('come in pages of %d that neither repeat nor miss one', async (limit) => {
    await includeProducts();
    const keys = [];
    let after = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const { total, next, ...one } = await page(`limit=${limit}&${after}`);
      expect([one.items.length <= limit, total]).toEqual([true, 3]);
      keys.push(...keysIn(one));
      if (next === null) break;
      after = `after=${next}`;
    }
    expect(keys).toEqual(ALL);
  });

  test('have their own cursor: that of one company is 400', async () => {
    await includeProducts();
    const { next } = await page(`cpfCnpjRaiz=${COMPANY}&limit=1`);
    const { status, json } = await fixture.demo.call('GET', `${PRODUCTS}?after=${next}`);
    expect([status, json.detail[0].path]).toEqual([400, 'after']);
  });

  test('are not a table to fill in: it names one company', async () => {
    const { status, json } = await fixture.demo.call('GET', `${PRODUCTS}.csv`);
    expect([status, json.detail[0].path]).toEqual([400, 'cpfCnpjRaiz']);
  });
});
