/** A data folder opened by a command, beside a running server or without one. */
import { logAccountChange } from '../session/account-log.ts';
import { SystemClock, monotonicMs } from '../clock.ts';
import { type Core, openCore } from '../core.ts';
import { migrateUnlessHeld } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { openExistingFolder, openFolder } from '../db/folder.ts';
import { startLog } from '../log.ts';
import type { AccountChange } from '../session/model.ts';
import type { Settings } from '../config.ts';
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
  const clock = new SystemClock();
  const core = openCore({
    folder,
    settings,
    clock,
    stopwatch: monotonicMs,
    accountChanged: logFromCommandLine(settings),
    migrate: (db) => migrateUnlessHeld(db, folder.path, { migrations: MIGRATIONS }, clock),
  });
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

/** Logs a change of an account with who sat there, as far as the machine knows. */
export const logFromCommandLine =
  (settings: Settings) =>
  (change: AccountChange): void =>
    logAccountChange(startLog(settings['log.nivel']), {
      ...change,
      details: { ...change.details, uid: String(process.getuid?.() ?? '') },
    });
