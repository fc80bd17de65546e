/**
 * Fills a new data folder: `seed.ts FOLDER N [CLIENTS]`. The company 12345678 gets N products, 87654321 gets 1000 of
 * five versions each. With CLIENTS, that many other companies of the user `demo` get N products each instead. The product's own store writes the rows in bulk, without events; the indexes are
 * created at the end.
 */
import { SystemClock, DAY_MS } from '../../src/clock.ts';
import { CATALOGUE_PROFILE, SYSTEM } from '../../src/session/model.ts';
import { columnsOf } from '../../src/catalogue/product/record.ts';
import { ProductStore, type ProductVersion } from '../../src/catalogue/product/store.ts';
import { keyIn, situacaoOf } from '../../src/catalogue/versioned/model.ts';
import { withFolder, type OpenFolder } from '../../src/cli/open.ts';
import type { Db } from '../../src/db/open.ts';
import { seedDevelopment } from '../../src/demo/seed.ts';
import { dayOf } from '../../src/validation/calendar.ts';
import { productContent } from './products.ts';

const VERSIONED = { company: '87654321', products: 1000, versions: 5 };
const DEMO = '00000000191';
const FIRST_CLIENT = 45_500_001;
/** One product in this many has a link to a manufacturer. */
const LINKED_EVERY = 10;
const COUNTRIES = ['AR', 'CN', 'DE', 'US'] as const;
/** Registrations are spread over this many days before today. */
const SPREAD_DAYS = 1000;
/** Products in one transaction: the log does not have to hold a whole catalogue. */
const ROWS_AT_A_TIME = 250_000;
const BULK_CACHE_KIB = 1024 * 1024;

async function fill(core: OpenFolder, count: number, clients: number): Promise<void> {
  const { db } = core;
  await seedDevelopment(core, { empty: true });
  const companies = clients === 0 ? ['12345678'] : await addClients(core, clients);
  db.pragma('synchronous = OFF');
  db.pragma('foreign_keys = OFF');
  db.pragma(`cache_size = -${BULK_CACHE_KIB}`);
  const indexes = dropIndexes(db);
  const rows = new Rows(db);
  for (const company of companies)
    for (let from = 1; from <= count; from += ROWS_AT_A_TIME) {
      const to = Math.min(count, from + ROWS_AT_A_TIME - 1);
      db.transaction(() => rows.add(company, { from, to }, 1))();
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
  const { company, products, versions } = VERSIONED;
  if (clients === 0) db.transaction(() => rows.add(company, { from: 1, to: products }, versions))();
  for (const sql of indexes) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** Adds companies that `demo` represents. Returns their roots. */
async function addClients({ session }: OpenFolder, clients: number): Promise<readonly string[]> {
  const companies = Array.from({ length: clients }, (_, at) => String(FIRST_CLIENT + at));
  for (const cpfCnpjRaiz of companies) {
    await session.accounts.putCompany({ cpfCnpjRaiz, nome: `Cliente ${cpfCnpjRaiz} Ltda.` });
    await session.accounts.putRepresentation({ documento: DEMO, cpfCnpjRaiz, perfil: CATALOGUE_PROFILE });
  }
  return companies;
}

const FILLED_TABLES = ['product', 'product_version', 'manufacturer_link'] as const;

/** Drops the indexes of the filled tables. Returns the statements that create them again. */
function dropIndexes(db: Db): readonly string[] {
  const indexesOf = db.prepare<[string], { name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
  );
  const indexes = FILLED_TABLES.flatMap((table) => indexesOf.all(table));
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return indexes.map(({ sql }) => sql);
}

class Rows {
  readonly #now = new SystemClock().now();
  readonly #store;
  readonly #past;
  readonly #link;

  constructor(db: Db) {
    this.#store = new ProductStore(db, () => 0, false);
    this.#past = this.#store.versions;
    this.#link = db.prepare(
      'INSERT INTO manufacturer_link (product_id, conhecido, codigo_pais, starts_on, linked_at) VALUES (?, 0, ?, ?, ?)',
    );
  }

  add(
    cpfCnpjRaiz: string,
    { from, to }: { readonly from: number; readonly to: number },
    versions: number,
  ): void {
    const { companyId } = this.#past.lastKey(cpfCnpjRaiz);
    for (let codigo = from; codigo <= to; codigo += 1) this.#add(companyId, codigo, versions);
  }

  #add(companyId: number, codigo: number, versions: number): void {
    const id = keyIn(companyId, codigo);
    const columns = columnsOf(productContent(codigo));
    const first = this.#now - (1 + (codigo % SPREAD_DAYS)) * DAY_MS;
    const version = (family: number): ProductVersion => {
      const madeAt = first + Math.floor(((family - 1) * (this.#now - first)) / versions);
      const marks = { draftUntil: null, deactivatedAt: null, deactivatedBy: null };
      return {
        ...columns,
        family,
        rectification: 0,
        startsOn: dayOf(madeAt),
        madeAt,
        madeBy: SYSTEM,
        proposedBy: null,
        ...marks,
      };
    };
    const current = version(versions);
    this.#store.insert({ id, companyId }, current, first);
    if (versions > 1)
      this.#past.replace(
        { ...current, id, companyId, situacao: situacaoOf(current) },
        current,
        current.madeAt,
      );
    for (let family = 1; family < versions; family += 1) {
      const [past, next] = [version(family), version(family + 1)];
      this.#past.insertPast(id, past, past.startsOn < next.startsOn ? next.startsOn : null);
    }
    if (codigo % LINKED_EVERY === 0) {
      const country = COUNTRIES[(codigo / LINKED_EVERY) % COUNTRIES.length];
      this.#link.run(id, country, dayOf(first), first);
    }
  }
}

const [folder, count, clients = '0'] = process.argv.slice(2);
if (folder === undefined || count === undefined) throw new Error('seed.ts FOLDER N [CLIENTS]');
await withFolder({ data: folder }, (core) => fill(core, Number(count), Number(clients)), { create: true });
