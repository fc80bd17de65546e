/**
 * What the storage last answered, and what follows from it: when the log goes into the database file, when writes are
 * refused, and how it is found out that there is room again.
 */
import { WriteAheadLog } from './log.ts';
import type { Db } from './open.ts';
import {
  type StorageTrouble,
  isDamage,
  isIndexOutOfSpace,
  isLastingFailure,
  isOutOfSpace,
  isPassing,
  isReadOnly,
} from './trouble.ts';

export interface StorageParts {
  readonly db: Db;
  /** By default that of `db`. */
  readonly log?: Pick<WriteAheadLog, 'isLong' | 'checkpoint'>;
  /** Told when the storage begins to refuse, with what it said, and when that is over. */
  readonly onTrouble?: (trouble: StorageTrouble | undefined, error?: unknown) => void;
  /** Writes something small, to see whether there is room again; what comes of it is told as of any other write. */
  readonly tryWrite: () => void;
}

/** How often to try whether there is room again. Real time: a disk knows no other. */
const ROOM_AGAIN_MS = 1000;

export class Storage {
  readonly #parts: StorageParts;
  readonly #log;
  #trouble: StorageTrouble | undefined;
  #haltedBy: unknown;
  /**
   * The log cannot be brought into the database file for want of room. Whatever were added to it would need yet more room:
   * so nothing is, and what has to be freed stays what the log holds. The same where its index has no room to grow: a
   * small write still fits and a large one does not, until the log is in the database and begins anew.
   */
  #stuckBy: unknown;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(parts: StorageParts) {
    this.#parts = parts;
    this.#log = parts.log ?? new WriteAheadLog(parts.db);
  }

  get trouble(): StorageTrouble | undefined {
    return this.#trouble;
  }

  /** What the storage said when it failed for good: only a restart helps. */
  get haltedBy(): unknown {
    return this.#haltedBy;
  }

  /** What the storage said that keeps every write from being tried. */
  get refusesBy(): unknown {
    return this.#haltedBy ?? this.#stuckBy;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  /** A group was committed. */
  taken(): void {
    if (this.#trouble === 'full') this.#setTrouble(undefined);
    if (this.#trouble === undefined && this.#log.isLong()) setImmediate(() => this.#checkpoint()); // after the answers
  }

  /** Out of space may pass; after any other failure of the storage a restart is needed. */
  judge(error: unknown): void {
    if (isOutOfSpace(error)) {
      if (isIndexOutOfSpace(error)) this.#stuckBy = error;
      this.#setTrouble('full', error);
      this.#tryAgainLater();
    } else if (isLastingFailure(error) && this.#haltedBy === undefined) {
      this.#haltedBy = error;
      this.#setTrouble(isDamage(error) ? 'damaged' : isReadOnly(error) ? 'readonly' : 'failed', error);
    }
  }

  /** Brings the log into the database file. What was acknowledged is safe in the log, whatever becomes of this. */
  #checkpoint(): void {
    if (this.#closed || this.#haltedBy !== undefined) return;
    try {
      this.#log.checkpoint();
      this.#stuckBy = undefined;
    } catch (error) {
      if (isPassing(error)) return;
      if (isOutOfSpace(error)) this.#stuckBy = error;
      this.judge(error);
    }
  }

  #setTrouble(trouble: StorageTrouble | undefined, error?: unknown): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#parts.onTrouble?.(trouble, error);
  }

  /** Nobody may ask for a write while readiness says no: so the server sees for itself when there is room again. */
  #tryAgainLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      if (this.#trouble === 'full') this.#lookForRoom();
    }, ROOM_AGAIN_MS);
    this.#retry.unref();
  }

  /** First the log, then a write: a log that is in the database begins anew and needs no room of its own. */
  #lookForRoom(): void {
    this.#checkpoint();
    if (this.#stuckBy === undefined) this.#parts.tryWrite();
    else this.#tryAgainLater();
  }
}
