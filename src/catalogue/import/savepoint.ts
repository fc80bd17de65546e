/** A place in a transaction to go back to: what a refused item wrote, and everything of a dry run, is undone. */
import type { Db } from '../../db/open.ts';
import { WrittenRows } from '../../db/written-rows.ts';

export class Savepoint {
  readonly #db: Db;
  readonly #open;
  readonly #release;
  readonly #undo;
  readonly #written: WrittenRows;

  constructor(db: Db) {
    this.#db = db;
    this.#open = db.prepare('SAVEPOINT item');
    this.#release = db.prepare('RELEASE item');
    this.#undo = db.prepare('ROLLBACK TO item');
    this.#written = new WrittenRows(db);
  }

  /** How many rows were written by now. */
  get written(): number {
    return this.#written.count();
  }

  /** Runs `work`, and keeps what it wrote unless it throws or its result is one that is not to be kept. */
  run<T>(work: () => T, isKept: (result: T) => boolean): T {
    this.#open.run();
    let isToBeKept = false;
    try {
      const result = work();
      isToBeKept = isKept(result);
      return result;
    } finally {
      // Out of space, and some I/O errors, end the whole transaction: then there is no savepoint to go back to.
      if (this.#db.inTransaction) {
        if (!isToBeKept) this.#undo.run();
        this.#release.run();
      }
    }
  }
}
