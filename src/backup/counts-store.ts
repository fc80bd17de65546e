/** Reads the figures of a database for its manifest. */
import type { Db } from '../db/open.ts';
import type { AuditEnd, Counts } from './model.ts';

/** Counts each record once, by its current version. The other rows are its history. */
export function countsOf(db: Db): Counts {
  // A database of an older version, before its migration, may lack a table.
  const count = (table: string): number =>
    hasTable(db, table) ? (db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0) : 0;
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

/** Returns the last entry of the audit, and the hash that covers all of it. */
export function auditEndOf(db: Db): AuditEnd {
  const end = hasTable(db, 'audit_page')
    ? db
        .prepare<[], AuditEnd>(
          'SELECT last_seq AS seq, lower(hex(hash)) AS hash FROM audit_page ORDER BY first_seq DESC LIMIT 1',
        )
        .get()
    : undefined;
  return end ?? { seq: 0, hash: '0'.repeat(64) };
}

const hasTable = (db: Db, table: string): boolean =>
  db.prepare<[string], 1>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !==
  undefined;

/** Returns the number of the newest migration. */
export const schemaOf = (db: Db): number =>
  db.prepare<[], number>('SELECT max(number) FROM migration').pluck().get() ?? 0;
