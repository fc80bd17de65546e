/** A place in a transaction to go back to: what a refused item wrote, and everything of a dry run, is undone. */
import type { Db } from '../../db/open.ts';

export class Savepoint {
  readonly #db: Db;
  readonly #open;
  readonly #release;
  readonly #undo;

  constructor(db: Db) {
    this.#db = db;
    this.#open = db.prepare('SAVEPOINT item');
    this.#release = db.prepare('RELEASE item');
    this.#undo = db.prepare('ROLLBACK TO item');
  }

  /** Runs `work`, and keeps what it wrote unless it throws or `keep` is false. */
  run<T>(keep: boolean, work: () => T): T {
    this.#open.run();
    let isToBeKept = false;
    try {
      const result = work();
      isToBeKept = keep;
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
