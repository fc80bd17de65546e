/**
 * Upgrades the folder of an older catp (contract section 16, "Upgrades"): first one copy, then all pending
 * migrations in one transaction.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { DataFolder, Keys } from '../db/folder.ts';
import { COPIED_FOR_UPGRADE, FolderMarks, WRITER, marksIn } from '../db/folder-mark.ts';
import { makeWriter } from '../db/folder-writer.ts';
import { refuseStrangeKeys } from '../db/key-mark.ts';
import { emptiedDatabaseError, isUnused, migrate, migratedBy, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type Db, withFileErrors, openForInspection, openForReading, openForWriting } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { systemCode } from '../system/errors.ts';
import { VERSION } from '../version.ts';
import { WorkerTask } from './worker-task.ts';
import { auditEndOf, countsOf, schemaOf } from './counts-store.ts';
import { backupFolder, removeRemains, stagingIn, upgradeCopiesIn } from './files.ts';
import { putLast } from './marks.ts';
import type { BackupFile, NewBackup, Upgrade } from './model.ts';
import { NO_PAUSES } from './pace.ts';

export interface UpgradeParts {
  readonly folder: Omit<DataFolder, 'keys'>;
  /** The keys of the folder. `undefined`: the folder lost its keys, which are then not checked. */
  readonly keys?: Keys | undefined;
  /** Setting `backup.pasta`. */
  readonly place: string;
  readonly clock: Clock;
  /** The database may be empty: the caller, `dev`, fills it. */
  readonly mayBeNew?: boolean;
}

/** The result of an upgrade. */
export interface UpgradeResult extends Upgrade {
  readonly copy: NewBackup;
}

/**
 * Upgrades the folder. The caller holds the folder's lock and may write. Returns `undefined` when the
 * database has this version. Throws before any change when the copy cannot be made. A process that is
 * killed leaves the folder unchanged or upgraded. A folder without a recorded writer gets one.
 */
export async function upgrade(parts: UpgradeParts): Promise<UpgradeResult | undefined> {
  const { folder, keys, place, clock, mayBeNew = false } = parts;
  const state = stateBefore(folder.database, mayBeNew);
  if (state === undefined || (state.isCurrent && state.hasWriter)) return undefined;
  const to = backupFolder(folder.path, place);
  const upgraded: Upgrade = { from: state.version, to: VERSION, schema: MIGRATIONS.at(-1)?.number ?? 0 };
  if (!state.isCurrent && keys !== undefined) refuseWrongKeys(folder, keys);
  const copy = state.isCurrent
    ? undefined
    : ((await earlierCopy(state, to, upgraded)) ?? (await makeCopy(folder.database, to, upgraded, clock)));
  withFileErrors(folder.database, () => {
    using db = openForWriting(folder.database);
    if (copy === undefined) makeWriter(db, folder.path);
    else migrate(db, MIGRATIONS, clock, VERSION, () => recordUpgrade(db, folder.path, copy));
  });
  return copy && { ...upgraded, copy };
}

interface StateBefore {
  readonly isCurrent: boolean;
  readonly hasWriter: boolean;
  readonly version: string;
  /** The content of a copy that matches this moment. `undefined`: no copy is made. */
  readonly content: string | undefined;
}

/** Stands for the version of a database that does not record it. */
const UNRECORDED_VERSION = 'anterior';

/**
 * Returns `undefined` when no upgrade is needed. Throws for a database of a newer version, and for an emptied
 * one.
 */
function stateBefore(database: string, mayBeNew: boolean): StateBefore | undefined {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    using db = openForInspection(database);
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    if (isUnused(db)) {
      if (mayBeNew) return undefined;
      throw emptiedDatabaseError(database);
    }
    const isCurrent = pending.length === 0;
    return {
      isCurrent,
      hasWriter: marksIn(db)?.find(WRITER) !== undefined,
      version: migratedBy(db) ?? UNRECORDED_VERSION,
      content: isCurrent ? undefined : contentOf(db), // counts every record
    };
  } catch (error) {
    // A later step that opens the database for work reports this error.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

const contentOf = (db: Db): string =>
  JSON.stringify({ schema: schemaOf(db), counts: countsOf(db), audit: auditEndOf(db) });

function refuseWrongKeys(folder: UpgradeParts['folder'], keys: Keys): void {
  using db = openForReading(folder.database);
  refuseStrangeKeys(db, { ...folder, keys });
}

/** Returns the copy of an interrupted upgrade, if the database has not changed since. */
async function earlierCopy(
  { content }: StateBefore,
  to: string,
  upgraded: Upgrade,
): Promise<NewBackup | undefined> {
  for (const { file, at, bytes } of copiesOfUpgrades(to)) {
    const path = join(to, file);
    try {
      // The zip is read only after an interrupted upgrade.
      const { manifestOf } = await import('./unpack.ts');
      const { schema, counts, audit, upgrade: copyUpgrade } = await manifestOf(path);
      const isCurrentContent = JSON.stringify({ schema, counts, audit }) === content;
      if (isCurrentContent && copyUpgrade?.from === upgraded.from && copyUpgrade.to === upgraded.to)
        return { at, file, path, bytes, counts };
    } catch (error) {
      // The copy is unreliable: a new one is made.
      const isOfFile = error instanceof OperatorError || error instanceof UnreadableFile;
      if (!isOfFile && systemCode(error) === undefined) throw error;
    }
  }
  return undefined;
}

/**
 * Lists the copies of upgrades, and removes the files that killed processes left next to them. A missing
 * folder has none.
 */
function copiesOfUpgrades(to: string): readonly BackupFile[] {
  try {
    removeRemains(to);
    return upgradeCopiesIn(to);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

async function makeCopy(database: string, to: string, upgraded: Upgrade, clock: Clock): Promise<NewBackup> {
  const done = await new WorkerTask({
    type: 'make',
    database,
    to,
    staging: stagingIn(to),
    now: clock.now(),
    version: VERSION,
    restShare: NO_PAUSES,
    upgrade: upgraded,
  }).done;
  if (done.type !== 'made') throw new Error(`unexpected answer: ${done.type}`);
  return done.made;
}

/**
 * Marks the upgrade in the migration's transaction. The next opening, which has the keys, adds it to the
 * audit.
 */
function recordUpgrade(db: Db, path: string, copy: NewBackup): void {
  const marks = new FolderMarks(db);
  putLast(marks, copy);
  marks.put(COPIED_FOR_UPGRADE, copy.file);
  if (marks.find(WRITER) === undefined) makeWriter(db, path);
}
