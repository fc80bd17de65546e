/** A list of all products reads range by range, and misses or repeats none at the edge of a range. */
import { afterEach, describe, expect, test } from 'bun:test';
import { STRETCH_PRODUCTS, iterateProducts } from '../../../src/catalogue/product/list-query.ts';
import { searchTexts } from '../../../src/catalogue/search/search-list-query.ts';
import { type TestApp, openApp } from '../../support/app.ts';
import { fillProducts } from './fill.ts';

const cpfCnpjRaiz = '12345678';

let server: TestApp;
afterEach(() => server.close());

async function fill(count: number): Promise<void> {
  server = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
  fillProducts(server.app.core.db, count);
}

const codes = (filter: object): (number | undefined)[] =>
  [...iterateProducts(server.app.core.db, { cpfCnpjRaiz, ...filter })].map((product) => product?.codigo);

const AS_OF = { dataReferencia: '2026-01-15' };

describe.each([
  ['the list', {}],
  ['the list as of a day', AS_OF],
])('%s', (_name, filter) => {
  test.each([1, STRETCH_PRODUCTS - 1, STRETCH_PRODUCTS, STRETCH_PRODUCTS + 1, 2 * STRETCH_PRODUCTS + 1])(
    'of %d products is complete and in order',
    async (count) => {
      await fill(count);
      const listedCodes = codes(filter).filter((code) => code !== undefined);
      expect(listedCodes).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    },
  );

  test('continues after gaps in the codes', async () => {
    await fill(3);
    server.app.core.db.exec('UPDATE product SET id = id + 9999999996 WHERE id % 10000000000 = 3');
    expect(codes(filter)).toEqual([1, 2, 9_999_999_999]);
  });
});

test('without a match yields to other work at the end of each range', async () => {
  await fill(2 * STRETCH_PRODUCTS + 1);
  server.app.core.db.function('folded', (text) => text);
  expect(codes({ denominacao: 'nada' })).toEqual([undefined, undefined]);
  expect(codes({ ...AS_OF, denominacao: 'nada' })).toEqual([undefined, undefined]);
  // A query with an index reads only the matches of the index.
  expect(codes({ ...AS_OF, codigo: 7 })).toEqual([7]);
  expect(codes({ ncm: '11111111' })).toEqual([]);
});

test('a search of few products reads one range, with any distance between their codes', async () => {
  await fill(3);
  for (const [table, key] of [
    ['product_signature', 'product_id'],
    ['product', 'id'],
  ])
    server.app.core.db.exec(
      `UPDATE ${table} SET ${key} = ${key} + 9999999996 WHERE ${key} % 10000000000 = 3`,
    );
  server.app.core.db.function('folded', (text) => text);
  const companies = [cpfCnpjRaiz];
  const read = { kind: 'search', companies, isOfAll: false, text: 'parafuso', limit: 10, ncms: [] } as const;
  const texts = [...searchTexts(server.app.core.db, read, [{ cpfCnpjRaiz, nome: 'Exemplo' }])];
  expect(texts.map((text) => text === '')).toEqual([true, false]);
  expect(JSON.parse(texts[1] ?? '').products.map(({ codigo }: { codigo: number }) => codigo)).toEqual([
    ...[1, 2, 9_999_999_999],
  ]);
});
