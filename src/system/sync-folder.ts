/**
 * Syncs folders. A synced file may still lose its name in a power failure, because the folder stores the name
 * and is synced separately.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Windows persists names on its own and cannot open a folder. */
const NEEDS_SYNC = process.platform !== 'win32';

/** Returns when every name in the folder is on stable storage. */
export function syncFolder(path: string): void {
  if (!NEEDS_SYNC) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Syncs a folder without blocking the thread. */
export async function syncFolderAside(path: string): Promise<void> {
  if (!NEEDS_SYNC) return;
  const { open } = await import('node:fs/promises');
  await using folder = await open(path, 'r');
  await folder.sync();
}

/**
 * Writes a small file, readable by its owner only, atomically: complete or not at all after a power failure.
 */
export function placeFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
}
