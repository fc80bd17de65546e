/**
 * Group commit. Whoever changes data hands the writer a function; a turn of the event loop later the writer opens one
 * transaction, runs every waiting function in it, commits with one fsync, and only then resolves them all. A function that
 * throws undoes what it wrote itself and nothing else: should it have written anything, the group is run once more with a
 * savepoint for each.
 */
import type { Clock, EpochMs } from '../clock.ts';
import type { DomainError } from '../errors.ts';
import type { Change } from '../change.ts';
import type { Feed } from './feed.ts';
import { type Db, tryWrite } from './open.ts';
import { closing, halted, refused } from './refusals.ts';
import type { Replication } from './replication.ts';
import { Storage, type StorageParts } from './storage.ts';
import { type StorageTrouble, isLastingFailure, isStorageFailure } from './trouble.ts';

/** What a unit of work may use of the transaction that it runs in. */
export interface Transaction {
  /** The one instant of everything that this transaction writes. */
  readonly now: EpochMs;
  /** Called after the commit is on stable storage; must not throw. */
  afterCommit(work: () => void): void;
  /** Notes a change for the audit, in this transaction. */
  record(change: Change): void;
}

/** The transaction of a unit of work. */
export interface Unit extends Transaction {
  /** Runs a part of the unit. Of one that throws, or is not to be kept, nothing stays; what it throws is thrown. */
  part<T>(work: () => T, keep?: boolean): T;
}

export interface GroupMeasure {
  readonly size: number;
  readonly commitMs: number;
}

export interface WriterParts extends Pick<StorageParts, 'log' | 'onTrouble'> {
  readonly db: Db;
  /** Of the same connection: what others committed is known before a unit is run. */
  readonly feed: Feed;
  readonly clock: Clock;
  /** A monotonic reading in ms, for measures and for the length of a group. */
  readonly stopwatch: () => number;
  readonly onGroup?: (measure: GroupMeasure) => void;
  /** Keeps what the units of a group changed, as the last thing of its transaction. */
  readonly keepChanges?: (changes: readonly Change[], tx: Transaction) => void;
  readonly replication?: Replication | undefined;
}

interface Waiting {
  readonly work: (unit: Unit) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupRun {
  /** How to tell those whose unit was run, in order; `instead`: what those are told that wrote. */
  readonly settled: ((instead?: DomainError) => void)[];
  readonly afterCommit: (() => void)[];
  readonly changes: Change[];
  /** Each of them threw: nothing of the group stays. */
  isRefused: boolean;
}

/** A group stops taking further work after this long, so that the event loop gets its turn. */
const GROUP_LONGEST_MS = 10;

/** A unit threw, or a part of one, that had written without a savepoint: all that is open has to be undone. */
class MustUndo extends Error {}

export class Writer {
  readonly #parts: WriterParts;
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
  /** Groups that another place has not confirmed yet. */
  #confirming = 0;
  /** Resolves when nobody has the database for himself any more. */
  #alone: Promise<void> = Promise.resolve();
  #isHeld = false;
  readonly #idle: (() => void)[] = [];

  constructor(parts: WriterParts) {
    this.#parts = parts;
    const { db } = parts;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT work');
    this.#release = db.prepare('RELEASE work');
    this.#undo = db.prepare('ROLLBACK TO work');
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.#storage = new Storage({
      ...parts,
      // A refusal has been judged by then.
      tryWrite: () => void this.touch().catch(() => undefined),
    });
  }

  /** Why writes are refused. */
  get trouble(): StorageTrouble | undefined {
    return this.#storage.trouble;
  }

  /**
   * Runs `work` in the next group. Resolves with its result once that is on stable storage; rejects with what it threw,
   * or with `unavailable` when the storage did not take the group. `work` may be run twice, after the first time was undone:
   * it changes nothing but the database, and asks for everything else with `afterCommit`.
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

  /** What somebody was told who only reads: nothing more is written to a file that is damaged, or a disk that fails. */
  readFailed(error: unknown): void {
    if (isLastingFailure(error)) this.#storage.judge(error);
  }

  /** Writes something small: resolves when it, and so all that the log had before it, is on stable storage. */
  touch(): Promise<void> {
    return this.write(() => tryWrite(this.#parts.db));
  }

  /**
   * Runs `work`, which reads or replaces the whole database on a connection of its own, between two groups: what is to be
   * written meanwhile waits. One after the other.
   */
  alone<T>(work: () => T | Promise<T>): Promise<T> {
    const run = this.#alone.then(async () => {
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
    this.#alone = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }

  /** Resolves when nothing waits any more; later writes are refused. */
  async close(): Promise<void> {
    await this.#alone;
    if (this.#isBusy) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#closed = true;
    this.#storage.close();
  }

  #schedule(): void {
    if (this.#scheduled || this.#isHeld) return;
    this.#scheduled = true;
    // One turn more: what the next one brings shares the commit. It comes at once where nothing else is to be done.
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
      const refusal = this.#parts.replication?.refusal;
      if (refusal !== undefined) throw refusal;
      run = this.#runUnits(group, 'bare');
      isCommitting = true;
      const beforeCommit = this.#parts.stopwatch();
      this.#commit.run();
      this.#parts.onGroup?.({
        size: run.settled.length,
        commitMs: this.#parts.stopwatch() - beforeCommit,
      });
    } catch (error) {
      this.#fail(group, error, isCommitting);
      this.#drained();
      return;
    }
    const { settled, afterCommit, isRefused } = run;
    if (settled.length < group.length) {
      this.#waiting = group.slice(settled.length).concat(this.#waiting);
      this.#schedule();
    }
    // What follows from the commit follows at once: this process reads what it has committed.
    const confirming = isRefused ? undefined : this.#parts.replication?.committed();
    if (confirming === undefined) for (const settle of settled) settle();
    else void this.#answerWhen(confirming, settled);
    for (const work of afterCommit) work();
    this.#storage.taken();
    this.#drained();
  }

  async #answerWhen(told: Promise<DomainError | undefined>, settled: GroupRun['settled']): Promise<void> {
    this.#confirming += 1;
    const instead = await told;
    this.#confirming -= 1;
    for (const settle of settled) settle(instead);
    this.#drained();
  }

  /** Opens a transaction and runs the units in it, until the group's time is over. */
  #runUnits(group: readonly Waiting[], how: 'bare' | 'in savepoints'): GroupRun {
    const run: GroupRun = { settled: [], afterCommit: [], changes: [], isRefused: true };
    const started = this.#parts.stopwatch();
    this.#begin.run();
    this.#parts.feed.lookNow(); // from here on nobody else writes
    const unit: Unit = {
      now: this.#parts.clock.now(),
      afterCommit: (work) => run.afterCommit.push(work),
      record: (change) => run.changes.push(change),
      part: (work, keep = true) => this.#runPart(work, keep, run, how === 'in savepoints' || !keep),
    };
    for (const { work, resolve, reject } of group) {
      try {
        const result = unit.part(() => work(unit)) as never;
        run.isRefused = false;
        run.settled.push((instead) => (instead === undefined ? resolve(result) : reject(instead)));
      } catch (error) {
        if (error instanceof MustUndo) {
          this.#rollback.run();
          return this.#runUnits(group, 'in savepoints');
        }
        if (!this.#parts.db.inTransaction || isStorageFailure(error)) throw error;
        run.settled.push(() => reject(error));
      }
      if (this.#parts.stopwatch() - started > GROUP_LONGEST_MS) break;
    }
    if (run.changes.length > 0) this.#parts.keepChanges?.(run.changes, unit);
    return run;
  }

  /**
   * Most of what throws refuses before it writes anything, and a savepoint costs as much as three inserts: it keeps a copy of
   * every page that is touched. Without one, what wrote before it threw is thrown as `MustUndo`.
   */
  #runPart<T>(work: () => T, keep: boolean, { afterCommit, changes }: GroupRun, isSaved: boolean): T {
    const { db } = this.#parts;
    const [hooks, noted, written] = [afterCommit.length, changes.length, this.#changes.get()];
    if (isSaved) this.#savepoint.run();
    let stays = false;
    try {
      const result = work();
      stays = keep;
      return result;
    } catch (error) {
      if (isSaved || !db.inTransaction || isStorageFailure(error) || this.#changes.get() === written)
        throw error;
      throw new MustUndo('', { cause: error });
    } finally {
      if (!stays) [afterCommit.length, changes.length] = [hooks, noted];
      // Out of space, and some I/O errors, end the whole transaction: then there is no savepoint to go back to.
      if (isSaved && db.inTransaction) {
        if (!stays) this.#undo.run();
        this.#release.run();
      }
    }
  }

  /** The storage refused the group. */
  #fail(group: readonly Waiting[], error: unknown, isCommitting: boolean): void {
    if (this.#parts.db.inTransaction) this.#rollback.run();
    this.#storage.judge(error);
    const refusal = isStorageFailure(error) ? refused(error, isCommitting) : error;
    for (const { reject } of group) reject(refusal);
  }

  get #isBusy(): boolean {
    return this.#waiting.length > 0 || this.#confirming > 0;
  }

  #drained(): void {
    if (this.#isBusy) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
