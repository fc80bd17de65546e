/** Keeps the whole state of a development instance under a name, and brings it back (contract section 15). */
import { type Clock, type EpochMs, TestClock } from '../../clock.ts';
import type { Feed } from '../../db/feed.ts';
import type { DataFolder } from '../../db/folder.ts';
import { keepWriter } from '../../db/folder-writer.ts';
import type { Db } from '../../db/open.ts';
import { refused } from '../../db/refusals.ts';
import { isStorageFailure } from '../../db/trouble.ts';
import type { Writer } from '../../db/writer.ts';
import { DomainError, OperatorError, notFound } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import { copyIn, copyOut } from './copy-store.ts';
import type { Snapshot } from './model.ts';
import { Shelf, type Stored, linkAll } from './shelf.ts';

/** Of those that were kept, where another is asked for; the others are counted. */
const SHOWN_NAMES = 10;

export interface SnapshotParts {
  readonly db: Db;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly writer: Writer;
  /** Does `work` while nothing goes on by itself. One at a time. */
  readonly pause: (work: () => Promise<void>) => Promise<void>;
  /** Empties the instance and fills it anew; nothing goes on by itself meanwhile. */
  readonly refill: () => Promise<void>;
  /** Told once the test clock was put where it stood: what fell due on the way is not done. */
  readonly clockPut: (from: EpochMs, to: EpochMs) => void;
}

/** The states of an instance: the first one, those that were kept. One comes after the other, whoever asks for them. */
export class Snapshots {
  readonly #parts: SnapshotParts;
  readonly #shelf: Shelf;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#shelf = new Shelf(parts.folder.path);
  }

  /** By name. */
  list(): Snapshot[] {
    return this.#shelf.list();
  }

  /** Back to the first start. */
  reset(): Promise<void> {
    const { pause, refill } = this.#parts;
    return this.#inTurn(() => pause(() => stored(refill)));
  }

  /** Keeps the state as of one moment: what was answered before is in it, what waits to be written is not. */
  keep(name: string): Promise<Snapshot> {
    const { clock, folder, writer } = this.#parts;
    return this.#inTurn(() =>
      writer.alone(() => {
        const at = clock.now();
        const testClock = clock.test ? at : null;
        return stored(() =>
          this.#shelf.put({ name, at, testClock }, (database, uploads) => {
            // While nobody writes no import ends: the file of each that goes on is there.
            linkAll(folder.imports, uploads);
            copyOut(folder.database, database);
          }),
        );
      }),
    );
  }

  /** Brings everything back as it was kept, the test clock too. Throws 404. */
  restore(name: string): Promise<void> {
    return this.#inTurn(() => {
      this.#get(name); // nothing is held up for one that is not there
      return this.#parts.pause(() => this.#bringBack(name, 'with its clock'));
    });
  }

  /** The same before anything goes on by itself. */
  startFrom(name: string, how: 'with its clock' | 'without its clock'): Promise<void> {
    return this.#inTurn(() => this.#bringBack(name, how));
  }

  /** Throws 404. */
  remove(name: string): Promise<void> {
    return this.#inTurn(() => {
      if (!this.#shelf.remove(name)) throw this.#unknown(name);
    });
  }

  async #bringBack(name: string, how: 'with its clock' | 'without its clock'): Promise<void> {
    const { clock, folder, feed, writer } = this.#parts;
    await writer.alone(async () => {
      const { database, uploads, testClock } = this.#get(name);
      // Before the imports that need them are there again; without them the next start takes them away.
      linkAll(uploads, folder.imports);
      await stored(() => copyIn(database, folder.database, clock));
      if (how === 'with its clock' && testClock !== null) this.#putClock(testClock);
      // The state may have been kept by another folder, or by a version that recorded no writer.
      keepWriter(this.#parts.db, folder.path);
      feed.replaced();
    });
    // The connection that copied does not wait for the disk; this write does, and with it all that is in the log.
    await writer.touch();
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #putClock(instant: EpochMs): void {
    const { clock, clockPut } = this.#parts;
    if (!(clock instanceof TestClock)) return;
    const from = clock.now();
    clock.moveTo(instant);
    clockPut(from, instant);
  }

  #get(name: string): Stored {
    const found = this.#shelf.find(name);
    if (found === undefined) throw this.#unknown(name);
    return found;
  }

  #unknown(name: string): DomainError {
    return notFound(unknownSnapshot(name, this.#shelf.list()));
  }
}

/** Where the test clock of a snapshot stood, for a start from it. Throws `OperatorError` where there is none of that name. */
export function clockOfSnapshot(dataFolder: string, name: string): EpochMs | null {
  const shelf = new Shelf(dataFolder);
  const found = shelf.find(name);
  if (found === undefined) throw new OperatorError(unknownSnapshot(name, shelf.list()));
  return found.testClock;
}

function unknownSnapshot(name: string, known: readonly Snapshot[]): string {
  const names = known.slice(0, SHOWN_NAMES).map((one) => shown(one.name));
  const more = known.length > SHOWN_NAMES ? ` … e mais ${known.length - SHOWN_NAMES}` : '';
  const hint =
    names.length === 0
      ? 'Nenhum foi guardado ainda; guarde um com POST /appliance/api/snapshots/{nome}.'
      : `Guardados: ${names.join(', ')}${more}.`;
  return `Não existe o snapshot ${shown(name)}. ${hint}`;
}

/** What the storage refuses is told as a refused write is. */
async function stored<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isStorageFailure(error)) throw refused(error, false);
    if (error instanceof OperatorError) throw new DomainError('unprocessable', error.message);
    throw error;
  }
}
