/**
 * Runs import jobs, one slice of each in turn. All its state is on disk: the transaction that applies the
 * items of a slice also writes its results and counters. A job that a stop or a crash interrupted resumes
 * exactly behind its last applied item (contract section 7).
 */
import { type Clock, SECOND_MS } from '../../clock.ts';
import type { Transaction, Unit, Writer } from '../../db/writer.ts';
import { isUnavailable, unprocessable } from '../../errors.ts';
import type { FileItem } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { WorkLoop } from '../../jobs/work-loop.ts';
import { asApprover } from '../../session/guard.ts';
import { type Caller, localOperator } from '../../session/model.ts';
import { systemCode } from '../../system/errors.ts';
import type { ItemApplier } from '../batch.ts';
import { violated } from '../codes.ts';
import type { AppliedChange } from '../record.ts';
import type { AppliedChangeStore } from './applied-change-store.ts';
import { ItemFeed, lastAppliedPlace, contentsOf, generatedLimits, storedContents } from './feed.ts';
import type { ImportFolder } from './folder.ts';
import type { KeptCells } from './kept-cells.ts';
import {
  type AppliedJob,
  type ImportJob,
  channelOf,
  countsOf,
  isOfSheet,
  isOver,
  sheetMembersIn,
} from './model.ts';
import { type Confirm, type SliceOptions, applySlice } from './slice.ts';
import type { ImportStore } from './store.ts';
import { importChange } from './trail.ts';

/** Delay before a retry after the storage refused a slice (for example, a full disk). */
export const RETRY_MS = 30 * SECOND_MS;

/** Number of first items to check. If all of them fail, the file is not of the expected kind. */
export const FIRST_ITEMS = 10_000;

export interface ImportRunnerParts {
  readonly stopwatch: () => number;
  readonly store: ImportStore;
  readonly appliedChanges: AppliedChangeStore;
  readonly folder: ImportFolder;
  readonly cells: KeptCells;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly limits: FileLimits;
  /** Maximum failed items of one import with a stored row (setting `importacao.falhas`). */
  readonly failuresKept: number;
  /** Returns further files of the folder that are in use. */
  readonly otherNeededFiles?: () => Iterable<string>;
  /** Returns the applier of the items of a job. */
  readonly applierOf: (job: AppliedJob) => ItemApplier;
  /**
   * Returns a user with its current rights. `key`: opened the session of the request. `undefined`: the user no longer
   * exists.
   */
  readonly callerOf: (documento: string, perfil: string, key: string | null) => Caller | undefined;
  /** Receives each job that has ended, in the transaction of its end. */
  readonly ended?: (tx: Transaction, job: ImportJob) => void;
  /** Receives an internal fault or a fault of the machine, with the job that met it. */
  readonly onFault: (error: unknown, job: ImportJob | undefined) => void;
}

export class ImportRunner extends WorkLoop {
  readonly #parts: ImportRunnerParts;
  /** The started work of unfinished jobs. */
  readonly #open = new Map<number, JobWork>();
  /** The callbacks that wait for the end of a job, by job. */
  readonly #awaited = new Map<number, () => void>();
  #current: number | undefined;
  /** True if a job was added, removed or read since the turns were computed. */
  #hasChanged = true;

  constructor(parts: ImportRunnerParts) {
    super((error) => parts.onFault(error, undefined));
    this.#parts = parts;
  }

  /**
   * Removes the leftovers of an earlier stop, and resumes the interrupted jobs. Call it before any upload.
   */
  async resume(): Promise<void> {
    const { store, folder, onFault, otherNeededFiles = () => [] } = this.#parts;
    const listNeeded = () =>
      new Set([
        ...store.listUnfinished().map(({ storedFile }) => storedFile),
        ...store.listSheetFiles(),
        ...otherNeededFiles(),
      ]);
    await folder.sweep(listNeeded).catch((error: unknown) => onFault(error, undefined));
    this.start();
  }

  override wake(): void {
    this.#hasChanged = true;
    super.wake();
  }

  /** Calls `call` when the job has ended, also if it already has. A job has at most one callback. */
  whenOver(id: number, call: () => void): void {
    if (this.#isOver(id)) return call();
    this.#awaited.set(id, call);
    this.wake();
  }

  /** Removes the file of a cancelled job. While the job reads it, this happens at the end of its slice. */
  async release(job: ImportJob): Promise<void> {
    if (this.#current !== job.id) await this.#leave(job);
  }

  /** Removes an upload that no job will need. */
  async discard(storedFile: string): Promise<void> {
    await this.#parts.folder
      .remove(storedFile)
      .catch((error: unknown) => this.#parts.onFault(error, undefined));
  }

  /** Runs all jobs. A stop ends it after the current slice. Storage that refuses a slice is tried again. */
  protected async pass(): Promise<void> {
    const { clock } = this.#parts;
    try {
      let turns = this.#turns([]);
      while (turns.length > 0) {
        for (const job of turns) if (!this.isStopping) await this.#run(job);
        turns = this.#turns(turns);
      }
    } catch (error) {
      this.wakeAt(clock, clock.now() + RETRY_MS);
      throw error;
    } finally {
      for (const work of this.#open.values()) await work.return('read');
      this.#open.clear();
      this.#hasChanged = true;
    }
  }

  #turns(before: readonly ImportJob[]): readonly ImportJob[] {
    if (this.isStopping) return [];
    if (!this.#hasChanged) return before;
    this.#hasChanged = false;
    return turnsOf(this.#parts.store.listUnfinished());
  }

  /** Runs one turn of a job. Throws `unavailable`: then all jobs wait. */
  async #run(job: ImportJob): Promise<void> {
    this.#current = job.id;
    try {
      if (!this.#isOver(job.id)) await this.#goOn(job);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.#fail(job, error);
    } finally {
      this.#current = undefined;
    }
    if (this.#isOver(job.id)) await this.#leave(job);
  }

  async #goOn(job: ImportJob): Promise<void> {
    const work = this.#open.get(job.id) ?? this.#work(job);
    this.#open.set(job.id, work);
    const { done, value } = await work.next();
    if (done !== true) return;
    this.#open.delete(job.id);
    this.#hasChanged = true;
    if (value === 'applied') await this.#complete(job);
  }

  /** Ends a job that is applied. The file of a dry run is kept, because the dry run may be proposed. */
  async #complete(job: ImportJob): Promise<void> {
    const { writer, cells, store } = this.#parts;
    const dropped = await writer.write((tx) => {
      this.#end(tx, job, 'done', null);
      const finishedJob = store.find(job.id);
      return finishedJob !== undefined && mayBeProposed(finishedJob)
        ? cells.keepFile(finishedJob, tx.now)
        : [];
    });
    await cells.remove(dropped);
  }

  /** Runs all work of a job: first reads it, and in a later turn applies it. Yields after each slice. */
  async *#work(job: ImportJob): JobWork {
    const { store, folder, writer, stopwatch, applierOf } = this.#parts;
    const pedido = store.findInstructions(job.id);
    const sheetMembers = sheetMembersIn({ kind: job.kind, pedido });
    const limits = pedido === null ? this.#parts.limits : generatedLimits(this.#parts.limits);
    const file = folder.pathOf(job.storedFile);
    await writer.write(() => store.begin(job.id));
    if (job.total === null) {
      const callerCompanies = new Set(this.#callerOf(job).companies.keys());
      const contents = yield* contentsOf(file, limits, callerCompanies, sheetMembers);
      const ownContents = storedContents(contents, callerCompanies, job.company);
      await writer.write(() => store.setContents(job.id, ownContents));
      return 'read';
    }
    const applying = { applier: applierOf({ ...job, pedido }), sheetMembers };
    const feed = new ItemFeed(file, limits, lastAppliedPlace(job), stopwatch);
    try {
      for (let items = await feed.next(); items.length > 0; items = await feed.next()) {
        const ahead = items;
        feed.take(await writer.write((tx) => this.#applySlice(tx, job, applying, ahead)));
        yield;
      }
    } finally {
      await feed.close();
    }
    return 'applied';
  }

  /** Returns the number of applied items. Returns 0 for a job that was cancelled in the meantime. */
  #applySlice(
    tx: Unit,
    job: ImportJob,
    applying: Pick<SliceOptions, 'applier' | 'sheetMembers'>,
    items: readonly FileItem[],
  ): number {
    const { store, failuresKept } = this.#parts;
    const stored = store.find(job.id);
    if (stored?.state !== 'running') return 0;
    const { processed, failed, failedNotKept } = stored;
    if (processed !== items[0]?.index)
      throw new Error(
        `Import ${job.id} has applied ${processed} items and is given item ${items[0]?.index}.`,
      );
    const { tipo: kind, modo: mode, simular: dryRun, fileName } = job;
    const rows = isOfSheet(job);
    const options = {
      ...applying,
      caller: dryRun ? asApprover(this.#callerOf(job)) : this.#callerOf(job),
      mode,
      dryRun,
      kind,
      fileName,
      rows,
      keepsAppliedChanges: dryRun ? job.kind === 'arquivo' : mode === 'lote',
      confirm: this.#confirmOf(job),
      channel: channelOf(job),
    };
    const isHopeless = failed === processed && processed < FIRST_ITEMS;
    const some = isHopeless ? items.slice(0, FIRST_ITEMS - processed) : items;
    const results = applySlice(this.#parts.stopwatch, tx, some, options);
    store.addResults(job.id, results, items, Math.max(0, failuresKept - (failed - failedNotKept)));
    if (isHopeless && failed + countsOf(results).failed === FIRST_ITEMS)
      this.#end(tx, job, 'failed', HOPELESS);
    return results.length;
  }

  /** Returns the check of a proposal whose items do not hold the changes that their dry run showed. `undefined`: none. */
  #confirmOf({ kind, proposal }: ImportJob): SliceOptions['confirm'] {
    const isRaw = kind === 'arquivo' || kind === 'registro';
    return isRaw && proposal !== undefined ? confirmBy(this.#parts.appliedChanges, proposal.id) : undefined;
  }

  #callerOf(job: ImportJob): Caller {
    const caller = this.#parts.callerOf(job.documento, job.perfil, job.key);
    return caller === undefined ? withoutRights(job) : { ...caller, key: job.key, proposal: job.proposal };
  }

  #isOver(id: number): boolean {
    const job = this.#parts.store.find(id);
    return job === undefined || isOver(job.state);
  }

  async #fail(job: ImportJob, error: unknown): Promise<void> {
    const index = this.#parts.store.find(job.id)?.processed ?? 0;
    const suffix = index > 0 ? ` ${WHAT_WAS_APPLIED_STAYS}` : '';
    if (error instanceof UnreadableFile) return this.#finish(job, error.message + suffix);
    if (systemCode(error) === 'ENOENT') return this.#finish(job, FILE_GONE + suffix);
    await this.#finish(job, faultAt(index));
    this.#parts.onFault(error, job);
  }

  /**
   * Releases the resources of a finished job. A file that cannot be removed is no error: the next start
   * removes it.
   */
  async #leave(job: ImportJob): Promise<void> {
    this.#hasChanged = true;
    await this.#open.get(job.id)?.return('read');
    this.#open.delete(job.id);
    if (!isOfSheet(job) && !this.#parts.cells.isKept(job.id)) await this.discard(job.storedFile);
    this.#awaited.get(job.id)?.();
    this.#awaited.delete(job.id);
  }

  async #finish(job: ImportJob, error: string): Promise<void> {
    await this.#parts.writer.write((tx) => this.#end(tx, job, 'failed', error));
  }

  #end(tx: Transaction, job: ImportJob, state: 'done' | 'failed', error: string | null): void {
    const { store, ended } = this.#parts;
    const before = store.find(job.id);
    if (!store.finish(job.id, state, error, tx.now)) return;
    const action = state === 'done' ? 'CONCLUSAO' : 'FALHA';
    const { created, newVersion, deactivated, unchanged, failed } = before ?? job;
    const counts = { created, newVersion, deactivated, unchanged, failed };
    const members = { before: { state: before?.state ?? job.state }, after: { state, ...counts } };
    tx.record({ ...importChange(job.id, action, job, members), channel: channelOf(job) });
    ended?.(tx, { ...(before ?? job), state });
  }
}

/** Returns true for a dry run of a file with a change to approve. */
const mayBeProposed = ({ kind, simular, state, created, newVersion, deactivated }: ImportJob): boolean =>
  kind === 'arquivo' && simular && state === 'done' && created + newVersion + deactivated > 0;

/** The work of a job. Returns `read` or `applied` once the file is read or applied to its end. */
type JobWork = AsyncGenerator<void, 'read' | 'applied', undefined>;

const WHAT_WAS_APPLIED_STAYS = 'O que já foi aplicado permanece.';

const HOPELESS =
  'Os 10.000 primeiros itens foram todos recusados, e o resto do arquivo foi deixado de lado. Confira o tipo e os motivos, corrija o arquivo e envie-o de novo.';

const FILE_GONE = 'O arquivo enviado não está mais na pasta de dados; envie-o de novo.';

const faultAt = (index: number): string =>
  `Erro interno a partir do item ${index + 1} do arquivo. Os itens anteriores permanecem; informe o número desta importação ao operador do serviço.`;

/**
 * Returns a caller without companies, for a user that no longer exists. Each item is refused because of that.
 */
const withoutRights = ({ documento, key }: ImportJob): Caller => ({
  ...localOperator([]),
  documento,
  key,
  nome: '',
});

type Waiting = Pick<ImportJob, 'documento' | 'company' | 'total'>;

/**
 * Returns the jobs that may run now, of jobs in the order of arrival (contract section 16, limits). Each company has one running file, and
 * each user one that is being read. A file with several companies waits for the earlier files of its user that
 * were read, and later ones of that user wait for it.
 */
export function turnsOf<T extends Waiting>(jobs: readonly T[]): T[] {
  const companies = new Set<string>();
  const users = new Set<string>();
  const heldUp = new Set<string>();
  const readers = new Set<string>();
  return jobs.filter(({ documento, company, total }) => {
    if (total === null) return added(readers, documento);
    const isFirstOfUser = added(users, documento);
    if (company !== null) return added(companies, company) && !heldUp.has(documento);
    heldUp.add(documento);
    return isFirstOfUser;
  });
}

/** Adds the text. Returns true if the set did not have it. */
const added = (set: Set<string>, text: string): boolean => set.size !== set.add(text).size;

/**
 * Compares the items of an approved import with its dry run (contract section 27): an item is applied only if
 * it finds its records as the dry run found them.
 */
const confirmBy =
  (store: AppliedChangeStore, dryRun: number): Confirm =>
  (index, { outcome }, appliedChanges) => {
    const item = store.findItem(dryRun, index);
    // A failed item may have no stored result. It was not shown as a change, so it must not become one.
    if (item?.outcome === outcome && statesIn(item.appliedChanges) === statesIn(appliedChanges)) return;
    const message = `mudouDepois: agora seria feita outra coisa do que a proposta ${dryRun} mostrou; simule e proponha de novo.`;
    throw unprocessable([violated('changedSince', null, message)]);
  };

/** Returns the records with their states before the change. A new record has no key of its own yet. */
const statesIn = (appliedChanges: readonly AppliedChange[]): string =>
  JSON.stringify(appliedChanges.map(({ kind, key, was }) => (was === null ? [kind] : [kind, key, was])));
