/**
 * Which process works on what of a remote and a company, and which one asks a remote: each holds a file locked while it does. The system lets go of it however
 * the process ends, so that what nobody holds was cut off, and may be taken up.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, lockFile } from '../db/lock.ts';

/** Plans are those of commands that only show them. */
export type Work = 'comparacao' | 'plano' | 'envio';

const FOLDER = 'remotos';

export class RemoteLocks {
  readonly #folder: string;

  /** `path`: of the data folder. */
  constructor(path: string) {
    this.#folder = join(path, FOLDER);
  }

  /** `undefined`: a process is at it, another one or this. */
  take(
    work: Work,
    { remoteId, cpfCnpjRaiz }: { readonly remoteId: number; readonly cpfCnpjRaiz: string },
  ): FolderLock | undefined {
    return this.#lock(`${work}-${remoteId}-${cpfCnpjRaiz}`);
  }

  /** The turn to ask a remote, whatever for; `undefined`: another one is asking. */
  takeTurn(remoteId: number): FolderLock | undefined {
    return this.#lock(`vez-${remoteId}`);
  }

  #lock(name: string): FolderLock | undefined {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return lockFile(join(this.#folder, `${name}.lock`));
  }
}
