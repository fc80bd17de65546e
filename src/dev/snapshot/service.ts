/** Keeps the whole state of a development instance under a name, and restores it (contract section 15). */
import { type Clock, type EpochMs, TestClock } from '../../clock.ts';
import type { Feed } from '../../db/feed.ts';
import type { DataFolder } from '../../db/folder.ts';
import { keepWriter } from '../../db/folder-writer.ts';
import type { Db } from '../../db/open.ts';
import { refused } from '../../db/refusals.ts';
import { isStorageFailure } from '../../db/trouble.ts';
import type { Writer } from '../../db/writer.ts';
import { DomainError, OperatorError, notFound } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { copyIn, copyOut } from './copy-store.ts';
import type { Snapshot } from './model.ts';
import { SnapshotStore, type StoredSnapshot, linkAll } from './snapshot-store.ts';

/** The number of names that the message about an unknown snapshot lists. The others are counted. */
const NAMES_MAX = 10;

export interface SnapshotsOptions {
  readonly db: Db;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly writer: Writer;
  /** Runs `work` while background work is paused. Only one pause runs at a time. */
  readonly pause: (work: () => Promise<void>) => Promise<void>;
  /** Empties the instance and fills it again, while background work is paused. */
  readonly refill: () => Promise<void>;
  /** Called after a restore set the test clock. Work that fell due between the two instants is skipped. */
  readonly onClockSet: (from: EpochMs, to: EpochMs) => void;
}

/** Resets, keeps and restores the state of an instance. Concurrent calls run one after the other. */
export class Snapshots {
  readonly #db: Db;
  readonly #folder: DataFolder;
  readonly #clock: Clock;
  readonly #feed: Feed;
  readonly #writer: Writer;
  readonly #pause: (work: () => Promise<void>) => Promise<void>;
  readonly #refill: () => Promise<void>;
  readonly #onClockSet: (from: EpochMs, to: EpochMs) => void;
  readonly #store: SnapshotStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ db, folder, clock, feed, writer, pause, refill, onClockSet }: SnapshotsOptions) {
    this.#db = db;
    this.#folder = folder;
    this.#clock = clock;
    this.#feed = feed;
    this.#writer = writer;
    this.#pause = pause;
    this.#refill = refill;
    this.#onClockSet = onClockSet;
    this.#store = new SnapshotStore(folder.path);
  }

  /** Lists the snapshots by name. */
  list(): Snapshot[] {
    return this.#store.list();
  }

  /** Resets the instance to the state of the first start. */
  reset(): Promise<void> {
    return this.#inTurn(() => this.#pause(() => refusingStorageErrors(this.#refill)));
  }

  /** Keeps the state of one moment. It includes everything answered before, and no queued write. */
  keep(name: string): Promise<Snapshot> {
    return this.#inTurn(() =>
      this.#writer.alone(() => {
        const at = this.#clock.now();
        const testClock = this.#clock.test ? at : null;
        return refusingStorageErrors(() =>
          this.#store.put({ name, at, testClock }, (database, uploads) => {
            // The lock prevents the end of an import, so the file of each running import still exists.
            linkAll(this.#folder.imports, uploads);
            copyOut(this.#folder.database, database);
          }),
        );
      }),
    );
  }

  /** Restores the whole state and the test clock. Throws 404 for an unknown name. */
  restore(name: string): Promise<void> {
    return this.#inTurn(() => {
      this.#get(name); // throws before the pause if the name is unknown
      return this.#pause(() => this.#restore(name, 'with its clock'));
    });
  }

  /** Restores the state before background work starts. */
  startFrom(name: string, clockMode: 'with its clock' | 'without its clock'): Promise<void> {
    return this.#inTurn(() => this.#restore(name, clockMode));
  }

  /** Removes a snapshot. Throws 404 for an unknown name. */
  remove(name: string): Promise<void> {
    return this.#inTurn(() => {
      if (!this.#store.remove(name)) throw this.#unknown(name);
    });
  }

  async #restore(name: string, clockMode: 'with its clock' | 'without its clock'): Promise<void> {
    await this.#writer.alone(async () => {
      const { database, uploads, testClock } = this.#get(name);
      // Links the uploads before their imports exist again. Without the uploads, the next start would remove
      // the imports.
      linkAll(uploads, this.#folder.imports);
      await refusingStorageErrors(() => copyIn(database, this.#folder.database, this.#clock));
      if (clockMode === 'with its clock' && testClock !== null) this.#putClock(testClock);
      // The snapshot may come from another folder, or from a version that recorded no writer.
      keepWriter(this.#db, this.#folder.path);
      this.#feed.replaced();
    });
    // The copying connection does not sync to disk. This write does, and it syncs the whole WAL.
    await this.#writer.touch();
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #putClock(instant: EpochMs): void {
    if (!(this.#clock instanceof TestClock)) return;
    const from = this.#clock.now();
    this.#clock.moveTo(instant);
    this.#onClockSet(from, instant);
  }

  #get(name: string): StoredSnapshot {
    const snapshot = this.#store.find(name);
    if (snapshot === undefined) throw this.#unknown(name);
    return snapshot;
  }

  #unknown(name: string): DomainError {
    return notFound(unknownSnapshot(name, this.#store.list()));
  }
}

/** Returns the test clock of a snapshot, for a start from it. Throws `OperatorError` for an unknown name. */
export function clockOfSnapshot(dataFolder: string, name: string): EpochMs | null {
  const shelf = new SnapshotStore(dataFolder);
  const snapshot = shelf.find(name);
  if (snapshot === undefined) throw new OperatorError(unknownSnapshot(name, shelf.list()));
  return snapshot.testClock;
}

function unknownSnapshot(name: string, known: readonly Snapshot[]): string {
  const names = known.slice(0, NAMES_MAX).map((snapshot) => formatValue(snapshot.name));
  const more = known.length > NAMES_MAX ? ` … e mais ${known.length - NAMES_MAX}` : '';
  const hint =
    names.length === 0
      ? 'Nenhum foi guardado ainda; guarde um com POST /appliance/api/snapshots/{nome}.'
      : `Guardados: ${names.join(', ')}${more}.`;
  return `Não existe o snapshot ${formatValue(name)}. ${hint}`;
}

/** Runs `work` and reports a storage error as a refused write. */
async function refusingStorageErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isStorageFailure(error)) throw refused(error, false);
    if (error instanceof OperatorError) throw new DomainError('unprocessable', error.message);
    throw error;
  }
}
