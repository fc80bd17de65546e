/**
 * One snapshot for all look-ups of a turn of the event loop: to open and close a read of its own would cost each of them
 * as much as the look-up. Tells those who remember what they read when it may have changed.
 */
import type { Db } from './open.ts';

/** `us`: this process, through the writer. `others`: another one, for instance the command line. */
export type CommittedBy = 'us' | 'others';

export class Snapshot {
  readonly #db: Db;
  readonly #begin;
  readonly #commit;
  /** SQLite's count of what others committed, as of the snapshot. */
  readonly #dataVersion;
  readonly #listeners: ((by: CommittedBy) => void)[] = [];
  #isOpen = false;
  #seenVersion = -1;

  constructor(db: Db) {
    this.#db = db;
    this.#begin = db.prepare('BEGIN');
    this.#commit = db.prepare('COMMIT');
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** Calls `listener` for each commit, of others at the latest when the next snapshot begins. */
  onCommit(listener: (by: CommittedBy) => void): void {
    this.#listeners.push(listener);
  }

  /** Begins the snapshot of this turn, where none has begun yet. Not to be called inside a unit of work. */
  begin(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    setImmediate(() => this.end());
    const version = this.#dataVersion.get() ?? -1;
    if (version !== this.#seenVersion) this.#tell('others');
    this.#seenVersion = version;
  }

  /** Ends it early: the writer needs the connection for itself. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // A disk that cannot be read may have ended it already.
    if (this.#db.inTransaction) this.#commit.run();
  }

  /** To be called by the writer after each commit. */
  committed(): void {
    this.#tell('us');
  }

  #tell(by: CommittedBy): void {
    for (const listener of this.#listeners) listener(by);
  }
}
