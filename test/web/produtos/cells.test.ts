/**
 * The cells of the list have values that a sheet reads back unchanged, and no others are sent (contract
 * section 24).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AttributeDetail, ImportProgress, PagedProduct } from '../../../src/web/api/answers.ts';
import { sheetOf } from '../../../src/web/corrigir/each-sheet.ts';
import { productFills } from '../../../src/web/produtos/cells.ts';
import { namesOf } from '../../../src/web/produtos/produto/reading.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { run } from '../../catalogue/sheet/support.ts';

const COMPANY = '12345678';

let server: TestApp;
let demo: Client;

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
    denominacao: 'Caixa; "grande" \\ azul',
    descricao: 'Um | dois',
    ncm: '39269090',
    modalidade: 'IMPORTACAO',
    codigosInterno: ['A|1', 'B;2', 'C\\3'],
  });
});
afterAll(() => server.close());

async function products(): Promise<readonly PagedProduct[]> {
  return (await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`)).json.items;
}

async function allFills(all: readonly PagedProduct[]) {
  const details: AttributeDetail[] = [];
  for (const ncm of new Set(all.map((one) => one.ncm)))
    details.push(
      ...((await demo.call('GET', `/cadatributos/api/ext/atributo-ncm/${ncm}`)).json.detalhesAtributos ?? []),
    );
  return productFills(namesOf(details));
}

/** Sends the form of a page to the server. */
async function dryRun(body: FormData): Promise<ImportProgress> {
  const { job, started } = await run(demo, body);
  return job ?? started.json;
}

test('every cell that is sent back unchanged changes nothing', async () => {
  const all = await products();
  const fills = await allFills(all);
  expect(fills.length).toBeGreaterThan(15);
  const rows = all.map((product) => ({
    product,
    cells: fills.map(({ currentText }) => currentText(product)),
  }));
  const job = await dryRun(sheetOf(COMPANY, fills, rows, { reactivate: false, empty: 'apagar' }));
  expect(job).toMatchObject({ total: all.length, unchanged: all.length, failed: 0 });
});

test('an empty cell keeps or empties the member, as requested', async () => {
  const product = (await products()).find(({ descricao }) => descricao === 'Um | dois') as PagedProduct;
  const fills = (await allFills([product])).filter(({ target }) => target === 'descricao');
  const rows = [{ product, cells: [''] }];
  const counts = (empty: 'manter' | 'apagar') =>
    dryRun(sheetOf(COMPANY, fills, rows, { reactivate: false, empty }));
  expect(await counts('manter')).toMatchObject({ unchanged: 1 });
  expect(await counts('apagar')).toMatchObject({ newVersion: 1 });
});
