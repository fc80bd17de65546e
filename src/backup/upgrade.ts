/**
 * A newer catp on the folder of an older one (contract section 16, "Upgrades"): one copy first, then all that the database
 * lacks in one transaction.
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
import { type Db, explained, openForReading, openForWriting } from '../db/open.ts';
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
  /** Absent: the folder lost them, and they are looked at by nobody. */
  readonly keys?: Keys | undefined;
  /** Setting `backup.pasta`. */
  readonly place: string;
  readonly clock: Clock;
  /** The folder may hold a database that nothing was ever put into, as `dev` makes one in its place. */
  readonly mayBeNew?: boolean;
}

/** What an upgrade did. */
export interface Upgraded extends Upgrade {
  readonly copy: Made;
}

/**
 * For whoever holds the folder's lock and may write to it. Returns `undefined` where the database is of this version. A folder
 * whose copy cannot be made is not changed: this throws. A process that is killed leaves it as it was, or upgraded. A folder
 * without a recorded writer gets one.
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
  /** What a copy has to hold, to be one of this moment. */
  readonly content: string;
}

/** The version of a database that does not record it. */
const UNRECORDED_VERSION = 'anterior';

/** `undefined`: there is nothing to upgrade. Throws for a database of a newer version, and for one that was emptied. */
function lookAt(database: string, mayBeNew: boolean): Before | undefined {
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    using db = openForReading(database);
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    if (isUnused(db)) {
      if (mayBeNew) return undefined;
      throw emptied(database);
    }
    return {
      isCurrent: pending.length === 0,
      hasWriter: marksIn(db)?.find(WRITER) !== undefined,
      version: migratedBy(db) ?? UNRECORDED_VERSION,
      content: contentOf(db),
    };
  } catch (error) {
    // What cannot be opened is told by whoever opens it for work.
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

/** Finds the copy that an interrupted upgrade made, where the database has not changed since. */
async function copyOf({ content }: Before, to: string, upgraded: Upgrade): Promise<Made | undefined> {
  for (const { file, at, bytes } of remaining(to)) {
    const path = join(to, file);
    try {
      // The zip is read only where an upgrade was interrupted.
      const { manifestOf } = await import('./unpack.ts');
      const { schema, counts, audit, upgrade: of } = await manifestOf(path);
      const isOfNow = JSON.stringify({ schema, counts, audit }) === content;
      if (isOfNow && of?.from === upgraded.from && of.to === upgraded.to)
        return { at, file, path, bytes, counts };
    } catch (error) {
      // It is none to rely on: another one is made.
      const isOfFile = error instanceof OperatorError || error instanceof UnreadableFile;
      if (!isOfFile && systemCode(error) === undefined) throw error;
    }
  }
  return undefined;
}

/** Lists the copies of upgrades, and removes what killed processes left next to them. A folder that is none has no copy. */
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

/** Part of the migration's transaction. The audit has its entry at the next opening, which has the keys. */
function recordUpgrade(db: Db, path: string, copy: Made): void {
  const marks = new FolderMarks(db);
  putLast(marks, copy);
  marks.put(COPIED_FOR_UPGRADE, copy.file);
  if (marks.find(WRITER) === undefined) makeWriter(db, path);
}
