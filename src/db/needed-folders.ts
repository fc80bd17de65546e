/** The folders that a server writes to next to its database: files that are received, backups. */
import { accessSync, closeSync, constants, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from '../system/errors.ts';

/** Returns why nothing can be written in a folder, or why a missing one cannot be made, in Portuguese. */
export function refusalOfFolder(folder: string): string | undefined {
  try {
    const nearest = nearestThere(resolve(folder));
    if (nearest === resolve(folder)) return refusalOfWrite(folder);
    accessSync(`${nearest}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

const nearestThere = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined && path !== dirname(path)
    ? nearestThere(dirname(path))
    : path;

/** Writes a file in a folder and removes it again; returns why that failed, in Portuguese. */
export function refusalOfWrite(folder: string): string | undefined {
  const path = join(folder, `.gravacao-${process.pid}-${crypto.randomUUID()}`);
  try {
    const handle = openSync(path, 'wx', 0o600);
    try {
      writeSync(handle, 'catp');
    } finally {
      closeSync(handle);
      rmSync(path, { force: true });
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
