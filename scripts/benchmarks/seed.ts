/**
 * Fills a new data folder: `seed.ts FOLDER N`. The company 12345678 gets N products, 87654321 gets 1000 of five versions
 * each. The rows are those that the product's own modules would write; they are written in bulk, without events, and the
 * indexes are made at the end.
 */
import { SystemClock, type Day, DAY_MS } from '../../src/clock.ts';
import { contentHashOf } from '../../src/catalogue/product/content.ts';
import type { ProductContent } from '../../src/catalogue/product/model.ts';
import { listsText } from '../../src/catalogue/product/record.ts';
import { FOREVER } from '../../src/catalogue/version.ts';
import { MADE_BY_DEV } from '../../src/cli/dev.ts';
import { withFolder, type OpenFolder } from '../../src/cli/open.ts';
import { FolderMarks } from '../../src/db/folder-mark.ts';
import type { Db } from '../../src/db/open.ts';
import { seedDevelopment } from '../../src/demo/seed.ts';
import { dayOf } from '../../src/validation/calendar.ts';
import { folded } from '../../src/validation/text.ts';
import { productContent } from './products.ts';

const VERSIONED = { company: '87654321', products: 1000, versions: 5 };
/** One product in so many has a link to a manufacturer. */
const LINKED_EVERY = 10;
const COUNTRIES = ['AR', 'CN', 'DE', 'US'] as const;
/** Registrations spread over so many days before today. */
const SPREAD_DAYS = 1000;
const BULK_CACHE_KIB = 1024 * 1024;

async function fill(core: OpenFolder, count: number): Promise<void> {
  const { db, writer } = core;
  await seedDevelopment(core, { empty: true });
  await writer.write(() => new FolderMarks(db).put(MADE_BY_DEV, 'true'));
  db.pragma('synchronous = OFF');
  db.pragma('foreign_keys = OFF');
  db.pragma(`cache_size = -${BULK_CACHE_KIB}`);
  const indexes = dropIndexes(db);
  const rows = new Rows(db);
  db.transaction(() => {
    rows.addCompany('12345678', count, 1);
    rows.addCompany(VERSIONED.company, VERSIONED.products, VERSIONED.versions);
  })();
  for (const sql of indexes) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
}

const FILLED_TABLES = ['product', 'product_version', 'manufacturer_link'] as const;

/** Takes the indexes of the filled tables away; returns how to make them again. */
function dropIndexes(db: Db): readonly string[] {
  const found = db.prepare<[string], { name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
  );
  const indexes = FILLED_TABLES.flatMap((table) => found.all(table));
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return indexes.map(({ sql }) => sql);
}

class Rows {
  readonly #now = new SystemClock().now();
  readonly #product;
  readonly #version;
  readonly #validity;
  readonly #internalCode;
  readonly #link;
  readonly #sequence;
  #lastProduct = 0;
  #lastVersion = 0;

  constructor(db: Db) {
    this.#product = db.prepare(
      `INSERT INTO product (id, cpf_cnpj_raiz, codigo, registered_at, changed_at, current_version, situacao, modalidade, ncm,
         denominacao_folded, descricao_folded, content_hash)
       VALUES (?, ?, ?, ?, ?, ?, 'ATIVADO', ?, ?, ?, ?, ?)`,
    );
    this.#version = db.prepare(
      `INSERT INTO product_version (id, product_id, family, rectification, starts_on, made_at, denominacao, descricao,
         modalidade, ncm, lists)
       VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#validity = db.prepare(
      'INSERT INTO product_validity (product_id, from_day, until_day, version_id) VALUES (?, ?, ?, ?)',
    );
    this.#internalCode = db.prepare(
      'INSERT INTO product_internal_code (cpf_cnpj_raiz, codigo_interno, product_id) VALUES (?, ?, ?)',
    );
    this.#link = db.prepare(
      `INSERT INTO manufacturer_link (cpf_cnpj_raiz, product_id, codigo_produto, conhecido, codigo_pais, starts_on, linked_at)
       VALUES (?, ?, ?, 0, ?, ?, ?)`,
    );
    this.#sequence = db.prepare('UPDATE company SET product_sequence = ? WHERE cpf_cnpj_raiz = ?');
  }

  addCompany(cpfCnpjRaiz: string, products: number, versions: number): void {
    for (let codigo = 1; codigo <= products; codigo += 1) this.#add(cpfCnpjRaiz, codigo, versions);
    this.#sequence.run(products, cpfCnpjRaiz);
  }

  #add(cpfCnpjRaiz: string, codigo: number, versions: number): void {
    const content = productContent(codigo);
    const productId = (this.#lastProduct += 1);
    const first = this.#now - (1 + (codigo % SPREAD_DAYS)) * DAY_MS;
    const madeAt = (family: number): number =>
      first + Math.floor(((family - 1) * (this.#now - first)) / versions);
    for (let family = 1; family <= versions; family += 1) {
      const startsOn = dayOf(madeAt(family));
      const endsOn = family === versions ? FOREVER : dayOf(madeAt(family + 1));
      this.#addVersion(productId, family, madeAt(family), startsOn, content);
      if (startsOn < endsOn) this.#validity.run(productId, startsOn, endsOn, this.#lastVersion);
    }
    const { modalidade, ncm, denominacao, descricao } = content;
    this.#product.run(
      ...[productId, cpfCnpjRaiz, codigo, first, madeAt(versions), this.#lastVersion, modalidade, ncm],
      ...[folded(denominacao), folded(descricao ?? ''), contentHashOf(content)],
    );
    for (const code of content.codigosInterno) this.#internalCode.run(cpfCnpjRaiz, code, productId);
    if (codigo % LINKED_EVERY === 0) {
      const country = COUNTRIES[(codigo / LINKED_EVERY) % COUNTRIES.length];
      this.#link.run(cpfCnpjRaiz, productId, codigo, country, dayOf(first), first);
    }
  }

  #addVersion(
    productId: number,
    family: number,
    madeAt: number,
    startsOn: Day,
    content: ProductContent,
  ): void {
    const { denominacao, descricao, modalidade, ncm } = content;
    this.#version.run(
      ...[
        (this.#lastVersion += 1),
        productId,
        family,
        startsOn,
        madeAt,
        denominacao,
        descricao,
        modalidade,
        ncm,
      ],
      listsText(content),
    );
  }
}

const [folder, count] = process.argv.slice(2);
if (folder === undefined || count === undefined) throw new Error('seed.ts FOLDER N');
await withFolder({ data: folder }, (core) => fill(core, Number(count)), { create: true });
