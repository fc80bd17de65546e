/** Where uploaded files lie until their jobs end: `imports/` in the data folder. */
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

  /** A new empty file. Its name is ours: what a sender calls a file never becomes a path. */
  async create(): Promise<StoredFile> {
    const name = crypto.randomUUID();
    const { open } = await import('node:fs/promises');
    return { name, handle: await open(this.pathOf(name), 'wx', 0o600) };
  }

  /** Returns when the files that were created keep their names through a power cut. */
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

  /** Removes what no job needs any more: uploads that a stop cut off, files of jobs that ended in that moment. */
  async sweep(needed: ReadonlySet<string>): Promise<void> {
    for (const name of readdirSync(this.#path)) if (!needed.has(name)) await this.remove(name);
  }
}
