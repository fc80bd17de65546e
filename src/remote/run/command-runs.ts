/**
 * Runs for a command on the data folder, with or without a server: shows, starts, resumes and processes
 * them in this process. A lock on the remote and the company keeps all other processes from them.
 */
import type { FolderLock } from '../../db/lock.ts';
import type { Writer } from '../../db/writer.ts';
import { OperatorError } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import type { Comparisons } from '../comparisons.ts';
import type { RemoteLocks, Work } from '../remote-locks.ts';
import type { Run, RunRequest } from './model.ts';
import type { RunRunner } from './runner.ts';
import type { Runs } from './service.ts';
import type { RunStore } from './store.ts';

export interface RunsByHandParts {
  readonly runs: Runs;
  readonly store: RunStore;
  readonly comparisons: Comparisons;
  readonly runner: RunRunner;
  readonly remoteLocks: RemoteLocks;
  readonly writer: Writer;
}

/** A run that only this process may work on. */
export interface LockedRun extends Disposable {
  readonly id: number;
}

export class CommandRuns {
  readonly #parts: RunsByHandParts;

  constructor(parts: RunsByHandParts) {
    this.#parts = parts;
  }

  /** Plans a run of the newest comparison that only shows its steps. Throws 404, 422. */
  async planOnly(name: string, cpfCnpjRaiz: string, request: RunRequest): Promise<Run> {
    using _ = this.#take('plano', name, cpfCnpjRaiz);
    const id = await this.#insert(name, cpfCnpjRaiz, { ...request, simulate: true });
    await this.#parts.runner.plan(id);
    return this.get(id);
  }

  /** Returns the unfinished run. `undefined`: none. Throws 404, 422. */
  findOpen(name: string, cpfCnpjRaiz: string): Run | undefined {
    const { store, comparisons } = this.#parts;
    const id = store.findOpen(comparisons.remoteOfCompany(name, cpfCnpjRaiz).id, cpfCnpjRaiz);
    return id === undefined ? undefined : this.get(id);
  }

  /** Takes the lock of a run to resume it. Throws when another process holds it. */
  lock({ id, remote, cpfCnpjRaiz }: Run): LockedRun {
    return lockedRun(id, this.#take('envio', remote, cpfCnpjRaiz));
  }

  /** Starts a run of the newest comparison that no other process takes. Throws 404, 422. */
  async start(name: string, cpfCnpjRaiz: string, request: RunRequest): Promise<LockedRun> {
    const lock = this.#take('envio', name, cpfCnpjRaiz);
    try {
      const id = await this.#insert(name, cpfCnpjRaiz, request);
      await this.#parts.runner.plan(id);
      return lockedRun(id, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Processes a run until it ends or is stopped. Throws `unavailable`. */
  async workOff({ id }: LockedRun): Promise<Run> {
    const { store, runner, writer } = this.#parts;
    if (this.get(id).state === 'paused') await writer.write(() => store.setState(id, 'running', null));
    await runner.workOff(id);
    return this.get(id);
  }

  /** Stops a run after its current step. It starts no further step until someone resumes it. */
  async stop({ id }: LockedRun, reason: string): Promise<void> {
    const { store, runner, writer } = this.#parts;
    await writer.write(() => store.setState(id, 'paused', reason));
    runner.pause(id);
  }

  /** Stops the run in this process when another process has stopped it. */
  pauseIfStopped({ id }: LockedRun): void {
    const { state } = this.get(id);
    if (state === 'paused' || state === 'cancelled') this.#parts.runner.pause(id);
  }

  get(id: number): Run {
    const run = this.#parts.store.find(id);
    if (run === undefined) throw new Error(`Run ${id} is gone.`);
    return run;
  }

  #insert(name: string, cpfCnpjRaiz: string, request: RunRequest): Promise<number> {
    const { runs, comparisons } = this.#parts;
    return runs.insert(request, undefined, () => comparisons.newest(name, cpfCnpjRaiz));
  }

  #take(work: Work, name: string, cpfCnpjRaiz: string): FolderLock {
    const { comparisons, remoteLocks } = this.#parts;
    const { id: remoteId } = comparisons.remoteOfCompany(name, cpfCnpjRaiz);
    const lock = remoteLocks.take(work, { remoteId, cpfCnpjRaiz });
    if (lock !== undefined) return lock;
    const open = this.findOpen(name, cpfCnpjRaiz);
    throw new OperatorError(
      `O servidor, ou outro comando, trabalha ${open === undefined ? '' : `no envio ${open.id}, `}entre a empresa ${cpfCnpjRaiz} e o remoto ${shown(name)}. Espere que termine: catp remote runs --empresa ${cpfCnpjRaiz} mostra em que pé está.`,
    );
  }
}

const lockedRun = (id: number, lock: FolderLock): LockedRun => ({
  id,
  [Symbol.dispose]: () => lock.release(),
});
