/**
 * The database as a file, and a file as the database.
 *
 * Kept by `VACUUM INTO`: without the free pages that a reset of ten thousand products leaves, so that a small state is
 * small again. Brought back by SQLite's backup into the live database: one transaction of its log, page by page the same
 * (sequences and indexes too), whatever is there now. Other connections see all of it with their next transaction.
 */
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { MIGRATIONS } from '../../db/migrations.ts';
import { openForReading, openForWriting } from '../../db/open.ts';

/** Pages that are copied between two turns of the event loop: some ms. */
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

/** Nobody else of this process may write meanwhile (`Writer.alone`). Throws, changing nothing, what the storage says. */
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

/** A copy of what an older version kept, brought to this schema: the snapshot stays as it is. */
function migrated(source: string, copy: string, clock: Clock): string {
  copyFileSync(source, copy);
  using db = openForWriting(copy);
  migrate(db, MIGRATIONS, clock);
  db.pragma('wal_checkpoint(TRUNCATE)');
  return copy;
}

/** Throws `OperatorError` for one that a newer version kept. */
function isOlder(source: string): boolean {
  using db = openForReading(source);
  return pendingMigrations(db, { migrations: MIGRATIONS }).length > 0;
}
