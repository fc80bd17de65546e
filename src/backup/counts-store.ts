/** What a database holds, as a manifest tells it. */
import type { EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';
import type { Counts } from './model.ts';

/** The rows of a record are its current version; the others are its history. */
export function countsOf(db: Db): Counts {
  const isThere = db
    .prepare<[string], 1>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck();
  // A database of an older version, about to be migrated, may lack a table.
  const count = (table: string): number =>
    isThere.get(table) === undefined
      ? 0
      : (db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0);
  const products = count('product');
  return {
    products,
    productVersions: products + count('product_version'),
    foreignOperators: count('foreign_operator'),
    manufacturerLinks: count('manufacturer_link'),
    subscriptions: count('subscription'),
    users: count('user'),
  };
}

/** The number of the newest migration. */
export const schemaOf = (db: Db): number =>
  db.prepare<[], number>('SELECT max(number) FROM migration').pluck().get() ?? 0;

/** When the database was made. */
export const bornAt = (db: Db): EpochMs =>
  db.prepare<[], number>('SELECT min(applied_at) FROM migration').pluck().get() ?? 0;
