/** What a database holds, as a manifest tells it. */
import type { Db } from '../db/open.ts';
import type { Counts } from './model.ts';

/** The rows of a record are its current version; the others are its history. */
export function countsOf(db: Db): Counts {
  const count = (table: string): number =>
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
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
