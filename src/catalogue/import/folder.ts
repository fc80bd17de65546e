/** Stores uploaded files until their jobs end, in `imports/` of the data folder. */
import { readdirSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolderAside } from '../../system/sync-folder.ts';

export interface StoredFile {
  readonly name: string;
  readonly handle: FileHandle;
}

export class ImportFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Creates an empty file. This program chooses its name: the file name of a sender never becomes a path. */
  async create(): Promise<StoredFile> {
    const name = crypto.randomUUID();
    const { open } = await import('node:fs/promises');
    return { name, handle: await open(this.pathOf(name), 'wx', 0o600) };
  }

  /** Resolves once the names of the created files survive a power failure. */
  sync(): Promise<void> {
    return syncFolderAside(this.#path);
  }

  pathOf(name: string): string {
    return join(this.#path, name);
  }

  async remove(name: string): Promise<void> {
    const { rm } = await import('node:fs/promises');
    await rm(this.pathOf(name), { force: true });
  }

  /**
   * Removes files that no job needs: interrupted uploads, and files of jobs that ended at the moment of a
   * stop. `listNeeded` is not called for an empty folder, the usual one at a start.
   */
  async sweep(listNeeded: () => ReadonlySet<string>): Promise<void> {
    const names = readdirSync(this.#path);
    if (names.length === 0) return;
    const needed = listNeeded();
    for (const name of names) if (!needed.has(name)) await this.remove(name);
  }
}
