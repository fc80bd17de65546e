/** A data folder opened by a command, beside a running server or without one. */
import { SystemClock, monotonicMs } from '../clock.ts';
import { type Core, openCore } from '../core.ts';
import { type DataFolder, isDataFolder, openFolder } from '../folder.ts';
import type { Settings } from '../config.ts';
import { type SettingPair, settingsFor } from './options.ts';
import { OperatorError } from '../errors.ts';

export interface FolderFlags {
  readonly data: string;
  readonly config?: string;
  readonly set?: readonly SettingPair[];
}

export interface OpenFolder extends Core {
  readonly folder: DataFolder;
  readonly settings: Settings;
  readonly clock: SystemClock;
}

/** Runs `work` on the data folder of `--data`, and closes it. Throws when the folder is not one, unless `create`. */
export async function withFolder<T>(
  flags: FolderFlags,
  work: (open: OpenFolder) => Promise<T> | T,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  if (!create && !isDataFolder(flags.data))
    throw new OperatorError(
      `${flags.data} não é uma pasta de dados do catp. Indique-a com --data, ou crie-a com catp serve ou catp dev.`,
    );
  const settings = settingsFor(flags, []);
  const folder = openFolder(flags.data);
  const clock = new SystemClock();
  const core = openCore({ folder, settings, clock, stopwatch: monotonicMs });
  try {
    return await work({ ...core, folder, settings, clock });
  } finally {
    await core.close();
  }
}
