/** The files of backups in a folder: their names, the newest, those that have had their time. */
import { accessSync, constants, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { EpochMs } from '../clock.ts';
import type { BackupFile } from './model.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { isAlive, namesIn } from '../system/gone.ts';
import { localDateTime } from '../validation/calendar.ts';

/** The folder of backups of a data folder. `place`: setting `backup.pasta`. */
export const backupFolder = (data: string, place: string): string =>
  place === '' ? join(data, 'backups') : place;

/** Why no backup can be put into a folder, which need not be there yet. */
export function refusalOf(folder: string): string | undefined {
  try {
    accessSync(`${nearestThere(resolve(folder))}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

const nearestThere = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined && path !== dirname(path)
    ? nearestThere(dirname(path))
    : path;

const NAME = /^catp-(\d{8}T\d{6})(?:-(\d+))?\.zip$/;

/** `catp-20260115T023000.zip`, Brasília; `-2` and so on for further ones of the same second. */
const nameOf = (at: EpochMs, turn: number): string =>
  `catp-${localDateTime(at).replaceAll(/[-:]/g, '')}${turn === 1 ? '' : `-${turn}`}.zip`;

/** Gives a finished file its name in the folder, never that of another; returns the name. */
export function place(finished: string, folder: string, at: EpochMs): string {
  for (let turn = 1; ; turn += 1) {
    const name = nameOf(at, turn);
    if (tookName(finished, join(folder, name))) return name;
  }
}

function tookName(finished: string, path: string): boolean {
  try {
    linkSync(finished, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
    // A memory stick knows no links: between the look and the renaming only another backup could come.
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(finished, path);
    return true;
  }
}

const isWithoutLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(systemCode(error) ?? '');

/** The names of the backups in a folder, newest first. A folder that is not there has none. */
export function backupsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, second = '', turn = '1'] = NAME.exec(name) ?? [];
      return second === '' ? [] : [{ name, second, turn: Number(turn) }];
    })
    .sort((a, b) => (a.second === b.second ? b.turn - a.turn : a.second < b.second ? 1 : -1))
    .map(({ name }) => name);
}

/** The same with when each was finished and how large it is; one that is being removed is left out. */
export const filesIn = (folder: string): readonly BackupFile[] =>
  backupsIn(folder).flatMap((file) => {
    const stat = statSync(join(folder, file), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ file, at: Math.floor(stat.mtimeMs), bytes: stat.size }];
  });

/** Removes all but the newest; returns the names of those that went. */
export function keepNewest(folder: string, kept: number): readonly string[] {
  const old = backupsIn(folder).slice(kept);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old;
}

const STAGING = /^\.copia-(\d+)-[\w-]+$/;

/** Where a backup is made before it has its name. */
export const stagingIn = (folder: string): string =>
  join(folder, `.copia-${process.pid}-${crypto.randomUUID()}`);

/** Removes a place that `stagingIn` has named; there may be none, nor a folder for it. */
export function removeStaging(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') throw error;
  }
}

/** Removes what backups have left that died half-way. */
export function removeRemains(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid = ''] = STAGING.exec(name) ?? [];
    if (pid !== '' && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
