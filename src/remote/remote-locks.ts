/**
 * Locks that show which process compares a company with a remote, and which process sends requests to a
 * remote. Each process holds a locked file while it works. The operating system releases the lock when the
 * process ends in any way, so unlocked work was interrupted and may be resumed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, lockFile } from '../db/lock.ts';

const FOLDER = 'remotos';

export class RemoteLocks {
  readonly #folder: string;

  /** `path`: path of the data folder. */
  constructor(path: string) {
    this.#folder = join(path, FOLDER);
  }

  /** Takes the lock of a comparison. `undefined`: this process or another one holds it. */
  takeComparison(pair: { readonly remoteId: number; readonly cpfCnpjRaiz: string }): FolderLock | undefined {
    return this.#lock(`comparacao-${pair.remoteId}-${pair.cpfCnpjRaiz}`);
  }

  /** Takes the turn for any request to a remote. `undefined`: another process has it. */
  takeTurn(remoteId: number): FolderLock | undefined {
    return this.#lock(`vez-${remoteId}`);
  }

  #lock(name: string): FolderLock | undefined {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return lockFile(join(this.#folder, `${name}.lock`));
  }
}
