/**
 * Locks a data folder for one server. The operating system releases the lock when the process ends, also
 * after a kill.
 */
import Database from 'better-sqlite3';
import { join } from 'node:path';

export const LOCK_FILE = 'catp.lock';

export interface FolderLock extends Disposable {
  release(): void;
}

/** Locks the folder for this process. `undefined`: another server has the lock. */
export const lockFolder = (folder: string): FolderLock | undefined => lockFile(join(folder, LOCK_FILE));

/**
 * Locks a file for this process and creates it when missing. `undefined`: it is locked. Uses SQLite's lock of
 * a writer, which is taken in one step, so that one of two simultaneous processes gets it. (The exclusive
 * lock is taken in several steps, in which two processes can refuse each other.)
 */
export function lockFile(file: string): FolderLock | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    // No page is ever written, and a journal file would remain after the process ends.
    db.pragma('journal_mode = memory');
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    if (!(error instanceof Error)) throw error;
    if ('code' in error && String(error.code).startsWith('SQLITE_BUSY')) return undefined;
    throw Object.assign(error, { path: file }); // SQLite does not name the file
  }
  const lockedDb = db;
  const release = (): void => void lockedDb.close();
  return { release, [Symbol.dispose]: release };
}
