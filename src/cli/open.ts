/** A data folder that a command opens, with or without a running server. */
import { logAccountChange } from '../session/account-log.ts';
import { monotonicMs } from '../clock.ts';
import { type Core, openCore } from '../assembly/core.ts';
import {
  type DataFolder,
  isDataFolder,
  openExistingFolder,
  openFolder,
  requireInstance,
} from '../db/folder.ts';
import { clockOfFolder } from '../db/folder-clock.ts';
import { type Db, openForReading } from '../db/open.ts';
import { startLog } from '../log/log.ts';
import {
  type Owner,
  folderStateOf,
  requireCurrent,
  requireCurrentView,
  requireOwnFolder,
  viewOf,
} from '../replica/folder-owner.ts';
import { type AccountChange, COMMAND_LINE } from '../session/model.ts';
import { systemUser } from '../system/user.ts';
import type { Settings } from '../settings/config.ts';
import { type FolderFlags, settingsFor } from './options.ts';

export type OpenFolder = Core & {
  /** The folder is a temporary copy, because another machine writes the original. Changes to it are lost. */
  readonly isView: boolean;
};

export interface OpenOptions {
  /** Creates the folder if it is missing. */
  readonly create?: boolean;
  /** The command only reads: a folder that another machine writes is read in a copy. */
  readonly readsOnly?: boolean;
}

/**
 * Runs `work` on the data folder of `--data`, and closes it. Throws when the folder is not one, unless
 * `create`.
 */
export async function withFolder<T>(
  flags: FolderFlags,
  work: (open: OpenFolder) => Promise<T> | T,
  { create = false, readsOnly = false }: OpenOptions = {},
): Promise<T> {
  const isNew = create && !isDataFolder(flags.data);
  if (!isNew) requireInstance(flags.data);
  const state = isNew ? undefined : folderStateOf(flags.data);
  if (readsOnly && (state?.owner.kind === 'follower' || state?.owner.kind === 'copy'))
    return withView(flags, state.owner, work);
  if (state !== undefined) {
    // A superseded folder is not written by another machine, so it can be read in place.
    if (!(readsOnly && state.owner.kind === 'superseded')) requireOwnFolder(flags.data, state);
    requireCurrent(flags.data, state);
  }
  const folder = create ? openFolder(flags.data) : openExistingFolder(flags.data);
  await using core = openFor(flags, folder);
  if (state?.owner.kind !== 'superseded') {
    await core.sealUpdater.begin();
    await core.backups.recordOpening(COMMAND_LINE);
  }
  return await work({ ...core, isView: false });
}

async function withView<T>(
  flags: FolderFlags,
  owner: Owner,
  work: (open: OpenFolder) => Promise<T> | T,
): Promise<T> {
  const { keys } = openExistingFolder(flags.data);
  using view = viewOf(flags.data, owner);
  requireCurrentView(flags.data, view.state);
  await using core = openFor(flags, { ...view.folder, keys });
  return await work({ ...core, isView: true });
}

function openFor(flags: FolderFlags, folder: DataFolder): Core {
  const settings = settingsFor(flags);
  return openCore({
    folder,
    settings,
    clock: clockOfFolder(folder.path),
    stopwatch: monotonicMs,
    mayRunNextToServer: true,
    onAccountChanged: logFromCommandLine(settings),
  });
}

/** Runs `work` on a snapshot of the committed data. Later writes of a server do not affect it. */
export async function asOfNow(database: string, work: (db: Db) => Promise<void> | void): Promise<void> {
  using db = openForReading(database);
  db.exec('BEGIN');
  await work(db);
}

/**
 * Logs a change of an account with the operating system user who made it. On a terminal the output shows it
 * already.
 */
export const logFromCommandLine =
  (settings: Settings) =>
  (change: AccountChange): void => {
    if (!process.stderr.isTTY)
      logAccountChange(startLog(settings['log.nivel']), {
        ...change,
        details: { ...change.details, uid: systemUser() },
      });
  };
