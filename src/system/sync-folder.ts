/** A file that was synced may still lose its name in a power cut: the name is in the folder, which is synced apart. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Windows keeps names by itself, and opens no folder. */
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

/** The same without holding anybody up. */
export async function syncFolderAside(path: string): Promise<void> {
  if (!NEEDS_SYNC) return;
  const { open } = await import('node:fs/promises');
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Puts a small file, its owner's alone, in its place: all of it or nothing, whenever the power goes. */
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
