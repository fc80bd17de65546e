/** Folders that belong to whoever runs us, and to nobody else: by modes or, on Windows, by access lists. */
import { chmodSync, mkdirSync } from 'node:fs';
import { accessIn } from '../windows/access-list.ts';
import { accessOf, giveTo, ownSid } from '../windows/access.ts';

const OWNER_ONLY = 0o700;
const isWindows = process.platform === 'win32';

/** Makes what is missing of the path; answers the uppermost folder that it made. */
export function makeOwnFolder(path: string): string | undefined {
  const first = mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  if (first !== undefined && isWindows) giveToOwner(first);
  return first;
}

/** Takes a folder that is there from everybody else. */
export function makeOwn(path: string): void {
  if (isWindows) giveToOwner(path);
  else chmodSync(path, OWNER_ONLY);
}

/** What is written from now on is its owner's alone: by the process's mask, and on Windows by the list of the folder. */
export function writeForOwner(folder: string): void {
  process.umask(0o077);
  if (isWindows && !isDecided(folder)) giveToOwner(folder);
}

/** Whether somebody has given it a list of its own. */
function isDecided(folder: string): boolean {
  try {
    return accessIn(accessOf(folder)).isProtected;
  } catch {
    return true; // it is not there, or not ours to look at
  }
}

/** A disk without such lists is none of a refusal: `doctor` says whom the folder is open to. */
function giveToOwner(folder: string): void {
  try {
    giveTo(folder, [ownSid()]);
  } catch {
    // As above.
  }
}
