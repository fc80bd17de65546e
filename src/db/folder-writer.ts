/**
 * The writer of a data folder (contract section 26, "Whose folder it is"): an id in the database, and the same id in a file
 * next to it. No replica and no backup carries the file, so a folder that came from one never has both.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { FolderMarks, WRITER } from './folder-mark.ts';
import type { Db } from './open.ts';

export const WRITER_FILE = 'catp.writer';
const ID_BYTES = 16;

/**
 * Makes a new writer: the file in `path`, then the id in the database. A process that is killed in between leaves ids that
 * differ, which is refused until the next takeover; where the database had none, the next start makes both again.
 */
export function makeWriter(db: Db, path: string): void {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES))).toString('hex');
  placeFile(join(path, WRITER_FILE), `${id}\n`);
  new FolderMarks(db).put(WRITER, id);
}

/** Puts an id that the folder has back into a database whose content was replaced. */
export function keepWriter(db: Db, path: string): void {
  const id = writerIn(path);
  if (id === undefined) makeWriter(db, path);
  else new FolderMarks(db).put(WRITER, id);
}

/** Returns the id in the file of the folder; `undefined` where there is no file. */
export function writerIn(path: string): string | undefined {
  try {
    return readFileSync(join(path, WRITER_FILE), 'utf8').trim();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Litestream writes this file next to a database that it brings up to date from a replica, and reads it to go on. */
export const followingFile = (database: string): string => `${database}-txid`;
