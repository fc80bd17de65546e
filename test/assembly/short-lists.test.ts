/** Lists of few products, read on the main thread: their selection, and the same text as from a Worker. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { PRODUCTS_MAX, ShortLists } from '../../src/assembly/reading/short-lists.ts';
import { listingChunks } from '../../src/assembly/reading/listings.ts';
import type { ProductFilter } from '../../src/catalogue/product/filter.ts';
import { openReader } from '../../src/reading/read-scheduler.ts';
import { COMPANY, LIST, MINIMAL, OF_COMPANY, TODAY } from '../catalogue/product/support.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let demo: Client;
let lists: ShortLists;

const include = async (product: object): Promise<void> => {
  const reply = await demo.call('POST', OF_COMPANY, { ...MINIMAL, ...product });
  if (reply.status !== 200) throw new Error(reply.text);
};

const request = (filter: Partial<ProductFilter>) =>
  ({ kind: 'products', form: 'list', filter: { cpfCnpjRaiz: COMPANY, ...filter } }) as const;

const short = (filter: Partial<ProductFilter>): string | undefined => lists.textOf(request(filter));

const database = (): string => join(server.folder, 'catp.sqlite');

beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
  lists = new ShortLists(database());
  for (let count = 0; count < PRODUCTS_MAX; count += 1) await include({ codigosInterno: [`C${count % 2}`] });
  await include({ ncm: '84818095', codigosInterno: ['ONE'] });
});

afterAll(async () => {
  lists.close();
  await server.close();
});

test.each<Partial<ProductFilter>>([
  { codigo: 3 },
  { ncm: '84818095' },
  { ncm: '84818095', denominacao: 'parafuso', modalidade: 'IMPORTACAO' },
  { codigoInterno: 'ONE' },
  { codigoInterno: 'C1' },
  { ncm: '99999999' },
])('a list by %j is the text that a Worker reads', (filter) => {
  const db = openReader(database());
  const ofWorker = [...listingChunks(db, request(filter))].join('');
  db.close();
  expect(short(filter)).toBe(ofWorker);
});

test.each<Partial<ProductFilter>>([
  {},
  { denominacao: 'parafuso' },
  { ncmBegins: '73' },
  { ncm: '84818095', text: 'parafuso' },
  { ncm: '84818095', repeated: 'codigoInterno' },
  { ncm: '84818095', dataReferencia: TODAY },
  { situacao: 2 },
])('a list by %j is left to a Worker', (filter) => {
  expect(short(filter)).toBeUndefined();
});

test('the products that the index selects are counted before any is read', async () => {
  const all = (): Promise<number> =>
    demo.call('GET', `${LIST}&ncm=73181500`).then(({ json }) => (json as unknown[]).length);
  const none = { ncm: '73181500', codigoInterno: 'NONE' };
  expect([short({ ncm: '73181500' }), await all()]).toEqual([expect.any(String), PRODUCTS_MAX]);
  await include({});
  expect([short({ ncm: '73181500' }), await all()]).toEqual([undefined, PRODUCTS_MAX + 1]);
  // The most selective filter counts.
  expect(short(none)).toBe('');
});

test('a list of more than one chunk is left to a Worker', async () => {
  const descricao = 'á'.repeat(3700);
  for (let count = 0; count < 20; count += 1) await include({ ncm: '40169300', descricao });
  expect(short({ ncm: '40169300' })).toBeUndefined();
  expect((await demo.call('GET', `${LIST}&ncm=40169300`)).json).toHaveLength(20);
});

test('a list shows earlier writes', async () => {
  await include({ ncm: '40169300', codigosInterno: ['NEW'] });
  expect((await demo.call('GET', `${LIST}&codigoInterno=NEW`)).json).toHaveLength(1);
});
