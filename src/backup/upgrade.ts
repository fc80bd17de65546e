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
import { emptied, isUnused, migrate, migratedBy, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type Db, explained, openForLook, openForReading, openForWriting } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { systemCode } from '../system/errors.ts';
import { VERSION } from '../version.ts';
import { Aside } from './aside.ts';
import { auditEndOf, countsOf, schemaOf } from './counts-store.ts';
import { backupFolder, removeRemains, stagingIn, upgradeCopiesIn } from './files.ts';
import { putLast } from './marks.ts';
import type { BackupFile, Made, Upgrade } from './model.ts';
import { NO_REST } from './pace.ts';

export interface UpgradeParts {
  readonly folder: Omit<DataFolder, 'keys'>;
  /** `undefined`: the folder lost them, and they are not checked. */
  readonly keys?: Keys | undefined;
  /** Setting `backup.pasta`. */
  readonly place: string;
  readonly clock: Clock;
  /** The folder may hold a database without content, as `dev` creates one in its place. */
  readonly mayBeNew?: boolean;
}

/** The result of an upgrade. */
export interface Upgraded extends Upgrade {
  readonly copy: Made;
}

/**
 * Upgrades the folder. The caller holds the folder's lock and may write. Returns `undefined` when the
 * database has this version. Throws and changes nothing when the copy cannot be made. A process that is
 * killed leaves the folder unchanged or upgraded. A folder without a recorded writer gets one.
 */
export async function upgrade(parts: UpgradeParts): Promise<Upgraded | undefined> {
  const { folder, keys, place, clock, mayBeNew = false } = parts;
  const before = lookAt(folder.database, mayBeNew);
  if (before === undefined || (before.isCurrent && before.hasWriter)) return undefined;
  const to = backupFolder(folder.path, place);
  const upgraded: Upgrade = { from: before.version, to: VERSION, schema: MIGRATIONS.at(-1)?.number ?? 0 };
  if (!before.isCurrent && keys !== undefined) refuseWrongKeys(folder, keys);
  const copy = before.isCurrent
    ? undefined
    : ((await copyOf(before, to, upgraded)) ?? (await makeCopy(folder.database, to, upgraded, clock)));
  explained(folder.database, () => {
    using db = openForWriting(folder.database);
    if (copy === undefined) makeWriter(db, folder.path);
    else migrate(db, MIGRATIONS, clock, VERSION, () => recordUpgrade(db, folder.path, copy));
  });
  return copy && { ...upgraded, copy };
}

interface Before {
  readonly isCurrent: boolean;
  readonly hasWriter: boolean;
  readonly version: string;
  /** The content of a copy that matches this moment. `undefined`: nothing is copied. */
  readonly content: string | undefined;
}

/** Stands for the version of a database that does not record it. */
const UNRECORDED_VERSION = 'anterior';

/**
 * Returns `undefined` when no upgrade is needed. Throws for a database of a newer version, and for an emptied
 * one.
 */
function lookAt(database: string, mayBeNew: boolean): Before | undefined {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    using db = openForLook(database);
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    if (isUnused(db)) {
      if (mayBeNew) return undefined;
      throw emptied(database);
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
async function copyOf({ content }: Before, to: string, upgraded: Upgrade): Promise<Made | undefined> {
  for (const { file, at, bytes } of remaining(to)) {
    const path = join(to, file);
    try {
      // The zip is read only after an interrupted upgrade.
      const { manifestOf } = await import('./unpack.ts');
      const { schema, counts, audit, upgrade: of } = await manifestOf(path);
      const isOfNow = JSON.stringify({ schema, counts, audit }) === content;
      if (isOfNow && of?.from === upgraded.from && of.to === upgraded.to)
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
function remaining(to: string): readonly BackupFile[] {
  try {
    removeRemains(to);
    return upgradeCopiesIn(to);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

async function makeCopy(database: string, to: string, upgraded: Upgrade, clock: Clock): Promise<Made> {
  const done = await new Aside({
    type: 'make',
    database,
    to,
    staging: stagingIn(to),
    now: clock.now(),
    version: VERSION,
    restShare: NO_REST,
    upgrade: upgraded,
  }).done;
  if (done.type !== 'made') throw new Error(`unexpected answer: ${done.type}`);
  return done.made;
}

/**
 * Marks the upgrade in the migration's transaction. The next opening, which has the keys, adds it to the
 * audit.
 */
function recordUpgrade(db: Db, path: string, copy: Made): void {
  const marks = new FolderMarks(db);
  putLast(marks, copy);
  marks.put(COPIED_FOR_UPGRADE, copy.file);
  if (marks.find(WRITER) === undefined) makeWriter(db, path);
}
