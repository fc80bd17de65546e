/**
 * Group commit. Code that changes data passes a function to the writer. One turn of the event loop later the
 * writer opens one transaction, runs all waiting functions in it, commits with one fsync, and then resolves
 * them. A function that throws rolls back only its own writes: if it has written anything, the whole group
 * runs once more with a savepoint for each function.
 */
import type { Clock, EpochMs } from '../clock.ts';
import type { DomainError } from '../errors.ts';
import type { Change } from '../change.ts';
import type { Feed } from './feed.ts';
import { type Db, tryWrite } from './open.ts';
import { closing, halted, refused } from './refusals.ts';
import { WriteAheadLog } from './log.ts';
import type { Replication } from './replication.ts';
import { type OnTrouble, Storage } from './storage.ts';
import { type StorageTrouble, isLastingFailure, isStorageFailure } from './trouble.ts';

/** The members of a transaction for a unit of work. */
export interface Transaction {
  /** The single instant of all writes of this transaction. */
  readonly now: EpochMs;
  /** Registers `work` for after the commit is on stable storage. It must not throw. */
  afterCommit(work: () => void): void;
  /** Records a change for the audit, in this transaction. */
  record(change: Change): void;
}

/** The transaction of a unit of work. */
export interface Unit extends Transaction {
  /** Runs a part of the unit. Rolls it back when it throws or `keep` is false. Throws its error. */
  part<T>(work: () => T, keep?: boolean): T;
}

export interface GroupMeasure {
  readonly size: number;
  readonly commitMs: number;
}

export interface WriterOptions {
  /** Default: the log of `db`. */
  readonly log?: Pick<WriteAheadLog, 'isLong' | 'checkpoint'>;
  readonly onTrouble?: OnTrouble;
  readonly db: Db;
  /** The feed of the same connection: it reads the commits of others before a unit runs. */
  readonly feed: Feed;
  readonly clock: Clock;
  /** A monotonic clock in ms, for metrics and for the length of a group. */
  readonly stopwatch: () => number;
  readonly onGroup?: (measure: GroupMeasure) => void;
  /** Stores the changes of a group, as the last write of its transaction. */
  readonly keepChanges?: (changes: readonly Change[], tx: Transaction) => void;
  readonly replication?: Replication | undefined;
}

interface Waiting {
  readonly work: (unit: Unit) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupRun {
  /** Resolves or rejects the units that ran, in order. `instead`: the error for those that wrote. */
  readonly settlers: ((instead?: DomainError) => void)[];
  readonly afterCommit: (() => void)[];
  readonly changes: Change[];
  /** All units threw: the group is rolled back. */
  isRefused: boolean;
}

/** Time in ms after which a group accepts no further work, so that the event loop gets its turn. */
const GROUP_LONGEST_MS = 10;

/**
 * Thrown when a unit or a part failed after it had written without a savepoint: the open transaction must be
 * rolled back.
 */
class MustUndo extends Error {}

export class Writer {
  readonly #db: Db;
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #stopwatch: () => number;
  readonly #onGroup: ((measure: GroupMeasure) => void) | undefined;
  readonly #keepChanges: ((changes: readonly Change[], tx: Transaction) => void) | undefined;
  readonly #replication: Replication | undefined;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #savepoint;
  readonly #release;
  readonly #undo;
  readonly #changes;
  readonly #storage;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #closed = false;
  /** Number of groups that the replica has not confirmed yet. */
  #unconfirmedGroups = 0;
  /** Resolves when no exclusive work uses the database. */
  #exclusiveWork: Promise<void> = Promise.resolve();
  #isHeld = false;
  readonly #idle: (() => void)[] = [];

  constructor({
    log,
    onTrouble,
    db,
    feed,
    clock,
    stopwatch,
    onGroup,
    keepChanges,
    replication,
  }: WriterOptions) {
    this.#db = db;
    this.#feed = feed;
    this.#clock = clock;
    this.#stopwatch = stopwatch;
    this.#onGroup = onGroup;
    this.#keepChanges = keepChanges;
    this.#replication = replication;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT work');
    this.#release = db.prepare('RELEASE work');
    this.#undo = db.prepare('ROLLBACK TO work');
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.#storage = new Storage(
      log ?? new WriteAheadLog(db),
      onTrouble,
      // The error has already been classified when `touch` rejects.
      () => void this.touch().catch(() => undefined),
    );
  }

  /** The reason to refuse writes. */
  get trouble(): StorageTrouble | undefined {
    return this.#storage.trouble;
  }

  /**
   * Runs `work` in the next group. Resolves with its result once it is on stable storage. Rejects with its
   * error, or with `unavailable` when the storage refused the group. `work` may run twice, after a rollback
   * of the first run: it changes only the database, and does everything else with `afterCommit`.
   */
  write<T>(work: (unit: Unit) => T): Promise<T> {
    const { haltedBy } = this.#storage;
    if (haltedBy !== undefined) return Promise.reject(halted(haltedBy));
    if (this.#closed) return Promise.reject(closing());
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Receives the error of a read: no write follows on a damaged file or a failing disk. */
  readFailed(error: unknown): void {
    if (isLastingFailure(error)) this.#storage.judge(error);
  }

  /**
   * Writes a small change. Resolves when it, and so everything before it in the log, is on stable storage.
   */
  touch(): Promise<void> {
    return this.write(() => tryWrite(this.#db));
  }

  /**
   * Runs `work`, which reads or replaces the whole database on its own connection, between two groups. Writes
   * wait meanwhile. Calls run one after the other.
   */
  alone<T>(work: () => T | Promise<T>): Promise<T> {
    const run = this.#exclusiveWork.then(async () => {
      const { haltedBy } = this.#storage;
      if (haltedBy !== undefined) throw halted(haltedBy);
      if (this.#closed) throw closing();
      this.#isHeld = true;
      try {
        return await work();
      } finally {
        this.#isHeld = false;
        if (this.#waiting.length > 0) this.#schedule();
      }
    });
    this.#exclusiveWork = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }

  /** Resolves when no write waits any more. Later writes are refused. */
  async close(): Promise<void> {
    await this.#exclusiveWork;
    if (this.#isBusy) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#closed = true;
    this.#storage.close();
  }

  #schedule(): void {
    if (this.#scheduled || this.#isHeld) return;
    this.#scheduled = true;
    // Waits one more turn of the event loop, so that writes of this turn share the commit. An idle event loop
    // runs the next turn at once.
    setImmediate(() => setImmediate(() => this.#runGroup()));
  }

  #runGroup(): void {
    this.#scheduled = false;
    if (this.#isHeld) return; // scheduled again at its end
    const group = this.#waiting;
    this.#waiting = [];
    let run: GroupRun;
    let isCommitting = false;
    try {
      const { refusesBy } = this.#storage;
      // oxlint-disable-next-line typescript/only-throw-error -- what the storage threw, thrown again as it was
      if (refusesBy !== undefined) throw refusesBy;
      const refusal = this.#replication?.refusal;
      if (refusal !== undefined) throw refusal;
      run = this.#runUnits(group, 'bare');
      isCommitting = true;
      const beforeCommit = this.#stopwatch();
      this.#commit.run();
      this.#onGroup?.({
        size: run.settlers.length,
        commitMs: this.#stopwatch() - beforeCommit,
      });
    } catch (error) {
      this.#fail(group, error, isCommitting);
      this.#drained();
      return;
    }
    const { settlers, afterCommit, isRefused } = run;
    if (settlers.length < group.length) {
      this.#waiting = group.slice(settlers.length).concat(this.#waiting);
      this.#schedule();
    }
    // The effects of the commit follow at once: this process reads what it has committed.
    const confirmation = isRefused ? undefined : this.#replication?.committed();
    if (confirmation === undefined) for (const settle of settlers) settle();
    else void this.#answerWhen(confirmation, settlers);
    for (const work of afterCommit) work();
    this.#storage.onCommitted();
    this.#drained();
  }

  async #answerWhen(
    confirmation: Promise<DomainError | undefined>,
    settled: GroupRun['settlers'],
  ): Promise<void> {
    this.#unconfirmedGroups += 1;
    const instead = await confirmation;
    this.#unconfirmedGroups -= 1;
    for (const settle of settled) settle(instead);
    this.#drained();
  }

  /** Opens a transaction and runs units in it until the group's time is over. */
  #runUnits(group: readonly Waiting[], mode: 'bare' | 'in savepoints'): GroupRun {
    const run: GroupRun = { settlers: [], afterCommit: [], changes: [], isRefused: true };
    const started = this.#stopwatch();
    this.#begin.run();
    this.#feed.checkNow(); // from now on no other process writes
    const unit: Unit = {
      now: this.#clock.now(),
      afterCommit: (work) => run.afterCommit.push(work),
      record: (change) => {
        // An earlier unit of the group may have ended the right of this caller.
        if (typeof change.by !== 'string') change.by.requireAdministrator?.();
        run.changes.push(change);
      },
      part: (work, keep = true) => this.#runPart(work, keep, run, mode === 'in savepoints' || !keep),
    };
    for (const { work, resolve, reject } of group) {
      try {
        const result = unit.part(() => work(unit)) as never;
        run.isRefused = false;
        run.settlers.push((instead) => (instead === undefined ? resolve(result) : reject(instead)));
      } catch (error) {
        if (error instanceof MustUndo) {
          this.#rollback.run();
          return this.#runUnits(group, 'in savepoints');
        }
        if (!this.#db.inTransaction || isStorageFailure(error)) throw error;
        run.settlers.push(() => reject(error));
      }
      if (this.#stopwatch() - started > GROUP_LONGEST_MS) break;
    }
    if (run.changes.length > 0) this.#keepChanges?.(run.changes, unit);
    return run;
  }

  /**
   * Runs a unit or a part without a savepoint when possible. Most errors occur before any write, and a
   * savepoint costs as much as three inserts: it copies each changed page. Without one, an error after a
   * write is thrown as `MustUndo`.
   */
  #runPart<T>(work: () => T, keep: boolean, { afterCommit, changes }: GroupRun, isSaved: boolean): T {
    const [hookCount, recorded, written] = [afterCommit.length, changes.length, this.#changes.get()];
    if (isSaved) this.#savepoint.run();
    let isKept = false;
    try {
      const result = work();
      isKept = keep;
      return result;
    } catch (error) {
      if (isSaved || !this.#db.inTransaction || isStorageFailure(error) || this.#changes.get() === written)
        throw error;
      throw new MustUndo('', { cause: error });
    } finally {
      if (!isKept) [afterCommit.length, changes.length] = [hookCount, recorded];
      // Lack of space and some I/O errors end the whole transaction: then the savepoint no longer exists.
      if (isSaved && this.#db.inTransaction) {
        if (!isKept) this.#undo.run();
        this.#release.run();
      }
    }
  }

  /** Rejects a group that the storage refused. */
  #fail(group: readonly Waiting[], error: unknown, isCommitting: boolean): void {
    if (this.#db.inTransaction) this.#rollback.run();
    this.#storage.judge(error);
    const refusal = isStorageFailure(error) ? refused(error, isCommitting) : error;
    for (const { reject } of group) reject(refusal);
  }

  get #isBusy(): boolean {
    return this.#waiting.length > 0 || this.#unconfirmedGroups > 0;
  }

  #drained(): void {
    if (this.#isBusy) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
