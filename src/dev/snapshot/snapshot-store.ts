/**
 * Stores snapshots in `snapshots/` of the data folder. Each has a folder `name@turn` with the database, the
 * uploads that imports still need, and its description. A new one is written to a temporary folder, then
 * renamed. The highest turn of a name is the valid one, so a kill at any moment leaves either the old
 * snapshot or the new one.
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

/** The folder name, next to the database in the data folder. */
const SNAPSHOT_FOLDER = 'snapshots';

const DATABASE = 'catp.sqlite';
const UPLOADS = 'imports';
const ABOUT = 'snapshot.json';
/** The prefix of a folder that is being written or removed. No snapshot name starts with it. */
const HIDDEN = '.';
/** The name, as in `NAME_PATTERN`, and the turn. */
const FOLDER_NAME = /^([a-z0-9-]{1,40})@(\d{1,15})$/;

interface SnapshotFolder {
  readonly name: string;
  readonly turn: number;
  readonly path: string;
}

export interface StoredSnapshot extends Snapshot {
  readonly database: string;
  readonly uploads: string;
}

export class SnapshotStore {
  readonly #path: string;

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, SNAPSHOT_FOLDER);
  }

  /** Lists every snapshot by name. */
  list(): StoredSnapshot[] {
    const newest = new Map<string, SnapshotFolder>();
    for (const place of this.#folders()) newest.set(place.name, place); // sorted by turn: the last one wins
    return [...newest.values()].map(readSnapshot).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): StoredSnapshot | undefined {
    const place = this.#folders(name).at(-1);
    return place && readSnapshot(place);
  }

  /** Stores what `fill` writes to the two paths, and replaces the snapshot of the same name. */
  put(
    { name, at, testClock }: Omit<Snapshot, 'bytes'>,
    fill: (database: string, uploads: string) => void,
  ): StoredSnapshot {
    this.sweep();
    const aside = this.#hiddenPath();
    try {
      mkdirSync(join(aside, UPLOADS), { recursive: true, mode: 0o700 });
      fill(join(aside, DATABASE), join(aside, UPLOADS));
      writeFileSync(join(aside, ABOUT), JSON.stringify({ at, testClock }), { mode: 0o600 });
      for (const file of [DATABASE, ABOUT]) syncFile(join(aside, file));
      for (const folder of [join(aside, UPLOADS), aside]) syncFolder(folder);
      const before = this.#folders(name);
      const turn = (before.at(-1)?.turn ?? 0) + 1;
      const path = join(this.#path, `${name}@${turn}`);
      renameSync(aside, path);
      syncFolder(this.#path);
      for (const place of before) this.#delete(place);
      return readSnapshot({ name, turn, path });
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes a snapshot. Returns false if none has this name. */
  remove(name: string): boolean {
    // The oldest turn is removed first: if the process is killed, an earlier turn must not become valid
    // again.
    const places = this.#folders(name);
    for (const place of places) this.#delete(place);
    if (places.length > 0) syncFolder(this.#path);
    return places.length > 0;
  }

  /** Removes incomplete folders that a kill left, and turns that a later one replaced. */
  sweep(): void {
    for (const name of namesIn(this.#path))
      if (name.startsWith(HIDDEN)) rmSync(join(this.#path, name), { recursive: true, force: true });
    const newest = new Set(this.list().map(({ database }) => database));
    for (const place of this.#folders()) if (!newest.has(join(place.path, DATABASE))) this.#delete(place);
  }

  /** Renames the folder first: it disappears at once, even if the removal takes long. */
  #delete({ path }: SnapshotFolder): void {
    const aside = this.#hiddenPath();
    renameSync(path, aside);
    rmSync(aside, { recursive: true, force: true });
  }

  readonly #hiddenPath = (): string => join(this.#path, `${HIDDEN}${crypto.randomUUID()}`);

  /** Lists the snapshot folders in the order of their turns. */
  #folders(name?: string): SnapshotFolder[] {
    return namesIn(this.#path)
      .flatMap((file) => {
        const [, owner = '', turn = ''] = FOLDER_NAME.exec(file) ?? [];
        if (owner === '' || (name !== undefined && owner !== name)) return [];
        return [{ name: owner, turn: Number(turn), path: join(this.#path, file) }];
      })
      .sort((a, b) => a.turn - b.turn);
  }
}

function readSnapshot({ name, path }: SnapshotFolder): StoredSnapshot {
  const { at, testClock } = JSON.parse(readFileSync(join(path, ABOUT), 'utf8')) as Pick<
    Snapshot,
    'at' | 'testClock'
  >;
  const [database, uploads] = [join(path, DATABASE), join(path, UPLOADS)];
  const files = [database, ...namesIn(uploads).map((file) => join(uploads, file))];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name, at, bytes, testClock, database, uploads };
}

/**
 * Links every file of one folder into another. Copies a file only where the file system has no hard links.
 */
export function linkAll(from: string, to: string): void {
  for (const name of namesIn(from)) linkOrCopy(join(from, name), join(to, name));
  syncFolder(to);
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A file of the same name in the folder of uploads is the same upload. A deleted one is no longer needed.
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
