/**
 * `select.ts FOLDER DATABASE`: returns the stored text of a key, and stores one under a key, many in one
 * commit, durable before the answer. The texts are all answers that catp gives for the products of its
 * database: a small table would fit into the processor's caches.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { iterateProducts } from '../../../src/catalogue/product/list-query.ts';
import { printResponse } from '../../../src/catalogue/product/record.ts';
import { groupCommit } from './group-commit.ts';
import { serve } from './serve.ts';

const COMPANY = '12345678';

const [folder = '.', catalogue = ''] = process.argv.slice(2);
const db = new Database(join(folder, 'baseline.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE record (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID');
fill();
const select = db.prepare<[string], string>('SELECT text FROM record WHERE key = ?').pluck();

const put = db.prepare<[string, string]>(
  'INSERT INTO record (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text',
);
const stored = groupCommit(db, ({ key, text }: { key: string; text: string }) => put.run(key, text));
let included = 0;

serve((request) => {
  const path = request.url.slice(request.url.indexOf('/', 'https://'.length));
  if (request.method !== 'GET') return store(path, request);
  const text = select.get(path);
  if (text === undefined) return new Response(null, { status: 404 });
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
});

/** A new key for each inclusion; a new version replaces the text under its product's own. */
async function store(path: string, request: Request): Promise<Response> {
  const text = await request.text();
  JSON.parse(text);
  await stored({ key: request.method === 'POST' ? `${path}/${(included += 1)}/included` : path, text });
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}

function fill(): void {
  const source = new Database(catalogue, { readonly: true });
  const products = iterateProducts(source, { cpfCnpjRaiz: COMPANY });
  const insert = db.prepare<[string, string]>('INSERT INTO record (key, text) VALUES (?, ?)');
  db.transaction(() => {
    for (const product of products)
      if (product !== undefined)
        insert.run(
          `/catp/api/ext/produto/${COMPANY}/${product.codigo}/${product.family}`,
          printResponse.text(product, { cpfCnpjRaiz: COMPANY, seq: 1 }),
        );
  })();
  source.close();
}
