/** Folders that only their owner can access: by modes or, on Windows, by access lists. */
import { chmodSync, mkdirSync } from 'node:fs';
import { accessIn } from '../windows/access-list.ts';
import { accessOf, restrictTo, ownSid } from '../windows/access.ts';

const OWNER_ONLY = 0o700;
const isWindows = process.platform === 'win32';

/** Creates the missing folders of a path. Returns the topmost folder that it created, or `undefined`. */
export function makeOwnFolder(path: string): string | undefined {
  const first = mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  if (first !== undefined && isWindows) giveToOwner(first);
  return first;
}

/** Removes the access of other accounts to an existing folder. */
export function makeOwn(path: string): void {
  if (isWindows) giveToOwner(path);
  else chmodSync(path, OWNER_ONLY);
}

/**
 * Restricts new files to their owner: by the process umask, and on Windows by the access list of the folder.
 */
export function writeForOwner(folder: string): void {
  process.umask(0o077);
  if (isWindows && !isDecided(folder)) giveToOwner(folder);
}

/** Returns true if the folder has an access list of its own. */
function isDecided(folder: string): boolean {
  try {
    return accessIn(accessOf(folder)).isProtected;
  } catch {
    return true; // missing, or no access
  }
}

/**
 * Restricts a folder to its owner. A disk without access lists is not an error: `doctor` reports who can
 * access the folder.
 */
function giveToOwner(folder: string): void {
  try {
    restrictTo(folder, [ownSid()]);
  } catch {
    // A disk without access lists.
  }
}
