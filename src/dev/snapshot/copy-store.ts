/**
 * Copies the database to a file and a file to the database. `VACUUM INTO` writes the copy without free pages,
 * so a small state after a reset of ten thousand products makes a small file. SQLite's backup replaces the
 * content of the live database in one WAL transaction, with identical pages (sequences and indexes too).
 * Other connections see the whole state in their next transaction.
 */
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { MIGRATIONS } from '../../db/migrations.ts';
import { openForReading, openForWriting } from '../../db/open.ts';

/** The number of pages copied per turn of the event loop, which takes some ms. */
const PAGES_AT_ONCE = 4096;

export function copyOut(database: string, target: string): void {
  const db = openForReading(database);
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
  chmodSync(target, 0o600);
}

/**
 * Replaces the content of the database. No other part of the process may write during the copy
 * (`Writer.alone`). On a storage error it throws and changes nothing.
 */
export async function copyIn(source: string, database: string, clock: Clock): Promise<void> {
  if (!isOlder(source)) return overwrite(source, database);
  const aside = mkdtempSync(join(dirname(database), 'catp-snapshot-'));
  try {
    await overwrite(migrated(source, join(aside, 'catp.sqlite'), clock), database);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

async function overwrite(source: string, database: string): Promise<void> {
  using db = openForReading(source);
  await db.backup(database, { progress: () => PAGES_AT_ONCE });
}

/** Copies a snapshot of an older version and migrates the copy. The snapshot stays unchanged. */
function migrated(source: string, copy: string, clock: Clock): string {
  copyFileSync(source, copy);
  using db = openForWriting(copy);
  migrate(db, MIGRATIONS, clock);
  db.pragma('wal_checkpoint(TRUNCATE)');
  return copy;
}

/** Returns true if an older version wrote the snapshot. Throws `OperatorError` if a newer one did. */
function isOlder(source: string): boolean {
  using db = openForReading(source);
  return pendingMigrations(db, { migrations: MIGRATIONS }).length > 0;
}
