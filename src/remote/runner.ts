/**
 * Runs comparisons one after the other. It fetches their exports in parallel, one comparison per remote at
 * a time, so a resting remote blocks neither other remotes nor files. Results are stored part by part. A
 * comparison that a stop interrupts restarts at the next start, from the files that it still has.
 */
import type { RealTime } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import { isUnavailable } from '../errors.ts';
import type { FileLimits } from '../files/file-limits.ts';
import { CostlyWork } from '../reading/costly-work.ts';
import type { LongRead } from '../reading/long-read.ts';
import type { Reads } from '../reading/pool.ts';
import type { ComparisonRead } from './compare/compare.ts';
import type { ExportFetcher } from './exports.ts';
import type {
  ComparisonEnd,
  ComparedFiles,
  ComparisonPart,
  ComparisonTotals,
  SendingRules,
} from './compare/model.ts';
import type { PairStore } from './compare/pair-store.ts';
import { RecordDeletion } from './record-deletion.ts';
import type { RemoteLocks } from './remote-locks.ts';
import { keepExports } from './kept-files.ts';
import type { Comparison, RemoteRules } from './model.ts';
import { type RemoteStore, filesOf } from './store.ts';
import { comparisonFailure } from './codes.ts';
import type { DivergenceNotice } from './divergence-notice.ts';
import { WorkLoop, watchForEnd } from '../jobs/work-loop.ts';

export interface ComparisonRunnerDependencies {
  readonly store: RemoteStore;
  readonly pairs: PairStore;
  readonly writer: Writer;
  readonly reads: Reads<ComparisonRead>;
  readonly limits: FileLimits;
  /** Returns the path of a file in the imports folder. */
  readonly pathOf: (storedFile: string) => string;
  readonly discard: (storedFile: string) => Promise<void>;
  readonly rulesOf: (rules: RemoteRules) => SendingRules;
  readonly fetcher: ExportFetcher;
  readonly divergenceNotice: DivergenceNotice;
  readonly remoteLocks: RemoteLocks;
  readonly realTime: Pick<RealTime, 'after'>;
  /** Called for an internal fault or a fault of the machine. */
  readonly onFault: (error: unknown, id: number | undefined) => void;
}

const INTERRUPTED = comparisonFailure('cutOff', 'A comparação foi interrompida; repita-a.');
const NOT_MADE = comparisonFailure(
  'notMade',
  'A comparação não pôde ser feita por uma falha desta instância; repita-a, e veja o log se falhar de novo.',
);

const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'running']);
const isOfCommand = ({ documento }: Comparison): boolean => documento === '';

export class ComparisonRunner extends WorkLoop {
  readonly #store: RemoteStore;
  readonly #pairs: PairStore;
  readonly #writer: Writer;
  readonly #reads: Reads<ComparisonRead>;
  readonly #limits: FileLimits;
  readonly #pathOf: (storedFile: string) => string;
  readonly #discard: (storedFile: string) => Promise<void>;
  readonly #rulesOf: (rules: RemoteRules) => SendingRules;
  readonly #fetcher: ExportFetcher;
  readonly #divergenceNotice: DivergenceNotice;
  readonly #remoteLocks: RemoteLocks;
  readonly #realTime: Pick<RealTime, 'after'>;
  readonly #onFault: (error: unknown, id: number | undefined) => void;
  readonly #recordDeletion: RecordDeletion;
  #reading: { readonly id: number; readonly read: LongRead } | undefined;
  /** The last time each company was served. Companies take turns. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;
  /** Fetches under way, by remote. */
  readonly #fetching = new Map<number, Promise<void>>();
  /** Controllers that abort the work on a comparison. */
  readonly #abortControllers = new Map<number, AbortController>();
  /** True when it processes the queue. False in the process of a command. */
  isServing = false;

  constructor({
    store,
    pairs,
    writer,
    reads,
    limits,
    pathOf,
    discard,
    rulesOf,
    fetcher,
    divergenceNotice,
    remoteLocks,
    realTime,
    onFault,
  }: ComparisonRunnerDependencies) {
    super((error) => onFault(error, undefined));
    this.#store = store;
    this.#pairs = pairs;
    this.#writer = writer;
    this.#reads = reads;
    this.#limits = limits;
    this.#pathOf = pathOf;
    this.#discard = discard;
    this.#rulesOf = rulesOf;
    this.#fetcher = fetcher;
    this.#divergenceNotice = divergenceNotice;
    this.#remoteLocks = remoteLocks;
    this.#realTime = realTime;
    this.#onFault = onFault;
    this.#recordDeletion = new RecordDeletion(store, writer);
  }

  override start(): void {
    this.isServing = true;
    super.start();
  }

  /** Resolves when no work is under way, or none of the given remote. */
  override async idle(remoteId?: number): Promise<void> {
    for (;;) {
      await super.idle();
      const ids = remoteId === undefined ? [...this.#fetching.keys()] : [remoteId];
      const fetching = ids.flatMap((id) => this.#fetching.get(id) ?? []);
      if (fetching.length === 0) return;
      await Promise.all(fetching);
    }
  }

  /** Stops. Interrupted work restarts at the next start. */
  override async stop(): Promise<void> {
    const stopped = super.stop();
    for (const abortController of this.#abortControllers.values()) abortController.abort();
    void this.#reading?.read.return(); // much is read before the first part
    await stopped;
    await Promise.all(this.#fetching.values());
  }

  protected async pass(): Promise<void> {
    /** The newest comparison of a remote and a company is the one that finished last. */
    const busyPairs = new Set<string>();
    const readyComparisons: Comparison[] = [];
    for (const comparison of this.#store.listUnfinished()) {
      if (this.isStopping) return;
      const { files, remoteId, cpfCnpjRaiz } = comparison;
      const pair = `${remoteId} ${cpfCnpjRaiz}`;
      if (isOfCommand(comparison)) await this.#endIfInterrupted(comparison);
      else if (files === null) {
        busyPairs.add(pair);
        this.#beginToFetch(comparison);
      } else if (!busyPairs.has(pair)) {
        busyPairs.add(pair);
        readyComparisons.push(comparison);
      }
    }
    const [next] = readyComparisons.toSorted((a, b) => this.#lastServed(a) - this.#lastServed(b));
    if (next?.files == null) return;
    this.#servedAt.set(next.cpfCnpjRaiz, (this.#served += 1));
    await this.run(next.id, this.#pathsOf(next.files));
    if (this.#isOver(next.id)) this.wake(); // others may wait behind it
  }

  #lastServed({ cpfCnpjRaiz }: Comparison): number {
    return this.#servedAt.get(cpfCnpjRaiz) ?? 0;
  }

  #beginToFetch({ id, remoteId }: Comparison): void {
    if (this.#fetching.has(remoteId)) return;
    const fetching = this.#fetch(id)
      .finally(() => this.#fetching.delete(remoteId))
      .then(
        () => this.wake(),
        // A storage failure ends the pass. The next start or request resumes it.
        (error: unknown) => void (isUnavailable(error) || this.#onFault(error, id)),
      );
    this.#fetching.set(remoteId, fetching);
  }

  /**
   * Ends a comparison of a command that no process works on: it was interrupted, and no other process has
   * its files.
   */
  async #endIfInterrupted(comparison: Comparison): Promise<void> {
    const lock = this.#remoteLocks.takeComparison(comparison);
    if (lock === undefined) return;
    await this.endInterrupted(comparison).finally(() => lock.release());
  }

  /**
   * Ends interrupted comparisons of commands for a remote and a company. The caller holds their lock.
   * Throws `unavailable`.
   */
  endInterrupted({ remoteId, cpfCnpjRaiz }: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz'>): Promise<void> {
    return this.#writer.write(() => {
      for (const comparison of this.#store.listUnfinished())
        if (
          isOfCommand(comparison) &&
          comparison.remoteId === remoteId &&
          comparison.cpfCnpjRaiz === cpfCnpjRaiz
        )
          this.#store.end(comparison.id, 'failed', INTERRUPTED);
    });
  }

  /** Fetches the exports of the remote, then runs the comparison. Throws `unavailable`. */
  async fetchAndRun(id: number): Promise<void> {
    const fetched = await this.#fetch(id);
    if (fetched !== undefined) await this.run(id, this.#pathsOf(fetched));
  }

  /**
   * Fetches the exports. `undefined`: the comparison is over, or is fetched again after the next start.
   * Throws `unavailable`.
   */
  async #fetch(id: number): Promise<ComparedFiles | undefined> {
    const comparison = this.#store.findComparison(id);
    if (comparison === undefined) return undefined;
    await this.#writer.write(() => this.#store.begin(id));
    let fetched: Awaited<ReturnType<ExportFetcher['fetch']>>;
    const abortController = new AbortController();
    this.#abortControllers.set(id, abortController);
    const watching = watchForEnd(
      this.#realTime,
      () => this.#isOver(id),
      () => abortController.abort(),
    );
    if (this.isStopping || this.#isOver(id)) abortController.abort();
    try {
      fetched = await this.#fetcher.fetch(comparison, abortController.signal);
    } catch (error) {
      await this.#endFaulty(id, error);
      return undefined;
    } finally {
      watching.cancel();
      this.#abortControllers.delete(id);
    }
    if (fetched === undefined) return undefined;
    if ('failed' in fetched) {
      await this.#writer.write(() => this.#store.end(id, 'failed', fetched.failed));
      return undefined;
    }
    await this.#writer.write(() => this.#store.putFiles(id, fetched));
    if (!this.#isOver(id)) return fetched;
    for (const storedFile of Object.values(fetched)) await this.#discard(storedFile);
    return undefined;
  }

  #pathsOf({ operadores, produtos, vinculos }: ComparedFiles): ComparedFiles {
    return {
      operadores: this.#pathOf(operadores),
      produtos: this.#pathOf(produtos),
      vinculos: this.#pathOf(vinculos),
    };
  }

  /** Runs a comparison from files at any path. Throws `unavailable`. */
  async run(id: number, files: ComparedFiles): Promise<void> {
    const comparison = this.#store.findComparison(id);
    if (comparison === undefined) return;
    let keptFiles: readonly string[] = [];
    try {
      await this.#recordDeletion.deleteAll(id);
      await this.#writer.write(() => this.#store.begin(id));
      const end = await this.#compare(comparison, files);
      if (end === undefined && !this.#isOver(id)) return;
      if (end === undefined) await this.#recordDeletion.deleteAll(id);
      else if ('failed' in end)
        await this.#writer.write(() =>
          this.#store.end(id, 'failed', comparisonFailure(end.failed.rule, end.failed.message)),
        );
      else keptFiles = await this.#endDone(comparison, files, end);
    } catch (error) {
      if (this.isStopping) return;
      await this.#endFaulty(id, error);
    }
    const filesToDiscard = Object.values(comparison.files ?? {}).filter(
      (storedFile) => !keptFiles.includes(storedFile),
    );
    for (const storedFile of filesToDiscard) await this.#discard(storedFile);
  }

  #isOver(id: number): boolean {
    const comparison = this.#store.findComparison(id);
    return comparison === undefined || !UNFINISHED.has(comparison.state);
  }

  /** Stops the work on an ended comparison and releases its files. */
  async release({ id, files }: Comparison): Promise<void> {
    if (this.#reading?.id === id) void this.#reading.read.return();
    this.#abortControllers.get(id)?.abort();
    for (const storedFile of Object.values(files ?? {})) await this.#discard(storedFile);
    this.wake();
  }

  /**
   * Ends a comparison that met an internal fault or cost too much, so that others continue. Throws when the
   * storage fails.
   */
  async #endFaulty(id: number, error: unknown): Promise<void> {
    if (this.isStopping) return;
    if (this.#writer.trouble !== undefined) throw error;
    const cost =
      error instanceof CostlyWork ? comparisonFailure('costlyComparison', error.message) : undefined;
    if (cost === undefined) this.#onFault(error, id);
    const reason = cost ?? (isUnavailable(error) ? INTERRUPTED : NOT_MADE);
    await this.#writer.write(() => this.#store.end(id, 'failed', reason));
    await this.#recordDeletion.deleteAll(id); // the parts that were stored before the fault
  }

  /** Ends a finished comparison. Returns the names of the files to keep. */
  async #endDone(
    comparison: Comparison,
    files: ComparedFiles,
    end: ComparisonTotals,
  ): Promise<readonly string[]> {
    const isNew = await this.#divergenceNotice.isNew(comparison, end);
    const keptExports = mayBeFetched(end) ? await keepExports(comparison, files, end, this.#pathOf) : null;
    const outdated = await this.#writer.write((tx) => {
      if (isNew) this.#divergenceNotice.publish(tx, comparison, end);
      this.#store.end(comparison.id, 'done', null, end);
      if (keptExports !== null) this.#store.keep(comparison.id, keptExports);
      return this.#store.dropOutdated(comparison);
    });
    for (const storedFile of outdated) await this.#discard(storedFile);
    await this.#recordDeletion.deleteEqualBefore(comparison, () => this.isStopping);
    await this.#recordDeletion.deleteOverLimit(comparison, () => this.isStopping);
    return keptExports === null ? [] : filesOf(keptExports);
  }

  /** Returns how the comparison ended. `undefined`: it must run again. */
  async #compare(comparison: Comparison, files: ComparedFiles): Promise<ComparisonEnd | undefined> {
    const { id, remoteId, rules, cpfCnpjRaiz, documento, forced } = comparison;
    const scratch = `comparacao-${id}`;
    const read = this.#reads.read(
      {
        kind: 'comparison',
        remoteId,
        cpfCnpjRaiz,
        files,
        limits: this.#limits,
        forced,
        scratch: this.#pathOf(scratch),
        rules: this.#rulesOf(rules),
      },
      { user: documento, company: cpfCnpjRaiz },
    );
    this.#reading = { id, read };
    const watching = watchForEnd(
      this.#realTime,
      () => this.#isOver(id),
      () => void read.return(),
    );
    try {
      return await this.#storeParts(comparison, read);
    } finally {
      watching.cancel();
      // A terminated process may leave the database behind, or the journal of its last transaction.
      for (const file of [scratch, `${scratch}-journal`]) await this.#discard(file);
    }
  }

  /** Stores each part as it is read. `undefined`: the comparison must run again. */
  async #storeParts(comparison: Comparison, read: LongRead): Promise<ComparisonEnd | undefined> {
    const { id } = comparison;
    let n = 0;
    let storing: Promise<void> = Promise.resolve();
    for await (const bytes of read) {
      await storing;
      if (this.isStopping || this.#isOver(id)) return undefined;
      const part = JSON.parse(new TextDecoder().decode(bytes)) as ComparisonPart | ComparisonEnd;
      if (!('records' in part)) return part;
      const from = n;
      n += part.records.length;
      storing = this.#writer.write(() => this.#storePart(comparison, from, part)); // runs while the next part is made
      storing.catch(() => undefined); // the next iteration throws it
    }
    if (this.#isOver(id)) return undefined;
    throw new Error('A comparison had no end.');
  }

  #storePart({ id, remoteId, cpfCnpjRaiz }: Comparison, from: number, part: ComparisonPart): void {
    if (this.#isOver(id)) return;
    for (const [index, record] of part.records.entries())
      this.#store.insertRecord(id, from + index + 1, record);
    for (const pair of part.obsoletePairs) this.#pairs.delete(remoteId, cpfCnpjRaiz, pair);
    for (const pair of part.pairs) this.#pairs.put(remoteId, cpfCnpjRaiz, pair);
  }
}

/** States in which a remote record exists that may be fetched, also after a decision. */
const STATES_WITH_REMOTE = ['soLa', 'mudouLa', 'desativadoLa', 'mudouNosDois', 'ambiguo'] as const;

const mayBeFetched = ({ counts }: ComparisonTotals): boolean =>
  (['produto', 'operador'] as const).some((kind) =>
    STATES_WITH_REMOTE.some((state) => (counts[kind][state] ?? 0) > 0),
  );
