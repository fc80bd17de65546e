/** The files of backups in a folder: their names, the newest, those that have had their time. */
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOfWrite } from '../db/needed-folders.ts';
import type { EpochMs } from '../clock.ts';
import type { BackupFile, Upgrade } from './model.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { isAlive, namesIn } from '../system/gone.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { instantOf, localDateTime } from '../validation/calendar.ts';

/** The folder of backups of a data folder. `place`: setting `backup.pasta`. */
export const backupFolder = (data: string, place: string): string =>
  place === '' ? join(data, 'backups') : place;

/** Makes the folder of backups where it is missing, and returns why none can be put into it. */
export function refusalToMake(folder: string): string | undefined {
  try {
    makeOwnFolder(folder);
    return refusalOfWrite(folder);
  } catch (error) {
    return reasonOf(error);
  }
}

const NAME = /^catp-(\d{8}T\d{6})(?:-(\d+))?(-de-[\w.+-]+-para-[\w.+-]+)?\.zip$/;

/**
 * `catp-20260115T023000.zip`, Brasília; `-2` and so on for further ones of the same second. One that was made for an upgrade
 * ends with `-de-1.0.0-para-1.1.0`.
 */
const nameOf = (at: EpochMs, turn: number, upgrade: Upgrade | undefined): string =>
  `catp-${secondOf(at)}${turn === 1 ? '' : `-${turn}`}${upgrade === undefined ? '' : `-de-${inName(upgrade.from)}-para-${inName(upgrade.to)}`}.zip`;

const secondOf = (at: EpochMs): string => localDateTime(at).replaceAll(/[-:]/g, '');

const inName = (version: string): string => version.replaceAll(/[^\w.+-]/g, '_');

/** Gives a finished file its name in the folder, never that of another; returns the name. */
export function place(finished: string, folder: string, at: EpochMs, upgrade?: Upgrade): string {
  for (let turn = 1; ; turn += 1) {
    const name = nameOf(at, turn, upgrade);
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

interface NamedBackup {
  readonly name: string;
  readonly second: string;
  readonly turn: number;
  readonly isForUpgrade: boolean;
}

/** Newest first. A folder that is not there has none. */
function namedIn(folder: string): readonly NamedBackup[] {
  return namesIn(folder)
    .flatMap((name): NamedBackup[] => {
      const [, second = '', turn = '1', upgrade] = NAME.exec(name) ?? [];
      return second === '' ? [] : [{ name, second, turn: Number(turn), isForUpgrade: upgrade !== undefined }];
    })
    .sort((a, b) => (a.second === b.second ? b.turn - a.turn : a.second < b.second ? 1 : -1));
}

/** The names of the backups in a folder, newest first. A folder that is not there has none. */
export const backupsIn = (folder: string): readonly string[] => namedIn(folder).map(({ name }) => name);

/** The backups that were made before an upgrade, newest first. */
export const upgradeCopiesIn = (folder: string): readonly BackupFile[] => {
  const names = new Set(namedIn(folder).flatMap(({ name, isForUpgrade }) => (isForUpgrade ? name : [])));
  return filesIn(folder).filter(({ file }) => names.has(file));
};

/** The same with when each was finished and how large it is; one that is being removed is left out. */
export const filesIn = (folder: string): readonly BackupFile[] =>
  backupsIn(folder).flatMap((file) => {
    const stat = statSync(join(folder, file), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ file, at: Math.floor(stat.mtimeMs), bytes: stat.size }];
  });

/**
 * Removes all but the newest `kept`; returns the names of those that went. `mustStay` decides on the copies that were made for
 * an upgrade, by when each was made.
 */
export function keepNewest(
  folder: string,
  kept: number,
  mustStay: (copiedAt: EpochMs) => boolean = () => false,
): readonly string[] {
  const old = namedIn(folder)
    .slice(kept)
    .filter(({ isForUpgrade, second }) => !(isForUpgrade && mustStay(instantOfSecond(second))))
    .map(({ name }) => name);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old;
}

/** Reads `20260115T023000`, Brasília. A name that is no moment is of long ago. */
const instantOfSecond = (second: string): EpochMs =>
  instantOf(second.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6')) ?? 0;

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
