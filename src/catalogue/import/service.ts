/**
 * Offers imports to the other modules. An import belongs to its company, and is visible to users that
 * represent it (contract section 24).
 */
import { type Actor, membersChanged } from '../../change.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import type { Right } from '../../right.ts';
import type { CompanyGuard } from '../../http/operation.ts';
import { DomainError, forbidden, notFound } from '../../errors.ts';
import { csvOf } from '../../files/csv.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { type FileItem, readItems } from '../../files/json-members.ts';
import { asApprover, represents, requireRight, requireRightForSome } from '../../session/guard.ts';
import { COMMAND_LINE, type Caller } from '../../session/model.ts';
import type { ItemApplier } from '../batch.ts';
import type { BrakedPart, Expected } from '../brake.ts';
import { refuseAwaiting } from './awaiting.ts';
import { ERRORS_HEADER, errorRows } from './error-rows.ts';
import { generatedLimits } from './feed.ts';
import { ImportFamily } from './family.ts';
import type { FamilyStore } from './family-store.ts';
import type { ImportFolder } from './folder.ts';
import { type KeptCells, cellsDropped } from './kept-cells.ts';
import {
  type AppliedJob,
  type FileContents,
  type ImportJob,
  type ImportProgress,
  type ImportRequest,
  type ItemResult,
  type KeptResult,
  isOfSheet,
  isOver,
  rightOf,
  sheetMembersIn,
} from './model.ts';
import { importChange, importMembers } from './trail.ts';
import type { ImportRetention } from './retention.ts';
import { progressIn } from './progress.ts';
import type { BrakeCheck, BrakeCheckRequest } from './brake-check.ts';
import type { ImportRunner } from './runner.ts';
import { type ResultChoice, othersIn, resultsOf } from './results.ts';
import type { ImportStore } from './store.ts';

export interface ImportServiceParts {
  readonly store: ImportStore;
  readonly families: FamilyStore;
  readonly writer: Writer;
  readonly runner: ImportRunner;
  readonly folder: ImportFolder;
  readonly limits: FileLimits;
  readonly retention: ImportRetention;
  readonly cells: KeptCells;
  readonly brakeCheck: BrakeCheck;
  /** Returns the applier of the items of a job. */
  readonly applierOf: (job: AppliedJob) => ItemApplier;
}

export type { DoneRows } from './family.ts';

/** The members of a request that a brake checks before the import is queued. */
export type BrakedRequest = BrakedPart &
  Pick<BrakeCheckRequest, 'expected'> &
  Pick<ImportRequest, 'kind' | 'changesMany' | 'tipo' | 'modo' | 'simular' | 'fileName' | 'pedido'>;

/** The requester of an import, and the means used: a caller, or the values of a job. */
export type Requester = Pick<ImportJob, 'documento' | 'perfil' | 'key'>;

/** Options of an import whose items this program writes. */
export interface GeneratedImportOptions {
  /** Refuses the items as a whole. */
  readonly judge?: (items: AsyncIterable<unknown>, storedFile: string) => Promise<void>;
  /** Returns notices about the whole import, once its items are written. */
  readonly notices?: () => readonly string[];
  readonly alsoWrite?: AlsoWrite | undefined;
}

const NO_COMPANY =
  'Importações são feitas por quem representa uma empresa no perfil IMPEXP; o usuário logado não representa nenhuma.';

/** Throws 403 for a caller who represents no company, before the file is received. */
export const requireImporter: CompanyGuard<Caller> = (caller, _params, _query, right) =>
  requireRightForSome(caller, right, NO_COMPANY);

export class ImportService {
  readonly #parts: ImportServiceParts;
  readonly family: ImportFamily;
  /** The limits of a received file. */
  readonly limits: FileLimits;

  constructor(parts: ImportServiceParts) {
    this.#parts = parts;
    this.limits = parts.limits;
    this.family = new ImportFamily(parts.families);
  }

  /** Queues the import of a file in the folder of imports. Returns its id. */
  async start(requester: Requester, request: ImportRequest, alsoWrite?: AlsoWrite): Promise<number> {
    const { store, writer, runner } = this.#parts;
    try {
      const id = await writer.write((tx) => {
        const inserted = store.insert(requester, request, tx.now);
        const by = requester.documento === '' ? COMMAND_LINE : { ...requester, proposal: request.proposal };
        if (request.contents !== undefined) store.setContents(inserted, request.contents);
        const members = membersChanged(undefined, importMembers(request));
        tx.record(importChange(inserted, 'INCLUSAO', by, members));
        alsoWrite?.(tx, inserted);
        return inserted;
      });
      runner.wake();
      return id;
    } catch (error) {
      // The next start decides whether the job was stored. After a disk failure, it is unknown.
      if (writer.trouble === undefined || writer.trouble === 'full') await runner.discard(request.storedFile);
      throw error;
    }
  }

  /** Inserts a dry run of one item that is already judged, in a transaction. Returns its id. */
  insertJudged(tx: Transaction, requester: Requester, request: ImportRequest, result: KeptResult): number {
    const { store } = this.#parts;
    const id = store.insert(requester, request, tx.now);
    tx.record(importChange(id, 'INCLUSAO', requester, membersChanged(undefined, importMembers(request))));
    store.setContents(id, { total: 1, company: request.company, companies: [], leftOut: [] });
    store.addResults(id, [result], [{ member: 0, indexInMember: 0, end: 0, endLine: 1 }], 1);
    store.complete(id, tx.now);
    return id;
  }

  /** Queues the import of a received file, whose contents the brake has read. Throws 422 if it stops it. */
  async startFile(
    caller: Caller,
    request: ImportRequest,
    expected: Expected,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { limits, runner } = this.#parts;
    const braked = { ...request, checkedItems: 'deactivations', keyColumn: undefined, expected } as const;
    let contents: FileContents | undefined;
    try {
      requireRightForSome(caller, rightOf(request.kind, request.simular), NO_COMPANY);
      if (!request.simular) contents = await this.#refuse(caller, braked, request.storedFile, limits);
    } catch (error) {
      await runner.discard(request.storedFile);
      throw error;
    }
    return this.start(caller, { ...request, contents }, alsoWrite);
  }

  /** Checks items that this program wrote before they are queued. Throws 422 if a brake stops them. */
  async refuseBraked(caller: Caller, request: BrakedRequest, storedFile: string): Promise<void> {
    await this.#refuse(caller, request, storedFile, generatedLimits(this.#parts.limits));
  }

  #refuse(caller: Caller, request: BrakedRequest, storedFile: string, limits: FileLimits) {
    const { folder, brakeCheck, applierOf } = this.#parts;
    const from = {
      applier: applierOf(request),
      rows: isOfSheet(request),
      sheetMembers: sheetMembersIn(request),
      file: folder.pathOf(storedFile),
    };
    const { tipo: kind, modo: mode, simular: simulates } = request;
    const judged = simulates ? asApprover(caller) : caller;
    return brakeCheck.refuse({ ...request, ...from, kind, mode, simulates, caller: judged, limits });
  }

  /**
   * Queues an import of items that this program writes: the text of a JSON array, in chunks. No text at all
   * stands for an empty array.
   */
  async startGenerated(
    requester: Requester,
    texts: AsyncIterable<string | Uint8Array>,
    request: Omit<ImportRequest, 'storedFile' | 'sha256' | 'notices'> & { readonly sha256?: string },
    { judge, notices, alsoWrite }: GeneratedImportOptions = {},
  ): Promise<number> {
    const { folder, limits, runner, cells } = this.#parts;
    const { company } = request;
    const keptCells =
      isOfSheet(request) && company !== null
        ? cells.begin(company, request.proposal !== undefined)
        : undefined;
    const { name: storedFile, handle } = await folder.create();
    const hash = new Bun.CryptoHasher('sha256');
    let size = 0;
    try {
      for await (const text of texts) {
        size += text.length;
        keptCells?.add(text);
        hash.update(text);
        await handle.writeFile(text);
      }
      if (size === 0) await handle.writeFile('[]');
      await handle.sync();
      await folder.sync();
      await judge?.(valuesOf(readItems(folder.pathOf(storedFile), generatedLimits(limits))), storedFile);
    } catch (error) {
      await keptCells?.end(false);
      await runner.discard(storedFile);
      throw error;
    } finally {
      await handle.close();
    }
    const importNotices = notices?.() ?? [];
    const importRequest = { sha256: hash.digest('hex'), ...request, storedFile, notices: importNotices };
    let isQueued = false;
    try {
      const queued = await this.start(requester, importRequest, (tx, id) => {
        alsoWrite?.(tx, id);
        keptCells?.keep(id, tx.now);
      });
      isQueued = true;
      return queued;
    } finally {
      await keptCells?.end(isQueued);
    }
  }

  /** Throws 403 unless the caller has that right over every company of an import. */
  requireRight(caller: Caller, { company, companies }: ImportJob, right: Right): void {
    for (const root of company === null ? companies : [company]) requireRight(caller, root, right);
  }

  /**
   * Returns the imports that the caller may see, newest first. `sha256` and `company` select those of one
   * content or one company.
   */
  list(caller: Caller, limit: number, sha256?: string, company?: string): ImportProgress[] {
    const represented = [...caller.companies.keys()].filter((root) => represents(caller, root));
    const listed = company === undefined ? represented : represented.filter((root) => root === company);
    const { documento } = caller;
    return this.#parts.store
      .list({ documento, listed, represented, limit, sha256 })
      .map((job) => this.#progressOf(job));
  }

  /** Throws 404, also for an import that the caller may not see. */
  get(caller: Caller, id: number): ImportProgress {
    return this.#progressOf(this.find(caller, id));
  }

  /** Returns the results so far, in the order of the file, read on demand. Throws 404. */
  results(caller: Caller, id: number, choice: ResultChoice = {}): Iterable<ItemResult> {
    const job = this.find(caller, id);
    if (job.forgotten !== 0) return [];
    const results = resultsOf(this.#parts.store, id, choice);
    if (isOfSheet(job)) return results.map((result) => ({ ...result, row: result.line }));
    const members = sheetMembersIn({ kind: job.kind, pedido: this.instructionsOf(job) });
    const sheets = new Set(members?.names.values());
    return sheets.size === 0
      ? results
      : results.map((result) => (sheets.has(result.file) ? { ...result, row: result.line } : result));
  }

  /** Returns the results that made another record of one. `undefined`: other work may run. Throws 404. */
  others(caller: Caller, id: number, { limit, after }: ResultChoice): Iterable<ItemResult | undefined> {
    const results = this.results(caller, id, { outcome: 'newVersion', after });
    return othersIn(this.find(caller, id).tipo, results, limit);
  }

  /** Yields the refused items as the text of a CSV, one line for each message. Throws 404. */
  errorsCsv(caller: Caller, id: number): AsyncGenerator<string, void, undefined> {
    return csvOf(ERRORS_HEADER, errorRows(this.results(caller, id, { outcome: 'failed' })));
  }

  /**
   * Stops an import. Applied items stay, the others are left out. A finished import does not change.
   * Throws 403, 404.
   */
  async cancel(caller: Caller, id: number): Promise<void> {
    const job = this.find(caller, id);
    requireOwner(caller, job);
    refuseAwaiting(job);
    await this.stop(job, caller);
  }

  /** Stops an import without a check of rights, for example when its run is cancelled. */
  async stop(job: ImportJob, by: Actor): Promise<void> {
    const { store, writer, runner } = this.#parts;
    const { id } = job;
    if (isOver(job.state)) return;
    const isCancelled = await writer.write((tx) => {
      const before = store.find(id)?.state ?? job.state;
      const isFirst = store.finish(id, 'cancelled', null, tx.now);
      const members = membersChanged({ state: before }, { state: 'cancelled' });
      if (isFirst) tx.record(importChange(id, 'CANCELAMENTO', by, members));
      return isFirst;
    });
    if (isCancelled) await runner.release(job);
  }

  /** Removes the results of the items of a finished import. Its counters stay. Throws 403, 404, 422. */
  async forget(caller: Caller, id: number): Promise<void> {
    const { store, writer, retention } = this.#parts;
    const job = caller.administrador ? store.find(id) : this.find(caller, id);
    if (job === undefined) throw unknownImport(id);
    if (!caller.administrador) requireOwner(caller, job);
    if (!isOver(job.state)) throw new DomainError('unprocessable', stillRunning(id));
    refuseAwaiting(job);
    if (job.forgotten === 2) return;
    await writer.write((tx) => {
      const stored = store.find(id);
      if (stored?.forgotten !== 0) return;
      refuseAwaiting(stored);
      store.setForgotten(id, 1);
      const members = membersChanged({ resultsForgotten: false }, { resultsForgotten: true });
      tx.record(importChange(id, 'ESQUECIMENTO', caller, members));
    });
    await retention.forget(id);
  }

  #progressOf(job: ImportJob): ImportProgress {
    const { families } = this.#parts;
    const correctedBy = families.findBySource(job.id, 'correcao') ?? null;
    const undoneBy = families.findBySource(job.id, 'desfazer') ?? null;
    const problem = this.noCellsReason(job);
    const { notices, ...progress } = progressIn(job);
    return {
      ...progress,
      correctedBy,
      undoneBy,
      cellsDropped: problem !== undefined,
      notices: problem === undefined ? notices : [...notices, { message: problem }],
    };
  }

  /** Returns the job. Throws 404, also for a job that the caller may not see. */
  find(caller: Caller, id: number): ImportJob {
    const job = this.#parts.store.find(id);
    if (job === undefined || !maySee(caller, job)) throw unknownImport(id);
    return job;
  }

  /** Throws 422 if the import is a proposal that waits. Call it in the transaction that would run its rows. */
  refuseProposed(id: number): void {
    refuseAwaiting(this.#parts.store.find(id));
  }

  /** Returns true if the results of the items are whole: the first one is removed first. */
  hasFirstResult({ id }: ImportJob): boolean {
    return this.#parts.store.listResults(id, undefined, -1, 1)[0]?.index === 0;
  }

  /** Returns true if the items of a dry run can still be applied. */
  keepsRows(job: ImportJob): boolean {
    return job.kind === 'arquivo' ? this.#parts.cells.isKept(job.id) : this.noCellsReason(job) === undefined;
  }

  /** Returns the instructions of the job, as JSON. `null` for a file without sheets. */
  instructionsOf({ id }: ImportJob): string | null {
    return this.#parts.store.findInstructions(id);
  }

  /**
   * Explains why an import of a sheet has no rows any more, although its results are stored.
   * `undefined`: it has them.
   */
  noCellsReason(job: ImportJob): string | undefined {
    return isOfSheet(job) && this.#parts.cells.isDropped(job.id) ? cellsDropped(job.id) : undefined;
  }

  /** Reads the items of an import of a sheet. They are stored as long as its rows. */
  items(job: ImportJob): AsyncIterable<FileItem> {
    const { file, limits } = this.rowsOf(job);
    return readItems(file, limits);
  }

  /** Returns the location of the stored rows, for a reader in a Worker. */
  rowsOf({ storedFile }: ImportJob): { readonly file: string; readonly limits: FileLimits } {
    const { folder, limits } = this.#parts;
    return { file: folder.pathOf(storedFile), limits: generatedLimits(limits) };
  }
}

async function* valuesOf(items: AsyncIterable<FileItem>): AsyncGenerator<unknown> {
  for await (const { value } of items) yield value;
}

/** Returns true if the caller may see the import. Of several companies: only a sender who represents all. */
const maySee = (caller: Caller, { documento, company, companies }: ImportJob): boolean =>
  company === null
    ? documento === caller.documento && companies.every((root) => represents(caller, root))
    : represents(caller, company);

function requireOwner({ documento }: Caller, job: ImportJob): void {
  if (job.documento !== documento)
    throw forbidden(
      `A importação ${job.id} foi pedida por outro usuário; só ele pode cancelá-la ou apagar seus resultados.`,
    );
}

const unknownImport = (id: number): DomainError =>
  notFound(`Não existe importação ${id} deste usuário ou de uma empresa que ele representa.`);

const stillRunning = (id: number): string =>
  `A importação ${id} ainda não terminou; espere até que termine, ou cancele-a antes de apagar seus resultados.`;
