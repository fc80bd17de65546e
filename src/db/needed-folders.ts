/** Checks the folders to which a server writes next to its database: received files, backups. */
import { accessSync, closeSync, constants, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from '../system/errors.ts';

/** Returns in Portuguese why a folder is not writable or cannot be created. `undefined`: it is usable. */
export function refusalOfFolder(folder: string): string | undefined {
  try {
    const nearest = nearestExisting(resolve(folder));
    if (nearest === resolve(folder)) return refusalOfWrite(folder);
    accessSync(`${nearest}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

const nearestExisting = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined && path !== dirname(path)
    ? nearestExisting(dirname(path))
    : path;

/** Writes a file in a folder and removes it again. Returns in Portuguese why that failed. */
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
