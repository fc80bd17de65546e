/**
 * Runs import jobs, one at a time, in the order in which they came. Everything that it knows is on disk: the results and
 * counters of a slice are written in the transaction that applies its items, so a job that a stop or a crash cut off goes
 * on exactly behind its last applied item (contract section 7).
 */
import type { Clock, Timer } from '../../clock.ts';
import { SECOND_MS } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { isUnavailable } from '../../errors.ts';
import type { FileItem } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { FileLimits, ItemPlace } from '../../files/file-limits.ts';
import { CATALOGUE_PROFILE, type Caller } from '../../session/model.ts';
import type { ItemApplier } from '../batch.ts';
import { ItemFeed, countItems } from './feed.ts';
import type { ImportFolder } from './folder.ts';
import { type ImportJob, importChange } from './model.ts';
import { type SliceParts, applySlice } from './slice.ts';
import type { ImportStore } from './store.ts';

/** How long after the storage refused a slice (a full disk, say) it is tried again. */
export const RETRY_MS = 30 * SECOND_MS;

export interface ImportRunnerParts extends SliceParts {
  readonly store: ImportStore;
  readonly folder: ImportFolder;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly limits: FileLimits;
  /** Who applies the items of a job. */
  readonly applierOf: (job: Pick<ImportJob, 'tipo' | 'pedido'>) => ItemApplier;
  /** A user with the rights of this moment; `undefined` when the user is gone. */
  readonly callerOf: (documento: string, perfil: string) => Caller | undefined;
  /** Told of a fault of ours or of the machine, with the job that met it. */
  readonly onFault: (error: unknown, job: ImportJob | undefined) => void;
}

export class ImportRunner {
  readonly #parts: ImportRunnerParts;
  #current: number | undefined;
  #isStopping = false;
  #isAtWork = false;
  #work: Promise<void> = Promise.resolve();
  #retry: Timer | undefined;

  constructor(parts: ImportRunnerParts) {
    this.#parts = parts;
  }

  /** Removes what an earlier stop left over, and goes on with what it interrupted. To be called before any upload. */
  async start(): Promise<void> {
    this.#isStopping = false;
    const { store, folder, onFault } = this.#parts;
    const needed = new Set(store.listUnfinished().map(({ storedFile }) => storedFile));
    await folder.sweep(needed).catch((error: unknown) => onFault(error, undefined));
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#isStopping || this.#isAtWork) return;
    this.#isAtWork = true;
    this.#retry?.cancel();
    this.#work = this.#workOff();
  }

  /** Resolves when nothing is under way: the queue is empty, or its first job has to wait for the storage. */
  idle(): Promise<void> {
    return this.#work;
  }

  /** Ends after the slice under way; the job goes on at the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#retry?.cancel();
    await this.#work;
  }

  /** Gives up the file of a job that was cancelled; if it is being read, at the end of its slice. */
  async release(job: ImportJob): Promise<void> {
    if (this.#current !== job.id) await this.#remove(job);
  }

  /** Removes an upload that no job will ever need. */
  async discard(storedFile: string): Promise<void> {
    await this.#parts.folder
      .remove(storedFile)
      .catch((error: unknown) => this.#parts.onFault(error, undefined));
  }

  async #workOff(): Promise<void> {
    try {
      for (let job = this.#next(); job !== undefined; job = this.#next()) await this.#run(job);
    } catch (error) {
      if (!isUnavailable(error)) this.#parts.onFault(error, undefined);
      if (!this.#isStopping)
        this.#retry = this.#parts.clock.at(this.#parts.clock.now() + RETRY_MS, () => this.wake());
    } finally {
      this.#isAtWork = false;
    }
  }

  #next(): ImportJob | undefined {
    return this.#isStopping ? undefined : this.#parts.store.listUnfinished()[0];
  }

  /** Runs a job to its end, or until the stop. Throws `unavailable`: then the job waits as it is. */
  async #run(job: ImportJob): Promise<void> {
    this.#current = job.id;
    try {
      const hasEnded = await this.#importAll(job);
      if (hasEnded) await this.#finish(job, 'done', null);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.#fail(job, error);
    } finally {
      this.#current = undefined;
    }
    if (!this.#isUnfinished(job)) await this.#remove(job);
  }

  /** `false` when it was cancelled or has to stop. */
  async #importAll(job: ImportJob): Promise<boolean> {
    const { store, folder, writer, limits, stopwatch } = this.#parts;
    const file = folder.pathOf(job.storedFile);
    await writer.write(() => store.begin(job.id));
    if (job.total === null) {
      const total = await countItems(file, limits, () => this.#goesOn(job));
      if (total === undefined) return false;
      await writer.write(() => store.setTotal(job.id, total));
    }
    const feed = new ItemFeed({ file, limits, behind: behindOf(job), stopwatch });
    try {
      for (let items = await feed.next(); items.length > 0; items = await feed.next()) {
        if (!this.#goesOn(job)) return false;
        const ahead = items;
        feed.take(await writer.write((tx) => this.#applySlice(tx, job, ahead)));
      }
    } finally {
      await feed.close();
    }
    return this.#goesOn(job);
  }

  /** How many items were applied: none of a job that was cancelled meanwhile. */
  #applySlice(tx: Transaction, job: ImportJob, items: readonly FileItem[]): number {
    const { store, applierOf, callerOf } = this.#parts;
    const stored = store.find(job.id);
    if (stored?.state !== 'running') return 0;
    if (stored.processed !== items[0]?.index)
      throw new Error(
        `Import ${job.id} has applied ${stored.processed} items and is given item ${items[0]?.index}.`,
      );
    const { tipo: kind, modo: mode, simular: dryRun, fileName } = job;
    const caller = callerOf(job.documento, job.perfil) ?? withoutRights(job);
    const order = { applier: applierOf(job), caller, mode, dryRun, kind, fileName };
    const results = applySlice(this.#parts, tx, items, order);
    store.addResults(job.id, results, items);
    return results.length;
  }

  #goesOn(job: ImportJob): boolean {
    return !this.#isStopping && this.#isUnfinished(job);
  }

  #isUnfinished({ id }: ImportJob): boolean {
    const state = this.#parts.store.find(id)?.state;
    return state === 'queued' || state === 'running';
  }

  async #fail(job: ImportJob, error: unknown): Promise<void> {
    const index = this.#parts.store.find(job.id)?.processed ?? 0;
    const kept = index > 0 ? ` ${WHAT_WAS_APPLIED_STAYS}` : '';
    if (error instanceof UnreadableFile) return this.#finish(job, 'failed', error.message + kept);
    if (isGone(error)) return this.#finish(job, 'failed', FILE_GONE + kept);
    await this.#finish(job, 'failed', faultAt(index));
    this.#parts.onFault(error, job);
  }

  /** A file that will not go is no reason to stop: the next start sweeps it away. */
  async #remove(job: ImportJob): Promise<void> {
    await this.#parts.folder
      .remove(job.storedFile)
      .catch((error: unknown) => this.#parts.onFault(error, job));
  }

  async #finish({ id, documento }: ImportJob, state: 'done' | 'failed', error: string | null): Promise<void> {
    await this.#parts.writer.write((tx) => {
      if (!this.#parts.store.finish(id, state, error, tx.now)) return;
      const action = state === 'done' ? 'CONCLUSAO' : 'FALHA';
      tx.record({ ...importChange(id, action, documento), channel: 'import' });
    });
  }
}

/** Where the file is read on: behind the last item that was applied. */
const behindOf = ({ processed, place }: ImportJob): ItemPlace | undefined =>
  processed === 0 ? undefined : { index: processed - 1, ...place };

const WHAT_WAS_APPLIED_STAYS = 'O que já foi aplicado permanece.';

const FILE_GONE = 'O arquivo enviado não está mais na pasta de dados; envie-o de novo.';

const faultAt = (index: number): string =>
  `Erro interno a partir do item ${index + 1} do arquivo. Os itens anteriores permanecem; informe o número desta importação ao operador do serviço.`;

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A user who is gone represents nobody: each item is refused for that. */
const withoutRights = ({ documento }: ImportJob): Caller => ({
  documento,
  nome: '',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: CATALOGUE_PROFILE,
  companies: new Set(),
  key: null,
});
