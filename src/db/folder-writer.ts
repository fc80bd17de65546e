/**
 * Identifies the writer of a data folder (contract section 26, "Whose folder it is"): an id in the database,
 * and the same id in a file next to it. Replicas and backups do not contain the file, so a folder that was
 * made from one never has both.
 */
import { join } from 'node:path';
import { readSmallText } from '../system/bounded-file.ts';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { FolderMarks, WRITER } from './folder-mark.ts';
import type { Db } from './open.ts';

export const WRITER_FILE = 'catp.writer';
const ID_BYTES = 16;

/**
 * Creates a new writer: the file in `path`, then the id in the database. A process that is killed in between
 * leaves different ids, which are refused until the next takeover. If the database had no id, the next start
 * creates both again.
 */
export function makeWriter(db: Db, path: string): void {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES))).toString('hex');
  placeFile(join(path, WRITER_FILE), `${id}\n`);
  new FolderMarks(db).put(WRITER, id);
}

/** Restores the folder's id in a database whose content was replaced. */
export function keepWriter(db: Db, path: string): void {
  const id = writerIn(path);
  if (id === undefined) makeWriter(db, path);
  else new FolderMarks(db).put(WRITER, id);
}

/** Returns the id in the file of the folder. `undefined`: the file is missing. */
export function writerIn(path: string): string | undefined {
  try {
    return readSmallText(join(path, WRITER_FILE)).trim();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The file that Litestream writes next to a database that follows a replica. It reads the file to continue.
 */
export const followingFile = (database: string): string => `${database}-txid`;
