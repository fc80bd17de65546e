/** The table that records which migrations were applied. */
export const MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL,
  applied_by TEXT
) STRICT`;

/** Adds the column that the first versions did not have. */
export const ADD_APPLIED_BY = 'ALTER TABLE migration ADD COLUMN applied_by TEXT';

/** The table as the first versions created it. */
const FIRST_MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/** The statements that created the table in some version. */
export const MIGRATION_TABLES: readonly string[] = [
  MIGRATION_TABLE,
  FIRST_MIGRATION_TABLE,
  `${FIRST_MIGRATION_TABLE}; ${ADD_APPLIED_BY}`,
];

/** Returns the SQL of the moment of a migration: rows that are older lack the columns that it added. */
export const recordedSince = (migration: number): string =>
  `(SELECT applied_at FROM migration WHERE number = ${migration})`;
