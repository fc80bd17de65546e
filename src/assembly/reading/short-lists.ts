/**
 * Reads lists of few products on the main thread. The index of their filter bounds the work, and a message to
 * a Worker would cost more.
 */
import { countDirect } from '../../catalogue/product/list-query.ts';
import type { ProductFilter } from '../../catalogue/product/filter.ts';
import type { Db } from '../../db/open.ts';
import { StatementCache } from '../../db/statement.ts';
import { openReader } from '../../reading/read-scheduler.ts';
import { listingChunks } from './listings.ts';
import type { AnyReadRequest } from './texts.ts';

/** Maximum number of products that the index selects: about half a millisecond of the main thread. */
export const PRODUCTS_MAX = 200;

/** Filters that are resolved by a search before the query. */
const isSearched = ({ toMend, due, atRemote, text, repeated }: ProductFilter): boolean =>
  [toMend, due, atRemote, text, repeated].some((filter) => filter !== undefined);

/**
 * Maximum number of products whose rows are read in one call. An iterator calls SQLite for each row, which is
 * half of the cost of ten rows.
 */
const AT_ONCE_MAX = 20;

/** Keeps the statements: preparing those of a short list costs ten times as much as running them. */
function forShortLists(db: Db, isReadAtOnce: () => boolean): Db {
  const prepareOne = db.prepare;
  const { prepare } = new StatementCache(<P extends unknown[], Row>(sql: string) => {
    const statement = prepareOne<P, Row>(sql);
    const iterateRows = statement.iterate.bind(statement);
    return Object.assign(statement, {
      iterate: (...values: P) =>
        isReadAtOnce() ? statement.all(...values).values() : iterateRows(...values),
    });
  });
  return Object.assign(db, { prepare });
}

export class ShortLists {
  readonly #database: string;
  #db: Db | undefined;
  #isReadAtOnce = false;

  constructor(database: string) {
    this.#database = database;
  }

  /**
   * Returns the text of the list; `''` without products. `undefined`: a Worker must read it, also a request
   * that would fail on the main thread.
   */
  textOf(request: AnyReadRequest): string | undefined {
    if (request.kind !== 'products' || request.form !== 'list' || isSearched(request.filter))
      return undefined;
    const db = (this.#db ??= forShortLists(openReader(this.#database), () => this.#isReadAtOnce));
    db.prepare('BEGIN').run();
    try {
      const count = countDirect(db, request.filter, PRODUCTS_MAX + 1);
      if (count === undefined || count > PRODUCTS_MAX) return undefined;
      // The iterator reads no more than one chunk of a longer list, however large its products are.
      this.#isReadAtOnce = count <= AT_ONCE_MAX;
      let list = '';
      for (const text of listingChunks(db, request)) {
        // This is the second chunk: the list is too large for the main thread.
        if (list !== '') return undefined;
        list = text;
      }
      return list;
    } finally {
      db.prepare('ROLLBACK').run();
    }
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }
}
