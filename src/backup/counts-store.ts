/** Reads the figures of a database for its manifest. */
import type { Db } from '../db/open.ts';
import type { AuditEnd, Counts } from './model.ts';

/** Counts each record once, by its current version. The other rows are its history. */
export function countsOf(db: Db): Counts {
  // A database of an older version, before its migration, may lack a table.
  const count = (table: string): number =>
    has(db, table) ? (db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0) : 0;
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
  const end = has(db, 'audit_page')
    ? db
        .prepare<[], AuditEnd>(
          'SELECT last_seq AS seq, lower(hex(hash)) AS hash FROM audit_page ORDER BY first_seq DESC LIMIT 1',
        )
        .get()
    : undefined;
  return end ?? { seq: 0, hash: '0'.repeat(64) };
}

const has = (db: Db, table: string): boolean =>
  db.prepare<[string], 1>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !==
  undefined;

export interface ForeignObject {
  readonly kind: 'trigger' | 'view' | 'virtual table' | 'generated column';
  readonly name: string;
}

/**
 * Returns an object that runs SQL of the file itself, which no database of catp has. `undefined`: there is
 * none.
 */
export const foreignObjectIn = (db: Db): ForeignObject | undefined =>
  db
    .prepare<[], ForeignObject>(
      `SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END AS kind, name FROM sqlite_schema
       WHERE type NOT IN ('table', 'index') OR (type = 'table' AND coalesce(rootpage, 0) = 0)
       UNION ALL
       SELECT 'generated column', s.name || '.' || c.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
       WHERE s.type = 'table' AND coalesce(s.rootpage, 0) > 0 AND c.hidden > 1
       LIMIT 1`,
    )
    .get();

/** Returns the number of the newest migration. */
export const schemaOf = (db: Db): number =>
  db.prepare<[], number>('SELECT max(number) FROM migration').pluck().get() ?? 0;
