/** A newer catp copies a folder before it brings its database to a newer schema (contract section 16, "Upgrades"). */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { DataFolder } from '../db/folder.ts';
import { isUnused, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type Db, openForReading } from '../db/open.ts';
import { systemCode } from '../system/errors.ts';
import { VERSION } from '../version.ts';
import { Aside } from './aside.ts';
import { stagingIn } from './files.ts';
import type { Made } from './model.ts';
import { NO_REST } from './pace.ts';

export interface UpgradeParts {
  readonly folder: Pick<DataFolder, 'path' | 'database'>;
  /** Setting `backup.pasta`. */
  readonly place: string;
  readonly clock: Clock;
}

/**
 * For whoever holds the folder's lock. Makes a copy where the database is one of an older version, and answers it; a folder
 * whose copy cannot be made is not migrated: this throws. Whatever dies on the way finds the database as it was.
 */
export async function backUpBeforeMigrating({
  folder,
  place,
  clock,
}: UpgradeParts): Promise<Made | undefined> {
  if (!needsMigration(folder.database)) return undefined;
  const to = place === '' ? join(folder.path, 'backups') : place;
  const done = await new Aside({
    ...{
      type: 'make',
      database: folder.database,
      to,
      staging: stagingIn(to),
      now: clock.now(),
      version: VERSION,
    },
    restShare: NO_REST,
  }).done;
  if (done.type !== 'made') throw new Error(`unexpected answer: ${done.type}`);
  return done.made;
}

/** Whether it is of an older version, and has been used. Throws for a database of a newer one. */
export function needsMigration(database: string): boolean {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return false;
  let db: Db | undefined;
  try {
    db = openForReading(database);
    return pendingMigrations(db, { migrations: MIGRATIONS }).length > 0 && !isUnused(db);
  } catch (error) {
    // What cannot be opened is told by whoever opens it for work.
    if (systemCode(error) === undefined) throw error;
    return false;
  } finally {
    db?.close();
  }
}
