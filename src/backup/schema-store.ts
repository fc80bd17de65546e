/**
 * Compares the schema of a database with the one that our migrations create (contract section 16). SQLite runs
 * parts of a schema at later accesses: triggers, views, CHECK constraints, defaults, indexed expressions.
 */
import Database from 'better-sqlite3';
import { type Migration, execMigration } from '../db/migrate.ts';
import { MIGRATION_TABLES } from '../db/migration-table.ts';
import type { Db } from '../db/open.ts';

/** A row of `sqlite_schema`. */
interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  /** `null`: an index that SQLite itself creates for a UNIQUE constraint. */
  readonly sql: string | null;
}

export interface SchemaDifference {
  readonly kind: 'extra' | 'changed' | 'missing';
  /** A type of `sqlite_schema`: `table`, `index`, `trigger`, `view`. */
  readonly type: string;
  readonly name: string;
}

/** Tables of the replication program, in its words. A replicated database and its backups have them. */
const REPLICATION_TABLES = `
  CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE _litestream_lock (id INTEGER)`;

/**
 * Returns the first difference in the table of migrations; `undefined`: it has none. This table is compared
 * first, because it lists the migrations with whose schema the rest is compared.
 */
export function migrationTableDifference(db: Db): SchemaDifference | undefined {
  const rows = rowsOf(db, 'migration');
  const differences = MIGRATION_TABLES.map((sql) => differenceOf(rows, rowsMadeBy([sql], 'migration')));
  return differences.includes(undefined) ? undefined : differences[0];
}

/** Returns the first difference from what `applied` creates. `undefined`: there is none. */
export function schemaDifference(db: Db, applied: readonly Migration[]): SchemaDifference | undefined {
  const isOfReplication = new Set(rowsMadeBy([REPLICATION_TABLES]).map(keyOf));
  const rows = rowsOf(db).filter((row) => row.name !== 'migration' && !isOfReplication.has(keyOf(row)));
  return differenceOf(rows, rowsMadeBy(applied.map(({ sql }) => sql)));
}

/** Returns the first object of our schema that is changed or missing, else the first additional object. */
function differenceOf(
  rows: readonly SchemaRow[],
  ownRows: readonly SchemaRow[],
): SchemaDifference | undefined {
  const own = new Set(ownRows.map(keyOf));
  const ownNames = new Set(ownRows.map(({ name }) => name));
  const keys = new Set<string>();
  for (const row of rows) {
    const [key, { type, name }] = [keyOf(row), row];
    if (own.has(key) && !keys.has(key)) keys.add(key);
    else return { kind: ownNames.has(name) ? 'changed' : 'extra', type, name };
  }
  const missing = ownRows.find((row) => !keys.has(keyOf(row)));
  return missing && { kind: 'missing', type: missing.type, name: missing.name };
}

const keyOf = ({ type, name, tbl_name, sql }: SchemaRow): string =>
  JSON.stringify([type, name, tbl_name, sql]);

function rowsMadeBy(statements: readonly string[], name?: string): readonly SchemaRow[] {
  const db = new Database(':memory:') as Db & Database.Database;
  try {
    for (const sql of statements) execMigration(db, sql);
    return rowsOf(db, name);
  } finally {
    db.close();
  }
}

const rowsOf = (db: Db, name: string | null = null): readonly SchemaRow[] =>
  db
    .prepare<[string | null], SchemaRow>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name = coalesce(?, name) ORDER BY name, type`,
    )
    .all(name);
