/**
 * Works on one run that fetches. Each phase is an import; the worker waits for it and copies its failed
 * rows to their steps. All state is on disk: a finished step is not pending, and a started import is stored
 * with its run and continues automatically.
 */
import { type ImportJob, parseFetchInstructions, isOver } from '../../catalogue/import/model.ts';
import type { ImportRunner } from '../../catalogue/import/runner.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import type { ImportStore } from '../../catalogue/import/store.ts';
import type { Writer } from '../../db/writer.ts';
import { DomainError } from '../../errors.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import type { LongRead } from '../../reading/long-read.ts';
import type { Reads } from '../../reading/pool.ts';
import { CATALOGUE_PROFILE } from '../../session/model.ts';
import type { Run } from '../run/model.ts';
import type { Worker } from '../run/runner.ts';
import type { StepStore } from '../run/step-store.ts';
import type { RunStore } from '../run/store.ts';
import type { RemoteStore } from '../store.ts';
import { wasSkipped } from './applier.ts';
import type { FetchRead } from './items.ts';
import { IMPORT_OF, PHASES_OF_ROUND, phaseOf, wordOf } from './model.ts';

/** The part of the import service that the worker uses. */
export interface ImportsOfFetch {
  readonly service: Pick<ImportService, 'startGenerated' | 'stop'>;
  readonly runner: Pick<ImportRunner, 'whenOver'>;
  readonly store: Pick<ImportStore, 'find' | 'findInstructions' | 'listResults'>;
}

export interface FetchWorkerDependencies {
  readonly runs: RunStore;
  readonly steps: StepStore;
  readonly remotes: RemoteStore;
  readonly imports: ImportsOfFetch;
  readonly reads: Reads<FetchRead>;
  readonly limits: FileLimits;
  readonly pathOf: (storedFile: string) => string;
  readonly writer: Writer;
}

/** Failed rows that one transaction copies to their steps. */
const ROWS_PER_WRITE = 100;

const NOT_KEPT =
  'a importação recusou-o; seu motivo não foi guardado, ou o registro não está nas exportações';

export class FetchWorker implements Worker {
  readonly #runs: RunStore;
  readonly #steps: StepStore;
  readonly #remotes: RemoteStore;
  readonly #imports: ImportsOfFetch;
  readonly #reads: Reads<FetchRead>;
  readonly #limits: FileLimits;
  readonly #pathOf: (storedFile: string) => string;
  readonly #writer: Writer;
  readonly #run: number;
  #isStopping = false;
  #wakeUp: (() => void) | undefined;

  constructor(
    { runs, steps, remotes, imports, reads, limits, pathOf, writer }: FetchWorkerDependencies,
    run: number,
  ) {
    this.#runs = runs;
    this.#steps = steps;
    this.#remotes = remotes;
    this.#imports = imports;
    this.#reads = reads;
    this.#limits = limits;
    this.#pathOf = pathOf;
    this.#writer = writer;
    this.#run = run;
  }

  /** Stops. The import under way continues to its end, and no further import starts. */
  stop(): void {
    this.#isStopping = true;
    this.#wakeUp?.();
  }

  /** Works on the run. Throws `unavailable`. */
  async work(): Promise<void> {
    if (!(await this.#round(0))) return;
    const run = this.#running();
    if (run === undefined) return;
    if (!run.again) await this.#writer.write(() => this.#steps.tryAgain(run));
    if (!(await this.#round(PHASES_OF_ROUND))) return;
    await this.#writer.write((tx) => this.#runs.end(run.id, 'done', null, tx.now));
  }

  /** Returns the run while it may continue. */
  #running(): Run | undefined {
    const run = this.#runs.find(this.#run);
    return this.#isStopping || run?.state !== 'running' ? undefined : run;
  }

  /** Runs one round. Returns true when the run may continue after it. */
  async #round(first: number): Promise<boolean> {
    for (let phase = first; phase < first + PHASES_OF_ROUND; phase += 1) {
      const run = this.#running();
      if (run === undefined) return false;
      // In the second round the phases of the first are over.
      if (first === 0 && run.again) continue;
      if (!this.#steps.hasPending(run.id, phaseOf(phase))) continue;
      if (!(await this.#phase(run, phase))) return false;
    }
    return true;
  }

  async #phase(run: Run, phase: number): Promise<boolean> {
    const id = this.#importOf(run, phase) ?? (await this.#startImport(run, phase).catch(this.#unlessEnded));
    if (id === undefined) return false;
    await this.#waitForImport(id);
    if (this.#running() === undefined) return false;
    const job = this.#imports.store.find(id);
    if (job?.state === 'failed' || job?.state === 'cancelled') {
      const [state, reason] = job.state === 'failed' ? (['failed', job.error] as const) : CANCELLED;
      await this.#writer.write((tx) => this.#runs.end(run.id, state, `importação ${id}: ${reason}`, tx.now));
      return false;
    }
    await this.#copyFailures(run, id);
    await this.#writer.write((tx) => this.#steps.refuseRest(run, phaseOf(phase), NOT_KEPT, tx.now));
    return true;
  }

  /** Returns the started import of a phase. `undefined`: none. */
  #importOf({ imports }: Run, phase: number): number | undefined {
    return imports.findLast((id) => {
      const pedido = this.#imports.store.findInstructions(id);
      return pedido !== null && parseFetchInstructions(pedido).phase === phase;
    });
  }

  /** Throws `unavailable` once the run has ended or stops: no import of it starts any more. */
  #requireRunning(): void {
    if (this.#running() === undefined)
      throw new DomainError('unavailable', 'A busca terminou, ou foi interrompida, antes desta importação.');
  }

  readonly #unlessEnded = (error: unknown): undefined => {
    if (this.#running() !== undefined) throw error;
  };

  async *#whileRunning(read: LongRead): AsyncGenerator<Uint8Array> {
    for await (const bytes of read) {
      this.#requireRunning();
      yield bytes;
    }
  }

  #startImport(run: Run, phase: number): Promise<number> {
    const { id, remote, cpfCnpjRaiz, comparisonId, documento, key } = run;
    const exports = this.#remotes.findKept(comparisonId);
    const files =
      exports === undefined
        ? null
        : { operadores: this.#pathOf(exports.operadores), produtos: this.#pathOf(exports.produtos) };
    const read: FetchRead = { kind: 'fetched', runId: id, phase, cpfCnpjRaiz, files, limits: this.#limits };
    const quotaOwner = { user: documento, company: cpfCnpjRaiz };
    return this.#imports.service.startGenerated(
      { documento, perfil: CATALOGUE_PROFILE, key },
      this.#whileRunning(this.#reads.read(read, quotaOwner)),
      {
        tipo: IMPORT_OF[phaseOf(phase)[0]],
        modo: 'lote',
        simular: false,
        company: cpfCnpjRaiz,
        fileName: `Trazido de ${remote}: ${wordOf(phase)}`,
        kind: 'remoto',
        pedido: JSON.stringify({ fetch: id, phase }),
      },
      {
        alsoWrite: (_tx, importId) => {
          this.#requireRunning();
          this.#runs.addImport(run, importId);
        },
      },
    );
  }

  /** Waits until the import has ended or this worker is stopped. */
  async #waitForImport(id: number): Promise<void> {
    const { runner, store } = this.#imports;
    const job = store.find(id);
    if (this.#isStopping || job === undefined || isOver(job.state)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    runner.whenOver(id, resolve);
    await promise;
    this.#wakeUp = undefined;
  }

  /** Copies the failed rows to their steps. */
  async #copyFailures(run: Run, importId: number): Promise<void> {
    for (let after: number | undefined = -1; after !== undefined;) {
      const failed = this.#imports.store.listResults(importId, 'failed', after, ROWS_PER_WRITE);
      await this.#writer.write((tx) => {
        for (const { seq, errors, problems } of failed) {
          const step = seq === null ? undefined : this.#steps.find(run.id, seq);
          if (step?.outcome !== 'pending') continue;
          const { code = null } = problems[0] ?? {};
          const result = wasSkipped(code)
            ? ({ outcome: 'skipped', code: 'mudouDepois' } as const)
            : ({ outcome: 'refused', code } as const);
          this.#steps.endFetched(run, { ...step, ...result, message: errors.join(' ') }, tx.now);
        }
      });
      after = failed.length < ROWS_PER_WRITE ? undefined : failed.at(-1)?.index;
    }
  }
}

const CANCELLED = ['cancelled', 'cancelada por quem a pediu'] as const;

/** Ends the imports of a cancelled run. Records that were already imported stay. */
export async function endImports(
  { service, store }: ImportsOfFetch,
  { imports }: Run,
  by: Parameters<ImportService['stop']>[1],
): Promise<void> {
  const jobs: (ImportJob | undefined)[] = imports.map((id) => store.find(id));
  for (const job of jobs) if (job !== undefined && !isOver(job.state)) await service.stop(job, by);
}
