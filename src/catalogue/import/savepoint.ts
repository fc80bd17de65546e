/** Places in a transaction to go back to: what a refused item wrote, and everything of a dry run, is undone. */
import type { Db } from '../../db/open.ts';

/** An item was refused after it had written: what is around it has to be undone, and done again with more care. */
class MustUndo extends Error {}

export class Savepoint {
  readonly #db: Db;
  readonly #open;
  readonly #release;
  readonly #undo;
  readonly #changes;

  constructor(db: Db) {
    this.#db = db;
    this.#open = db.prepare('SAVEPOINT item');
    this.#release = db.prepare('RELEASE item');
    this.#undo = db.prepare('ROLLBACK TO item');
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
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

  /** Runs `work` whole; `undefined`, with nothing kept, when something `unguarded` in it wrote and then threw. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return this.run(true, work);
    } catch (error) {
      if (error instanceof MustUndo) return undefined;
      throw error;
    }
  }

  /** Runs `work` without a savepoint of its own, which would copy every page that it touches: inside `attempt` only. */
  unguarded<T>(work: () => T): T {
    const changes = this.#changes.get();
    try {
      return work();
    } catch (error) {
      if (this.#db.inTransaction && this.#changes.get() !== changes) throw new MustUndo('', { cause: error });
      throw error;
    }
  }
}
