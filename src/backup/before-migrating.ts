/** A newer catp copies a folder before it brings its database to a newer schema (contract section 16, "Upgrades"). */
import { statSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { DataFolder } from '../db/folder.ts';
import { HOLDS_NOTHING, isUnused, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { openForReading } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { systemCode } from '../system/errors.ts';
import { VERSION } from '../version.ts';
import { Aside } from './aside.ts';
import { backupFolder, stagingIn } from './files.ts';
import type { Made } from './model.ts';
import { NO_REST } from './pace.ts';

export interface UpgradeParts {
  readonly folder: Pick<DataFolder, 'path' | 'database'>;
  /** Setting `backup.pasta`. */
  readonly place: string;
  readonly clock: Clock;
  /** The folder may hold a database that nothing was ever put into, as `dev` makes one in its place. */
  readonly mayBeNew?: boolean;
}

/**
 * For whoever holds the folder's lock. Makes a copy where the database is one of an older version, and answers it; a folder
 * whose copy cannot be made is not migrated: this throws. Whatever dies on the way finds the database as it was.
 */
export async function backUpBeforeMigrating({
  folder,
  place,
  clock,
  mayBeNew = false,
}: UpgradeParts): Promise<Made | undefined> {
  if (!needsMigration(folder.database, mayBeNew)) return undefined;
  const to = backupFolder(folder.path, place);
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

/**
 * Whether it is of an older version, and has been used. Throws for a database of a newer one, and for one that holds nothing
 * of ours: `catp init` moves a filled one into place, so this one lost what it held, and must not be served as an empty
 * catalogue.
 */
export function needsMigration(database: string, mayBeNew = false): boolean {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return false;
  try {
    using db = openForReading(database);
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    if (!isUnused(db)) return pending.length > 0;
    if (mayBeNew) return false;
    throw new OperatorError(
      `O banco de dados ${database} ${HOLDS_NOTHING}. Guarde a pasta como está e restaure a última cópia de segurança com catp restore.`,
    );
  } catch (error) {
    // What cannot be opened is told by whoever opens it for work.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
