/**
 * Keeps the state of the storage. Decides when to run a checkpoint, when to refuse writes, and when free
 * space allows writes again.
 */
import type { WriteAheadLog } from './log.ts';
import {
  type StorageTrouble,
  isDamage,
  isIndexOutOfSpace,
  isLastingFailure,
  isOutOfSpace,
  isLocked,
  isReadOnly,
} from './trouble.ts';

/** Called with the error when the storage begins to refuse, and again when that ends. */
export type OnTrouble = (trouble: StorageTrouble | undefined, error?: unknown) => void;

/** Interval between two tests for free space, in ms of real time. */
const SPACE_TEST_INTERVAL_MS = 1000;

export class Storage {
  readonly #log: Pick<WriteAheadLog, 'isLong' | 'checkpoint'>;
  readonly #onTrouble: OnTrouble | undefined;
  /** Writes a small change to test for free space. Its result is reported like that of any other write. */
  readonly #tryWrite: () => void;
  #trouble: StorageTrouble | undefined;
  #haltedBy: unknown;
  /**
   * The error that prevents a checkpoint for lack of space. Each addition to the log would need more space,
   * so no page is added, and the log keeps its size. The same applies when the index of the log cannot grow:
   * a small write still fits and a large one does not, until a checkpoint restarts the log.
   */
  #stuckBy: unknown;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    log: Pick<WriteAheadLog, 'isLong' | 'checkpoint'>,
    onTrouble: OnTrouble | undefined,
    tryWrite: () => void,
  ) {
    this.#log = log;
    this.#onTrouble = onTrouble;
    this.#tryWrite = tryWrite;
  }

  get trouble(): StorageTrouble | undefined {
    return this.#trouble;
  }

  /** The error of a permanent failure: only a restart helps. */
  get haltedBy(): unknown {
    return this.#haltedBy;
  }

  /** The error that prevents writes. While it is set, no write is tried. */
  get refusesBy(): unknown {
    return this.#haltedBy ?? this.#stuckBy;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  /** Called after a group was committed. */
  onCommitted(): void {
    if (this.#trouble === 'full') this.#setTrouble(undefined);
    if (this.#trouble === undefined && this.#log.isLong()) setImmediate(() => this.#checkpoint()); // after the answers
  }

  /** Classifies an error. Lack of space may end; any other failure of the storage needs a restart. */
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

  /** Runs a checkpoint. If it fails, acknowledged writes are still safe in the log. */
  #checkpoint(): void {
    if (this.#closed || this.#haltedBy !== undefined) return;
    try {
      this.#log.checkpoint();
      this.#stuckBy = undefined;
    } catch (error) {
      if (isLocked(error)) return;
      if (isOutOfSpace(error)) this.#stuckBy = error;
      this.judge(error);
    }
  }

  #setTrouble(trouble: StorageTrouble | undefined, error?: unknown): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#onTrouble?.(trouble, error);
  }

  /** Clients may send no write while readiness fails, so the server tests for free space itself. */
  #tryAgainLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      if (this.#trouble === 'full') this.#testForSpace();
    }, SPACE_TEST_INTERVAL_MS);
    this.#retry.unref();
  }

  /**
   * Runs a checkpoint first, then a write: a log without pending pages restarts and needs no further space.
   */
  #testForSpace(): void {
    this.#checkpoint();
    if (this.#stuckBy === undefined) this.#tryWrite();
    else this.#tryAgainLater();
  }
}
