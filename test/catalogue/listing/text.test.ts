/**
 * Lists, pages and the search find exactly the records that contain a text, with any state of the
 * signatures.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rareQuery } from '../../../src/catalogue/product/text-list-query.ts';
import { signatureOf } from '../../../src/validation/trigrams.ts';
import { SeededRandom } from '../../../src/seeded-random.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { folded } from '../../../src/validation/text.ts';
import { TestClock } from '../../../src/clock.ts';
import { scratchForEachTest } from '../../db/support.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, LIST, MINIMAL, OF_COMPANY, PATH } from '../product/support.ts';
import { fillProducts } from './fill.ts';

const PRODUCTS = 150;
const PARTS = [
  'Parafuso',
  'AÇO',
  'inox',
  'Válvula',
  'ß',
  '中文字',
  'M6',
  '"3/4"',
  'à prova',
  'd’água',
  'x\\y',
  '12',
];
const NCMS = ['73181500', '84818095', '39269090'];

interface Product {
  readonly codigo: number;
  readonly denominacao: string;
  readonly ncm: string;
  readonly codigosInterno: readonly string[];
}

let server: TestApp;
let demo: Client;

function contentOf(index: number) {
  const random = new SeededRandom('text', 'product', index);
  const code = (): string => `${random.pick(['SKU', 'ç', 'A"B', '00'])}-${random.below(500)}`;
  return {
    ...MINIMAL,
    denominacao:
      Array.from({ length: random.between(1, 5) }, () => random.pick(PARTS)).join(' ') + random.below(40),
    ncm: random.pick(NCMS),
    codigosInterno: random.chance(70) ? [code(), `${code()} b`] : [],
  };
}

async function include(from: number): Promise<void> {
  const batch = Array.from({ length: 50 }, (_, at) => ({
    seq: at + 1,
    cpfCnpjRaiz: COMPANY,
    ...contentOf(from + at),
  }));
  const { json } = await demo.call('POST', PATH, batch);
  expect(json.filter(({ sucesso }: { sucesso: boolean }) => !sucesso)).toEqual([]);
}

beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
  for (let from = 0; from < PRODUCTS; from += 50) await include(from);
  // Every seventh product gets a new name, so its old name is in a past version.
  for (let codigo = 1; codigo <= PRODUCTS; codigo += 7)
    expect((await demo.call('PUT', `${OF_COMPANY}/${codigo}`, contentOf(1000 + codigo))).status).toBe(200);
});
afterAll(() => server.close());

const listOf = async (query: string): Promise<Product[]> => {
  const { status, text } = await demo.call('GET', `${LIST}${query}`);
  return status === 204 ? [] : JSON.parse(text);
};

const codesOf = (products: readonly { readonly codigo: number }[]): number[] =>
  products.map(({ codigo }) => codigo).sort((a, b) => a - b);

/** Searches a word in the printed members of a product, without signatures. */
function hasWord({ codigo, denominacao, ncm, codigosInterno }: Product, word: string): boolean {
  const digits = /^\d[\d.]*$/.test(word) ? word.replaceAll('.', '') : undefined;
  return (
    folded(denominacao).includes(word) ||
    folded(JSON.stringify(codigosInterno)).includes(JSON.stringify(word).slice(1, -1)) ||
    String(codigo).includes(word) ||
    (digits !== undefined && ncm.startsWith(digits))
  );
}

/** Returns a part of a name, of a code, or of no product, with one letter or more. */
function wordOf(index: number, all: readonly Product[]): string {
  const random = new SeededRandom('text', 'word', index);
  const { denominacao, codigosInterno, ncm, codigo } = random.pick(all);
  const from = random.pick([
    denominacao,
    codigosInterno[0] ?? 'nada',
    ncm,
    String(codigo),
    'xilofone',
    '73.18',
    '100',
  ]);
  const at = random.below(Math.max(1, from.length - 1));
  return from.slice(at, at + random.between(1, 9));
}

async function expectAllFound(words: number): Promise<void> {
  const all = await listOf('');
  expect(all).toHaveLength(PRODUCTS);
  for (let index = 0; index < words; index += 1) {
    const text = wordOf(index, all);
    const encodedText = encodeURIComponent(text);
    const matches = all.filter(({ denominacao }) => folded(denominacao).includes(folded(text)));
    expect([text, codesOf(await listOf(`&denominacao=${encodedText}`))]).toEqual([text, codesOf(matches)]);
    const words = folded(text).split(/\s+/).filter(Boolean);
    if (words.length === 0) continue;
    const withWords = all.filter((product) => words.every((word) => hasWord(product, word)));
    for (const order of ['codigo', '-ncm']) {
      const page = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&text=${encodedText}&limit=200&order=${order}`;
      const { items, total } = (await demo.call('GET', page)).json;
      expect([text, order, codesOf(items), total]).toEqual([
        text,
        order,
        codesOf(withWords),
        withWords.length,
      ]);
    }
    const search = `/appliance/api/search?cpfCnpjRaiz=${COMPANY}&text=${encodedText}&limit=100`;
    const products = (await demo.call('GET', search)).json.products;
    expect([text, products.length]).toEqual([text, Math.min(100, withWords.length)]);
    expect(codesOf(withWords)).toEqual(expect.arrayContaining(codesOf(products)));
  }
}

/** Reads the signatures as texts, because they exceed the exact integers of JavaScript. */
const signatures = (): unknown[] =>
  server.app.core.db
    .prepare('SELECT product_id, CAST(low AS TEXT), CAST(high AS TEXT) FROM product_signature')
    .raw()
    .all();

describe('any searched word', () => {
  test('is found in the records that contain it', () => expectAllFound(120), 60_000);

  test('is found also while records lack a signature, which a start adds', async () => {
    const { db } = server.app.core;
    const whole = signatures();
    db.exec('UPDATE product_signature SET low = -1, high = -1 WHERE product_id % 3 <> 0');
    db.exec("DELETE FROM folder_mark WHERE name = 'signed'");
    await expectAllFound(30);
    await server.close({ keepFolder: true });
    server = await openApp({ folder: server.folder });
    demo = await server.as('demo');
    expect(signatures()).toEqual(whole);
    expect(
      server.app.core.db.prepare("SELECT value FROM folder_mark WHERE name = 'signed'").pluck().get(),
    ).toBe('true');
  });

  test('records that cannot contain it are not read', async () => {
    const { db } = server.app.core;
    const [{ denominacao }] = (await listOf('&codigo=2')) as [Product];
    const before = signatures()[1] as [number, string, string];
    const filter = `&denominacao=${encodeURIComponent(denominacao)}`;
    expect(codesOf(await listOf(filter))).toContain(2);
    const put = db.prepare('UPDATE product_signature SET low = ?, high = ? WHERE product_id = ?');
    put.run(0, 0, before[0]);
    expect(codesOf(await listOf(filter))).not.toContain(2);
    expect(codesOf(await listOf(`${filter}&ncm=${contentOf(1).ncm}`))).toContain(2);
    put.run(before[1], before[2], before[0]);
  });
});

describe('a text that many products contain', () => {
  test.each([1000, 1001])('is found in the requested order in %d products', async (count) => {
    const many = await openApp({ parts: { open: { synchronous: 'NORMAL' } } });
    fillProducts(many.app.core.db, count);
    const reader = await many.as('demo');
    const page = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&text=parafuso&limit=2&order=-codigo`;
    const { items, total } = (await reader.call('GET', page)).json;
    expect([codesOf(items), total]).toEqual([[count - 1, count], count]);
    const { json } = await reader.call('GET', `${LIST}&denominacao=PARAFUSO`);
    expect(json.map(({ codigo }: Product) => codigo)).toEqual(
      Array.from({ length: count }, (_, at) => at + 1),
    );
    await many.close();
  });
});

describe('the signatures', () => {
  const scratch = scratchForEachTest();

  test('of earlier records match any text', () => {
    const { db } = scratch();
    const clock = new TestClock(0);
    const before = MIGRATIONS.findIndex(({ name }) => name === 'product_signature');
    migrate(db, MIGRATIONS.slice(0, before), clock);
    db.exec(`INSERT INTO company (id, cpf_cnpj_raiz, nome) VALUES (1, '${COMPANY}', 'Exemplo')`);
    db.exec(`INSERT INTO product (id, company_id, registered_at, changed_at, family, rectification, starts_on, made_at, made_by,
      situacao, denominacao_folded, denominacao) VALUES (10000000001, 1, 0, 0, 1, 0, '2026-01-15', 0, 'x', 'ATIVADO', 'a', 'A')`);
    migrate(db, MIGRATIONS, clock);
    expect(db.prepare('SELECT * FROM product_signature').raw().all()).toEqual([[10_000_000_001, -1, -1]]);
    expect(db.prepare("SELECT 1 FROM folder_mark WHERE name = 'signed'").get()).toBeUndefined();
  });

  test('are read by the keys of one company, and only matching records are fetched', () => {
    const { db } = scratch();
    migrate(db, MIGRATIONS, new TestClock(0));
    const filter = { cpfCnpjRaiz: COMPANY, denominacao: 'xyz', situacao: 0 };
    const { sql, parameters } = rareQuery(filter, signatureOf(['xyz']), 1, { after: 1, upTo: 2 });
    const plan = db.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    expect(plan.all(...parameters, 1).map(({ detail }) => detail)).toEqual([
      'SEARCH s USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  });
});
