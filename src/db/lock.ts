/** One data folder, one server: a lock that the operating system gives back when the process ends, however it ends. */
import Database from 'better-sqlite3';
import { join } from 'node:path';

export const LOCK_FILE = 'catp.lock';

export interface FolderLock extends Disposable {
  release(): void;
}

/** Takes the folder for this process; `undefined` when another server has it. */
export const lockFolder = (folder: string): FolderLock | undefined => lockFile(join(folder, LOCK_FILE));

/**
 * Takes a file, made where it is missing, for this process; `undefined` when it is taken. The lock is the one that a writer takes before
 * it writes: it is taken in one step, so that of two who come at the same instant one has it. (The exclusive one is taken
 * in several, on which two can refuse each other.)
 */
export function lockFile(file: string): FolderLock | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    // Nothing is ever written: a journal beside it would stay where the process ends by itself.
    db.pragma('journal_mode = memory');
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    if (!(error instanceof Error)) throw error;
    if ('code' in error && String(error.code).startsWith('SQLITE_BUSY')) return undefined;
    throw Object.assign(error, { path: file }); // SQLite does not say which
  }
  const held = db;
  const release = (): void => void held.close();
  return { release, [Symbol.dispose]: release };
}
