/** A data folder opened by a command, beside a running server or without one. */
import { logAccountChange } from '../session/account-log.ts';
import { backUpBeforeMigrating, needsMigration } from '../backup/before-migrating.ts';
import { type Made, copiedText } from '../backup/model.ts';
import { type Clock, monotonicMs } from '../clock.ts';
import { type Core, openCore } from '../assembly/core.ts';
import { migrateUnlessHeld } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { type DataFolder, openExistingFolder, openFolder } from '../db/folder.ts';
import { clockOfFolder } from '../db/folder-clock.ts';
import { lockFolder } from '../db/lock.ts';
import { type Db, openForReading } from '../db/open.ts';
import { startLog } from '../log/log.ts';
import { type AccountChange, COMMAND_LINE } from '../session/model.ts';
import { systemUser } from '../system/user.ts';
import type { Settings } from '../settings/config.ts';
import { type FolderFlags, settingsFor } from './options.ts';

export type OpenFolder = Core;

/** Runs `work` on the data folder of `--data`, and closes it. Throws when the folder is not one, unless `create`. */
export async function withFolder<T>(
  flags: FolderFlags,
  work: (open: OpenFolder) => Promise<T> | T,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const folder = create ? openFolder(flags.data) : openExistingFolder(flags.data);
  const settings = settingsFor(flags);
  const clock = clockOfFolder(folder.path);
  const copied = await copyOlder({ folder, settings, clock, mayBeNew: create });
  await using core = openCore({
    folder,
    copied,
    settings,
    clock,
    stopwatch: monotonicMs,
    accountChanged: logFromCommandLine(settings),
    migrate: (db) => migrateUnlessHeld(db, folder.path, { migrations: MIGRATIONS }, clock),
  });
  await core.keeper.begin();
  await core.backups.recordOpening(COMMAND_LINE);
  return await work(core);
}

/** Does `work` on what was committed by now, whatever a server writes meanwhile. */
export async function asOfNow(database: string, work: (db: Db) => Promise<void> | void): Promise<void> {
  using db = openForReading(database);
  db.exec('BEGIN');
  await work(db);
}

interface Opening {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly mayBeNew: boolean;
}

/** Backs the database up before this command migrates it. Where another process holds the folder, `migrate` refuses it later. */
async function copyOlder({ folder, settings, clock, mayBeNew }: Opening): Promise<Made | undefined> {
  if (!needsMigration(folder.database, mayBeNew)) return undefined;
  using lock = lockFolder(folder.path);
  if (lock === undefined) return undefined;
  const made = await backUpBeforeMigrating({ folder, place: settings['backup.pasta'], clock });
  if (made !== undefined) process.stderr.write(`catp: ${copiedText(made.path)}\n`);
  return made;
}

/** Logs a change of an account with the user of the operating system who made it. On a terminal the answer says it already. */
export const logFromCommandLine =
  (settings: Settings) =>
  (change: AccountChange): void => {
    if (!process.stderr.isTTY)
      logAccountChange(startLog(settings['log.nivel']), {
        ...change,
        details: { ...change.details, uid: systemUser() },
      });
  };
