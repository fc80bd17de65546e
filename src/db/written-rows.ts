/** How many rows a connection has written since it was opened: tells whether a unit of work wrote any. */
import type { Db } from './open.ts';

export class WrittenRows {
  readonly #count;

  constructor(db: Db) {
    this.#count = db.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** Grows with every row; undoing takes nothing away. */
  count(): number {
    return this.#count.get() ?? 0;
  }
}
