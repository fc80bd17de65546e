/** The data folder in the hands of the one server that may use it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDataFolder, makeFolder, requireInstance, usable } from '../db/folder.ts';
import { type FolderLock, LOCK_FILE, lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import { folderStateOf, requireOwnFolder } from '../replica/folder-owner.ts';
import type { Settings } from '../settings/config.ts';
import { requireFree, requireTwoPorts, spotsOf } from './ports.ts';

export interface HeldFolder extends FolderLock {
  readonly path: string;
  /** After a first start that failed: what it made goes. Of a folder that had an instance everything stays. */
  undo(): void;
}

/** Throws where a port is in use, before anything is written (contract section 16), or where another has the folder. */
export async function holdFolder(
  path: string,
  settings: Settings,
  mode: 'serve' | 'dev',
): Promise<HeldFolder> {
  requireTwoPorts(settings);
  // Nobody may find an instance that has no owner yet: `serve` serves what `catp init` has made (contract section 16).
  if (mode === 'serve') requireInstance(path);
  if (isDataFolder(path)) requireOwnFolder(path, folderStateOf(path));
  const undo = isDataFolder(path) ? () => undefined : undoing(path);
  const requirePorts = async (): Promise<void> => {
    for (const spot of spotsOf(settings)) await requireFree(spot);
  };
  // Where somebody may have the folder, that is told rather than that its port is in use.
  const mayBeHeld = existsSync(join(path, LOCK_FILE));
  if (!mayBeHeld) await requirePorts();
  const lock = locked(path, undo);
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${path} já está em uso por outro catp. Pare-o antes, ou use outra pasta com --data.`,
    );
  if (mayBeHeld) await requirePorts();
  return { ...lock, path, undo };
}

function locked(path: string, undo: () => void): FolderLock | undefined {
  try {
    if (!isDataFolder(path)) makeFolder(path);
    return usable(path, () => lockFolder(path));
  } catch (error) {
    undo();
    throw error;
  }
}

/** Remembers what is there. */
function undoing(path: string): () => void {
  const first = firstMissing(resolve(path));
  if (first !== undefined) return () => rmSync(first, { recursive: true, force: true });
  const before = new Set(usable(path, () => readdirSync(path)));
  return () => {
    for (const name of readdirSync(path))
      if (!before.has(name)) rmSync(join(path, name), { recursive: true, force: true });
  };
}

/** The uppermost folder of a path that is not there. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}
