/**
 * SQLite's write-ahead log: how long it is, and bringing it into the database file.
 *
 * What is in the log takes its room twice: the database file may have to grow by as much before the log begins anew. A log
 * that grew until the disk was full would need as much room again before anything could be written. So the shorter the
 * room, the shorter the log; and while it cannot be brought into the database, nothing is added to it (see storage.ts).
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from './open.ts';

/**
 * How much of the log may be missing in the database file. SQLite's own figure is a quarter of it; under load the same pages
 * of the indexes come again with every group, and are written once for four.
 */
export const LONGEST_LOG_BYTES = 16 * 2 ** 20;

/** The same on a disk that soon has no room: small, and still more than a group, which mostly is some 100 KiB. */
export const SHORT_LOG_BYTES = 2 ** 20;

export class WriteAheadLog {
  readonly #room: () => number;
  readonly #pageBytes: number;
  readonly #look;
  readonly #checkpoint;

  /** `room` tells how many bytes are free where the database is. */
  constructor(db: Db, room = () => freeBytes(db.name)) {
    this.#room = room;
    this.#pageBytes = db.pragma('page_size', { simple: true }) as number;
    // Both answer [busy, pages in the log, pages of them in the database file]; NOOP only looks, which costs 3 µs.
    this.#look = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#checkpoint = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw();
  }

  /** It should be brought into the database: it is long, or may soon not have the room for that. */
  isLong(): boolean {
    const [, inLog, inDatabase] = this.#look.get() ?? [0, 0, 0];
    const missing = (inLog - inDatabase) * this.#pageBytes;
    if (missing < SHORT_LOG_BYTES) return false;
    return missing >= LONGEST_LOG_BYTES || this.#room() < missing + LONGEST_LOG_BYTES;
  }

  /** Waits for nobody: what a reader still looks at stays in the log. Throws what the storage answers. */
  checkpoint(): void {
    this.#checkpoint.get();
  }
}

function freeBytes(database: string): number {
  const { bavail, bsize } = statfsSync(dirname(database));
  return bavail * bsize;
}
