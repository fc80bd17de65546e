/** SQLite's write-ahead log: how long it is, and bringing it into the database file. */
import type { Db } from './open.ts';

/**
 * Pages in the log that are not in the database file yet, from which on they are brought there: 16 MiB. SQLite's own figure
 * is 1000; under load the same pages of the indexes come again with every group, and are written once for four.
 */
export const CHECKPOINT_PAGES = 4000;

export class WriteAheadLog {
  readonly #look;
  readonly #checkpoint;

  constructor(db: Db) {
    // Both answer [busy, pages in the log, pages of them in the database file]; NOOP only looks, which costs 3 µs.
    this.#look = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#checkpoint = db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw();
  }

  isLong(): boolean {
    const [, inLog, inDatabase] = this.#look.get() ?? [0, 0, 0];
    return inLog - inDatabase >= CHECKPOINT_PAGES;
  }

  /** Waits for nobody: what a reader still looks at stays in the log. Throws what the storage answers. */
  checkpoint(): void {
    this.#checkpoint.get();
  }
}
