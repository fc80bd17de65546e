/** Manages the backup files in a folder: names, the newest, the expired ones. */
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOfWrite } from '../db/needed-folders.ts';
import type { EpochMs } from '../clock.ts';
import type { BackupFile, Upgrade } from './model.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { isAlive, namesIn } from '../system/gone.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { instantOf, localDateTime } from '../validation/calendar.ts';

/** Returns the backup folder of a data folder. `place`: setting `backup.pasta`. */
export const backupFolder = (data: string, giveFreeName: string): string =>
  giveFreeName === '' ? join(data, 'backups') : giveFreeName;

/** Creates a missing backup folder. Returns why it cannot be used for backups. */
export function refusalToMake(folder: string): string | undefined {
  try {
    makeOwnFolder(folder);
    return refusalOfWrite(folder);
  } catch (error) {
    return reasonOf(error);
  }
}

const NAME = /^catp-(\d{8}T\d{6})(?:-(\d+))?(-de-[\w.+-]+)?\.zip$/;

/**
 * Returns `catp-20260115T023000.zip` (Brasília), with `-2` and so on for further ones of the same second. A
 * backup for an upgrade ends with `-de-1.0.0-para-1.1.0`.
 */
const nameOf = (at: EpochMs, turn: number, upgrade: Upgrade | undefined): string =>
  `catp-${secondOf(at)}${turn === 1 ? '' : `-${turn}`}${upgrade === undefined ? '' : `-de-${inName(upgrade.from)}-para-${inName(upgrade.to)}`}.zip`;

const secondOf = (at: EpochMs): string => localDateTime(at).replaceAll(/[-:]/g, '');

const inName = (version: string): string => version.replaceAll(/[^\w.+-]/g, '_');

/** Gives a finished file a free name in the folder. Returns the name. */
export function place(finished: string, folder: string, at: EpochMs, upgrade?: Upgrade): string {
  for (let turn = 1; ; turn += 1) {
    const name = nameOf(at, turn, upgrade);
    if (takeName(finished, join(folder, name))) return name;
  }
}

function takeName(finished: string, path: string): boolean {
  try {
    linkSync(finished, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
    // Some file systems have no links, as on USB sticks: between check and rename only another backup could
    // take the name.
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

/** Lists backups, newest first. A missing folder has none. */
function namedIn(folder: string): readonly NamedBackup[] {
  return namesIn(folder)
    .flatMap((name): NamedBackup[] => {
      const [, second = '', turn = '1', upgrade] = NAME.exec(name) ?? [];
      return second === '' ? [] : [{ name, second, turn: Number(turn), isForUpgrade: upgrade !== undefined }];
    })
    .sort((a, b) => (a.second === b.second ? b.turn - a.turn : a.second < b.second ? 1 : -1));
}

/** Returns the names of the backups in a folder, newest first. A missing folder has none. */
export const backupsIn = (folder: string): readonly string[] => namedIn(folder).map(({ name }) => name);

/** Returns the backups for upgrades, newest first. */
export const upgradeCopiesIn = (folder: string): readonly BackupFile[] => {
  const names = new Set(namedIn(folder).flatMap(({ name, isForUpgrade }) => (isForUpgrade ? name : [])));
  return filesIn(folder).filter(({ file }) => names.has(file));
};

/** Returns the backups with their time and size. Omits one that is being removed. */
export const filesIn = (folder: string): readonly BackupFile[] =>
  backupsIn(folder).flatMap((file) => {
    const stat = statSync(join(folder, file), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ file, at: Math.floor(stat.mtimeMs), bytes: stat.size }];
  });

/**
 * Removes all but the newest `keptCount`. Returns the removed names. A backup for an upgrade also stays while
 * `isKept` returns true for its time.
 */
export function keepNewest(
  folder: string,
  keptCount: number,
  isKept: (copiedAt: EpochMs) => boolean = () => false,
): readonly string[] {
  const old = namedIn(folder)
    .slice(keptCount)
    .filter(({ isForUpgrade, second }) => !(isForUpgrade && isKept(instantOfSecond(second))))
    .map(({ name }) => name);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old;
}

/** Parses `20260115T023000`, Brasília. An invalid name counts as very old. */
const instantOfSecond = (second: string): EpochMs =>
  instantOf(second.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6')) ?? 0;

const STAGING = /^\.copia-(\d+)-[\w-]+$/;

/** Returns the path at which a backup is made before it gets its name. */
export const stagingIn = (folder: string): string =>
  join(folder, `.copia-${process.pid}-${crypto.randomUUID()}`);

/** Removes a staging path of `stagingIn`. The path and its folder may be missing. */
export function removeStaging(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') throw error;
  }
}

/** Removes the files of interrupted backups. */
export function removeRemains(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid = ''] = STAGING.exec(name) ?? [];
    if (pid !== '' && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
