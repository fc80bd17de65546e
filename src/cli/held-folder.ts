/** The data folder, locked by the one server that may use it. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDataFolder, makeFolder, requireInstance, usable } from '../db/folder.ts';
import { type FolderLock, LOCK_FILE, lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import { folderStateOf, isSettled, requireOwnFolder } from '../replica/folder-owner.ts';
import type { Settings } from '../settings/config.ts';
import { namesIn } from '../system/gone.ts';
import { requireFree, requireTwoPorts, spotsOf } from './ports.ts';
import { removeOrTell } from './temporary.ts';

export interface HeldFolder extends FolderLock {
  readonly path: string;
  /** True when the database is of this version and of this folder. Nobody else can change that any more. */
  readonly isSettled: boolean;
  /**
   * Releases the folder and removes what a failed first start created. A folder with an instance keeps
   * everything. Throws nothing: the fault of the start is reported.
   */
  undo(): void;
}

/**
 * Locks the folder. Throws when a port is in use, before anything is written (contract section 16), or when
 * another process holds the folder.
 */
export async function holdFolder(
  path: string,
  settings: Settings,
  mode: 'serve' | 'dev',
): Promise<HeldFolder> {
  requireTwoPorts(settings);
  // An instance without an owner must not be reachable: `serve` serves what `catp init` has created (contract
  // section 16).
  if (mode === 'serve') requireInstance(path);
  const state = isDataFolder(path) ? folderStateOf(path) : undefined;
  if (state !== undefined) requireOwnFolder(path, state);
  const undo = isDataFolder(path) ? () => undefined : undoing(path);
  const requirePorts = async (): Promise<void> => {
    for (const spot of spotsOf(settings)) await requireFree(spot);
  };
  // A lock that may be held is reported first, rather than the used port.
  const mayBeHeld = existsSync(join(path, LOCK_FILE));
  if (!mayBeHeld) await requirePorts();
  const lock = locked(path, undo);
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${path} já está em uso por outro catp. Pare-o antes, ou use outra pasta com --data.`,
    );
  if (mayBeHeld) await requirePorts();
  return {
    ...lock,
    path,
    isSettled: state !== undefined && isSettled(state),
    undo: () => {
      lock.release(); // Windows removes no file that is open
      undo();
    },
  };
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

/** Records the existing files. Returns the function that removes all others. */
function undoing(path: string): () => void {
  const first = firstMissing(resolve(path));
  if (first !== undefined) return () => removeOrTell([first]);
  const before = new Set(usable(path, () => readdirSync(path)));
  return () => removeOrTell(namesIn(path).flatMap((name) => (before.has(name) ? [] : join(path, name))));
}

/** Returns the uppermost missing folder of a path. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}
