/**
 * Group commit. Whoever changes data hands the writer a function; once per turn of the event loop the writer opens one
 * transaction, runs every waiting function in a savepoint of its own, commits with one fsync, and only then resolves
 * them all. A function that throws undoes its own savepoint and nothing else.
 */
import type { Clock, EpochMs } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Db } from './open.ts';

/** What a unit of work may use of the transaction that it runs in. */
export interface Transaction {
  /** The one instant of everything that this transaction writes. */
  readonly now: EpochMs;
  /** Called after the commit is on stable storage; must not throw. */
  afterCommit(work: () => void): void;
}

export interface GroupMeasure {
  readonly size: number;
  readonly commitMs: number;
}

export interface WriterParts {
  readonly db: Db;
  readonly clock: Clock;
  /** A monotonic reading in ms, for measures and for the length of a group. */
  readonly stopwatch: () => number;
  readonly onGroup?: (measure: GroupMeasure) => void;
  readonly onHalt?: (error: unknown) => void;
}

interface Waiting {
  readonly work: (transaction: Transaction) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A group stops taking further work after this long, so that the event loop gets its turn. */
const GROUP_LONGEST_MS = 10;

const OUT_OF_SPACE = 'SQLITE_FULL';

export class Writer {
  readonly #parts: WriterParts;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #savepoint;
  readonly #release;
  readonly #undo;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #haltedBy: unknown;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(parts: WriterParts) {
    this.#parts = parts;
    const { db } = parts;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT work');
    this.#release = db.prepare('RELEASE work');
    this.#undo = db.prepare('ROLLBACK TO work');
  }

  /**
   * Runs `work` in the next group. Resolves with its result once that is on stable storage; rejects with what it threw,
   * or with `unavailable` when the storage did not take the group.
   */
  write<T>(work: (transaction: Transaction) => T): Promise<T> {
    if (this.#haltedBy !== undefined) return Promise.reject(halted(this.#haltedBy));
    if (this.#closed)
      return Promise.reject(
        new DomainError('unavailable', 'O serviço está sendo encerrado; nada foi gravado.'),
      );
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing waits any more; later writes are refused. */
  async close(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#closed = true;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#runGroup());
  }

  #runGroup(): void {
    this.#scheduled = false;
    const group = this.#waiting;
    this.#waiting = [];
    const started = this.#parts.stopwatch();
    const afterCommit: (() => void)[] = [];
    const settled: (() => void)[] = [];
    let taken = 0;
    try {
      this.#begin.run();
      const transaction = this.#transaction(afterCommit);
      while (taken < group.length) {
        settled.push(this.#runOne(group[taken] as Waiting, transaction, afterCommit));
        taken += 1;
        if (this.#parts.stopwatch() - started > GROUP_LONGEST_MS) break;
      }
      const beforeCommit = this.#parts.stopwatch();
      this.#commit.run();
      this.#parts.onGroup?.({ size: taken, commitMs: this.#parts.stopwatch() - beforeCommit });
    } catch (error) {
      this.#fail(group, error);
      this.#drained();
      return;
    }
    if (taken < group.length) {
      this.#waiting = group.slice(taken).concat(this.#waiting);
      this.#schedule();
    }
    for (const settle of settled) settle();
    for (const work of afterCommit) work();
    this.#drained();
  }

  #transaction(afterCommit: (() => void)[]): Transaction {
    return { now: this.#parts.clock.now(), afterCommit: (work) => afterCommit.push(work) };
  }

  /** Runs one unit in its savepoint and returns how to tell its caller, once the group is committed. */
  #runOne(waiting: Waiting, transaction: Transaction, afterCommit: (() => void)[]): () => void {
    const hooks = afterCommit.length;
    this.#savepoint.run();
    try {
      const result = waiting.work(transaction) as never;
      this.#release.run();
      return () => waiting.resolve(result);
    } catch (error) {
      // Out of space, and some I/O errors, end the whole transaction: then there is no savepoint to go back to.
      if (!this.#parts.db.inTransaction) throw error;
      this.#undo.run();
      this.#release.run();
      afterCommit.length = hooks;
      if (isStorageFailure(error)) throw error;
      return () => waiting.reject(error);
    }
  }

  /** The storage refused: nothing of the group is kept. Out of space may pass; after any other failure a restart is needed. */
  #fail(group: readonly Waiting[], error: unknown): void {
    if (this.#parts.db.inTransaction) this.#rollback.run();
    if (isLastingFailure(error)) {
      this.#haltedBy = error;
      this.#parts.onHalt?.(error);
    }
    for (const { reject } of group) reject(isStorageFailure(error) ? unavailable(error) : error);
  }

  #drained(): void {
    if (this.#waiting.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|LOCKED)/.test(sqliteCode(error));
}

/** After a failed fsync nobody knows what the disk holds: going on would acknowledge what may be lost. */
function isLastingFailure(error: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(sqliteCode(error));
}

function unavailable(error: unknown): DomainError {
  const message =
    sqliteCode(error) === OUT_OF_SPACE
      ? 'O disco está cheio; nada desta requisição foi gravado. Libere espaço e tente de novo.'
      : 'O armazenamento não aceitou a gravação; nada desta requisição foi gravado. Tente de novo.';
  return new DomainError('unavailable', message, { cause: error });
}

function halted(error: unknown): DomainError {
  return new DomainError(
    'unavailable',
    'As gravações estão suspensas porque o disco falhou; as consultas continuam. O operador deve verificar o disco e reiniciar o serviço.',
    { cause: error },
  );
}
