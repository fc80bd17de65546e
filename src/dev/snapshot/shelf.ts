/**
 * Where snapshots lie: `snapshots/` in the data folder, one folder `name@turn` for each, with the database, the uploads
 * that imports still need and what is to be told of it. One is made aside and moved to its place whole; the highest turn
 * of a name counts, so that a kill at any moment leaves the snapshot as it was, or as it is to be.
 */
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../system/errors.ts';
import { namesIn } from '../../system/gone.ts';
import { syncFolder } from '../../system/sync-folder.ts';
import type { Snapshot } from './model.ts';

/** Beside the database, in the data folder. */
const SNAPSHOT_FOLDER = 'snapshots';

const DATABASE = 'catp.sqlite';
const UPLOADS = 'imports';
const ABOUT = 'snapshot.json';
/** Of what is being made, or taken away: a name that no snapshot has. */
const ASIDE = '.';
/** The name, as `NAME_PATTERN` has it, and the turn. */
const PLACE = /^([a-z0-9-]{1,40})@(\d{1,15})$/;

interface ShelfFolder {
  readonly name: string;
  readonly turn: number;
  readonly path: string;
}

export interface Stored extends Snapshot {
  readonly database: string;
  readonly uploads: string;
}

export class Shelf {
  readonly #path: string;

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, SNAPSHOT_FOLDER);
  }

  /** Every snapshot, by name. */
  list(): Stored[] {
    const newest = new Map<string, ShelfFolder>();
    for (const place of this.#places()) newest.set(place.name, place); // in the order of their turns
    return [...newest.values()].map(stored).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): Stored | undefined {
    const place = this.#places(name).at(-1);
    return place && stored(place);
  }

  /** Keeps what `fill` puts at the two paths it is given, in place of what has that name. */
  put(
    { name, at, testClock }: Omit<Snapshot, 'bytes'>,
    fill: (database: string, uploads: string) => void,
  ): Stored {
    this.sweep();
    const aside = this.#aside();
    try {
      mkdirSync(join(aside, UPLOADS), { recursive: true, mode: 0o700 });
      fill(join(aside, DATABASE), join(aside, UPLOADS));
      writeFileSync(join(aside, ABOUT), JSON.stringify({ at, testClock }), { mode: 0o600 });
      for (const file of [DATABASE, ABOUT]) syncFile(join(aside, file));
      for (const folder of [join(aside, UPLOADS), aside]) syncFolder(folder);
      const before = this.#places(name);
      const turn = (before.at(-1)?.turn ?? 0) + 1;
      const path = join(this.#path, `${name}@${turn}`);
      renameSync(aside, path);
      syncFolder(this.#path);
      for (const place of before) this.#takeAway(place);
      return stored({ name, turn, path });
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      throw error;
    }
  }

  /** Whether there was one. */
  remove(name: string): boolean {
    // The oldest first: what a kill left of an earlier turn must not come back.
    const places = this.#places(name);
    for (const place of places) this.#takeAway(place);
    if (places.length > 0) syncFolder(this.#path);
    return places.length > 0;
  }

  /** Removes what a kill left half-way, and turns that a later one has replaced. */
  sweep(): void {
    for (const name of namesIn(this.#path))
      if (name.startsWith(ASIDE)) rmSync(join(this.#path, name), { recursive: true, force: true });
    const newest = new Set(this.list().map(({ database }) => database));
    for (const place of this.#places()) if (!newest.has(join(place.path, DATABASE))) this.#takeAway(place);
  }

  /** Out of the way at once, however long the removal takes. */
  #takeAway({ path }: ShelfFolder): void {
    const aside = this.#aside();
    renameSync(path, aside);
    rmSync(aside, { recursive: true, force: true });
  }

  readonly #aside = (): string => join(this.#path, `${ASIDE}${crypto.randomUUID()}`);

  /** In the order of their turns. */
  #places(name?: string): ShelfFolder[] {
    return namesIn(this.#path)
      .flatMap((file) => {
        const [, owner = '', turn = ''] = PLACE.exec(file) ?? [];
        if (owner === '' || (name !== undefined && owner !== name)) return [];
        return [{ name: owner, turn: Number(turn), path: join(this.#path, file) }];
      })
      .sort((a, b) => a.turn - b.turn);
  }
}

function stored({ name, path }: ShelfFolder): Stored {
  const { at, testClock } = JSON.parse(readFileSync(join(path, ABOUT), 'utf8')) as Pick<
    Snapshot,
    'at' | 'testClock'
  >;
  const [database, uploads] = [join(path, DATABASE), join(path, UPLOADS)];
  const files = [database, ...namesIn(uploads).map((file) => join(uploads, file))];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name, at, bytes, testClock, database, uploads };
}

/** Gives every file of a folder a name in another one too: no byte is copied where the disk knows links. */
export function linkAll(from: string, to: string): void {
  for (const name of namesIn(from)) linkOrCopy(join(from, name), join(to, name));
  syncFolder(to);
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // What has that name in the folder of uploads is the same upload; one that is gone is needed no more.
    if (['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) return;
    copyFileSync(from, to);
    syncFile(to);
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
