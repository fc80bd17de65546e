/**
 * Measures SQLite's write-ahead log and checkpoints it into the database file.
 * The pages of the log need their space twice: the database file may grow by as much before the log is reused. A log
 * that filled the disk would need as much space again before any write. So less free space means a shorter
 * log, and while a checkpoint fails, no page is added to the log (see storage.ts).
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from './open.ts';

/**
 * Maximum size of the log that is not in the database file. SQLite's own default is a quarter of it. Under
 * load each group writes the same index pages, and a longer log writes them once for four groups.
 */
export const LONGEST_LOG_BYTES = 16 * 2 ** 20;

/** The limit on a disk that is nearly full: small, but larger than a group, which is usually some 100 KiB. */
export const SHORT_LOG_BYTES = 2 ** 20;

export class WriteAheadLog {
  readonly #freeBytes: () => number;
  readonly #pageBytes: number;
  readonly #logState;
  readonly #checkpoint;

  /** `freeSpace` returns the number of free bytes on the disk of the database. */
  constructor(db: Db, freeSpace = () => freeBytes(db.name)) {
    this.#freeBytes = freeSpace;
    this.#pageBytes = db.pragma('page_size', { simple: true }) as number;
    // Both return [busy, pages in the log, pages of them in the database file]. NOOP only reads, which costs
    // 3 µs.
    this.#logState = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#checkpoint = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw();
  }

  /**
   * Returns true when a checkpoint is due: the log is long, or the space for a checkpoint may soon be
   * missing.
   */
  isLong(): boolean {
    const [, inLog, inDatabase] = this.#logState.get() ?? [0, 0, 0];
    const pendingBytes = (inLog - inDatabase) * this.#pageBytes;
    if (pendingBytes < SHORT_LOG_BYTES) return false;
    return pendingBytes >= LONGEST_LOG_BYTES || this.#freeBytes() < pendingBytes + LONGEST_LOG_BYTES;
  }

  /**
   * Runs a checkpoint without waiting: pages that a reader still uses stay in the log. Throws errors of the
   * storage.
   */
  checkpoint(): void {
    this.#checkpoint.get();
  }
}

function freeBytes(database: string): number {
  const { bavail, bsize } = statfsSync(dirname(database));
  return bavail * bsize;
}
