/** The data folder, locked by the one server that may use it. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDataFolder, makeFolder, requireInstance, withUsableFolder } from '../db/folder.ts';
import type { Inspection } from '../db/inspection.ts';
import { type FolderLock, LOCK_FILE, lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import { type FolderState, inspectFolder, isSettled, requireOwnFolder } from '../replica/folder-owner.ts';
import type { Settings } from '../settings/config.ts';
import { namesIn } from '../system/gone.ts';
import { requireFree, requireTwoPorts, listenAddressesOf } from './ports.ts';
import { removeOrReport } from './temporary.ts';

export interface LockedFolder extends FolderLock {
  readonly path: string;
  /**
   * True when the database is of this version and of this folder. The lock keeps other processes from
   * changing it.
   */
  readonly isSettled: boolean;
  /** The connection that read its state, if the database is settled. Whoever opens the database uses or closes it. */
  readonly inspection: Inspection | undefined;
  /**
   * Releases the folder and removes the files that a failed first start created. A folder with an instance
   * keeps everything. Never throws, so that the fault of the start is reported.
   */
  undo(): void;
}

/**
 * Locks the folder. Throws when a port is in use, before anything is written (contract section 16), or when
 * another process holds the folder.
 */
export async function lockForServer(
  path: string,
  settings: Settings,
  mode: 'serve' | 'dev',
): Promise<LockedFolder> {
  requireTwoPorts(settings);
  // An instance without an owner must not be reachable: `serve` serves what `catp init` has created (contract
  // section 16).
  if (mode === 'serve') requireInstance(path);
  const { state, inspection } = isDataFolder(path) ? inspectFolder(path) : NO_FOLDER;
  using opened = new DisposableStack();
  if (inspection !== undefined) opened.use(inspection);
  if (state !== undefined) requireOwnFolder(path, state);
  const undo = isDataFolder(path) ? () => undefined : undoOf(path);
  const requirePorts = async (): Promise<void> => {
    for (const spot of listenAddressesOf(settings)) await requireFree(spot);
  };
  // A lock that may be held is reported first, rather than the used port.
  const hasLockFile = existsSync(join(path, LOCK_FILE));
  if (!hasLockFile) await requirePorts();
  const lock = lockOrUndo(path, undo);
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${path} já está em uso por outro catp. Pare-o antes, ou use outra pasta com --data.`,
    );
  if (hasLockFile) await requirePorts();
  const settled = state !== undefined && isSettled(state);
  if (settled) opened.move(); // the caller closes it
  return {
    ...lock,
    path,
    isSettled: settled,
    inspection: settled ? inspection : undefined,
    undo: () => {
      inspection?.[Symbol.dispose]();
      lock.release(); // Windows removes no file that is open
      undo();
    },
  };
}

const NO_FOLDER: { state?: FolderState; inspection?: Inspection } = {};

function lockOrUndo(path: string, undo: () => void): FolderLock | undefined {
  try {
    if (!isDataFolder(path)) makeFolder(path);
    return withUsableFolder(path, () => lockFolder(path));
  } catch (error) {
    undo();
    throw error;
  }
}

/** Records the existing files. Returns the function that removes all others. */
function undoOf(path: string): () => void {
  const first = firstMissing(resolve(path));
  if (first !== undefined) return () => removeOrReport([first]);
  const before = new Set(withUsableFolder(path, () => readdirSync(path)));
  return () => removeOrReport(namesIn(path).flatMap((name) => (before.has(name) ? [] : join(path, name))));
}

/** Returns the uppermost missing folder of a path. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}
