/**
 * Makes comparisons, one after the other, and fetches what they need beside that, of each remote for one at a time: one that rests
 * holds up no other remote, and no files. What is found is kept part by part; one that a stop cut off is made anew at the next
 * start, from the files that it still has.
 */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import { isUnavailable } from '../errors.ts';
import type { FileLimits } from '../files/file-limits.ts';
import { CostlyWork } from '../reading/costly-work.ts';
import type { LongRead } from '../reading/long-read.ts';
import type { Reads } from '../reading/pool.ts';
import type { ComparisonRead } from './compare/compare.ts';
import type { ExportFetcher } from './exports.ts';
import type { ComparedEnd, ComparedFiles, ComparedPart, Counted, SendingRules } from './compare/model.ts';
import type { PairStore } from './compare/pair-store.ts';
import type { ComparisonEndStore } from './comparison-end-store.ts';
import { FoundRecords } from './found-records.ts';
import type { RemoteLocks } from './remote-locks.ts';
import { keptOf } from './kept-files.ts';
import type { Comparison, RemoteRules } from './model.ts';
import { type KeptStore, filesOf } from './kept-store.ts';
import type { RemoteStore } from './store.ts';
import type { DivergenceNotice } from './divergence-notice.ts';
import { WorkLoop } from './work-loop.ts';

export interface ComparisonRunnerParts {
  readonly store: RemoteStore;
  readonly ends: ComparisonEndStore;
  readonly pairs: PairStore;
  readonly kept: KeptStore;
  readonly writer: Writer;
  readonly reads: Reads<ComparisonRead>;
  readonly limits: FileLimits;
  /** Where files of the folder of imports lie. */
  readonly pathOf: (storedFile: string) => string;
  readonly discard: (storedFile: string) => Promise<void>;
  readonly rulesOf: (rules: RemoteRules) => SendingRules;
  readonly fetcher: ExportFetcher;
  readonly divergenceNotice: DivergenceNotice;
  readonly remoteLocks: RemoteLocks;
  readonly realTime: Pick<RealTime, 'after'>;
  /** Told of a fault of ours or of the machine. */
  readonly onFault: (error: unknown, id: number | undefined) => void;
}

const CUT_OFF = 'A comparação foi interrompida; repita-a.';
const NOT_MADE =
  'A comparação não pôde ser feita por uma falha desta instância; repita-a, e veja o log se falhar de novo.';

/** One that another process has ended stops after this, with a second to spare (contract section 16). */
const LOOK_AGAIN_MS = SECOND_MS;

const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'running']);
const isOfCommand = ({ documento }: Comparison): boolean => documento === '';

export class ComparisonRunner extends WorkLoop {
  readonly #parts: ComparisonRunnerParts;
  readonly #found: FoundRecords;
  #reading: { readonly id: number; readonly read: LongRead } | undefined;
  /** When a company was last served: companies take turns. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;
  /** By remote. */
  readonly #fetching = new Map<number, Promise<void>>();
  /** Ends the work on a comparison. */
  readonly #leaving = new Map<number, AbortController>();
  /** It works off what is queued: not in the process of a command. */
  isServing = false;

  constructor(parts: ComparisonRunnerParts) {
    super((error) => parts.onFault(error, undefined));
    this.#parts = parts;
    this.#found = new FoundRecords(parts);
  }

  override start(): void {
    this.isServing = true;
    super.start();
  }

  /** Resolves when nothing is under way, or nothing of that remote. */
  override async idle(remoteId?: number): Promise<void> {
    for (;;) {
      await super.idle();
      const ids = remoteId === undefined ? [...this.#fetching.keys()] : [remoteId];
      const fetching = ids.flatMap((id) => this.#fetching.get(id) ?? []);
      if (fetching.length === 0) return;
      await Promise.all(fetching);
    }
  }

  /** Whatever is under way is made anew. */
  override async stop(): Promise<void> {
    const stopped = super.stop();
    for (const leaving of this.#leaving.values()) leaving.abort();
    void this.#reading?.read.return(); // much is read before the first part
    await stopped;
    await Promise.all(this.#fetching.values());
  }

  protected async pass(): Promise<void> {
    const { store } = this.#parts;
    /** Of a remote and a company the newest is the one that was made last. */
    const held = new Set<string>();
    const ready: Comparison[] = [];
    for (const id of store.listUnfinished()) {
      if (this.isStopping) return;
      const comparison = store.findComparison(id);
      if (comparison === undefined || !UNFINISHED.has(comparison.state)) continue; // what it needs could not be had
      const { files, remoteId, cpfCnpjRaiz } = comparison;
      const pair = `${remoteId} ${cpfCnpjRaiz}`;
      if (isOfCommand(comparison)) await this.#endUnlessHeld(comparison);
      else if (files === null) {
        held.add(pair);
        this.#beginToFetch(comparison);
      } else if (!held.has(pair)) {
        held.add(pair);
        ready.push(comparison);
      }
    }
    const [next] = ready.toSorted((a, b) => this.#turnOf(a) - this.#turnOf(b));
    if (next?.files == null) return;
    this.#servedAt.set(next.cpfCnpjRaiz, (this.#served += 1));
    await this.run(next.id, this.#placesOf(next.files));
    if (this.#isOver(next.id)) this.wake(); // behind it others may wait
  }

  #turnOf({ cpfCnpjRaiz }: Comparison): number {
    return this.#servedAt.get(cpfCnpjRaiz) ?? 0;
  }

  #beginToFetch({ id, remoteId }: Comparison): void {
    if (this.#fetching.has(remoteId)) return;
    const fetching = this.#fetch(id)
      .finally(() => this.#fetching.delete(remoteId))
      .then(
        () => this.wake(),
        // The storage refused: the next start or order goes on.
        (error: unknown) => void (isUnavailable(error) || this.#parts.onFault(error, id)),
      );
    this.#fetching.set(remoteId, fetching);
  }

  /** One of a command that no process works on any more was cut off, and nobody else has its files. */
  async #endUnlessHeld(comparison: Comparison): Promise<void> {
    const lock = this.#parts.remoteLocks.take('comparacao', comparison);
    if (lock === undefined) return;
    await this.endCutOff(comparison).finally(() => lock.release());
  }

  /** Ends those of commands between a remote and a company, for whoever holds what they would hold. Throws `unavailable`. */
  endCutOff({ remoteId, cpfCnpjRaiz }: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz'>): Promise<void> {
    const { store, writer } = this.#parts;
    return writer.write(() => {
      for (const id of store.listUnfinished()) {
        const one = store.findComparison(id);
        if (
          one !== undefined &&
          isOfCommand(one) &&
          one.remoteId === remoteId &&
          one.cpfCnpjRaiz === cpfCnpjRaiz
        )
          store.end(id, 'failed', CUT_OFF);
      }
    });
  }

  /** Fetches the exports of there, then makes it. Throws `unavailable`. */
  async fetchAndRun(id: number): Promise<void> {
    const fetched = await this.#fetch(id);
    if (fetched !== undefined) await this.run(id, this.#placesOf(fetched));
  }

  /** `undefined`: it has ended, or is fetched anew after the next start. Throws `unavailable`. */
  async #fetch(id: number): Promise<ComparedFiles | undefined> {
    const { store, writer, fetcher } = this.#parts;
    const comparison = store.findComparison(id);
    if (comparison === undefined) return undefined;
    await writer.write(() => store.begin(id));
    let fetched: Awaited<ReturnType<ExportFetcher['fetch']>>;
    const leaving = new AbortController();
    this.#leaving.set(id, leaving);
    const watching = this.#watch(id, () => leaving.abort());
    if (this.isStopping || this.#isOver(id)) leaving.abort();
    try {
      fetched = await fetcher.fetch(comparison, leaving.signal);
    } catch (error) {
      await this.#endFaulty(id, error);
      return undefined;
    } finally {
      watching.cancel();
      this.#leaving.delete(id);
    }
    if (fetched === undefined) return undefined;
    if ('failed' in fetched) {
      await writer.write(() => store.end(id, 'failed', fetched.failed));
      return undefined;
    }
    await writer.write(() => store.putFiles(id, fetched));
    if (!this.#isOver(id)) return fetched;
    for (const storedFile of Object.values(fetched)) await this.#parts.discard(storedFile);
    return undefined;
  }

  #placesOf({ operadores, produtos, vinculos }: ComparedFiles): ComparedFiles {
    const { pathOf } = this.#parts;
    return { operadores: pathOf(operadores), produtos: pathOf(produtos), vinculos: pathOf(vinculos) };
  }

  /** Makes one of files anywhere. Throws `unavailable`. */
  async run(id: number, files: ComparedFiles): Promise<void> {
    const { store, writer, discard } = this.#parts;
    const comparison = store.findComparison(id);
    if (comparison === undefined) return;
    let kept: readonly string[] = [];
    try {
      await this.#found.deleteAll(id);
      await writer.write(() => store.begin(id));
      const end = await this.#compare(comparison, files);
      if (end === undefined && !this.#isOver(id)) return;
      if (end === undefined) await this.#found.deleteAll(id);
      else if ('failed' in end) await writer.write(() => store.end(id, 'failed', end.failed));
      else kept = await this.#endDone(comparison, files, end);
    } catch (error) {
      if (this.isStopping) return;
      await this.#endFaulty(id, error);
    }
    const left = Object.values(comparison.files ?? {}).filter((storedFile) => !kept.includes(storedFile));
    for (const storedFile of left) await discard(storedFile);
  }

  #isOver(id: number): boolean {
    const comparison = this.#parts.store.findComparison(id);
    return comparison === undefined || !UNFINISHED.has(comparison.state);
  }

  /** Calls `stop` once another process has ended a comparison. */
  #watch(id: number, stop: () => void): Pick<Timer, 'cancel'> {
    const { realTime } = this.#parts;
    const look = (): void => {
      if (this.#isOver(id)) stop();
      else timer = realTime.after(LOOK_AGAIN_MS, look);
    };
    let timer = realTime.after(LOOK_AGAIN_MS, look);
    return { cancel: () => timer.cancel() };
  }

  /** Stops the work on a comparison that was ended, and gives up its files. */
  async release({ id, files }: Comparison): Promise<void> {
    if (this.#reading?.id === id) void this.#reading.read.return();
    this.#leaving.get(id)?.abort();
    for (const storedFile of Object.values(files ?? {})) await this.#parts.discard(storedFile);
    this.wake();
  }

  /** Ends one that met a fault of ours or cost too much, so that others go on. Throws where the storage itself refuses. */
  async #endFaulty(id: number, error: unknown): Promise<void> {
    const { store, writer, onFault } = this.#parts;
    if (this.isStopping) return;
    if (writer.trouble !== undefined) throw error;
    const cost = error instanceof CostlyWork ? error.message : undefined;
    if (cost === undefined) onFault(error, id);
    const reason = cost ?? (isUnavailable(error) ? CUT_OFF : NOT_MADE);
    await writer.write(() => store.end(id, 'failed', reason));
  }

  /** Returns the names of the files that are kept. */
  async #endDone(comparison: Comparison, files: ComparedFiles, end: Counted): Promise<readonly string[]> {
    const { store, kept: exports, writer, discard, divergenceNotice, pathOf } = this.#parts;
    const isNew = await divergenceNotice.isNew(comparison, end);
    const kept = mayBeFetched(end) ? await keptOf(comparison, files, end, pathOf) : null;
    const outdated = await writer.write((tx) => {
      if (isNew) divergenceNotice.tell(tx, comparison, end);
      store.end(comparison.id, 'done', null, end);
      if (kept !== null) exports.put(comparison.id, kept);
      return exports.outdate(comparison);
    });
    for (const storedFile of outdated) await discard(storedFile);
    await this.#found.deleteEqualBefore(comparison, () => this.isStopping);
    return kept === null ? [] : filesOf(kept);
  }

  /** How it ended; `undefined` where it is to be made anew. */
  async #compare(comparison: Comparison, files: ComparedFiles): Promise<ComparedEnd | undefined> {
    const { reads, limits, pathOf, rulesOf, discard } = this.#parts;
    const { id, remoteId, rules, cpfCnpjRaiz, documento, forced } = comparison;
    const scratch = `comparacao-${id}`;
    const read = reads.read(
      {
        kind: 'comparison',
        remoteId,
        cpfCnpjRaiz,
        files,
        limits,
        forced,
        scratch: pathOf(scratch),
        rules: rulesOf(rules),
      },
      { user: documento, company: cpfCnpjRaiz },
    );
    this.#reading = { id, read };
    const watching = this.#watch(id, () => void read.return());
    try {
      return await this.#keepAll(comparison, read);
    } finally {
      watching.cancel();
      // A process that was ended has left it.
      await discard(scratch);
    }
  }

  /** Keeps each part that is read; `undefined` where it is to be made anew. */
  async #keepAll(comparison: Comparison, read: LongRead): Promise<ComparedEnd | undefined> {
    const { writer } = this.#parts;
    const { id } = comparison;
    let n = 0;
    let keeping: Promise<void> = Promise.resolve();
    for await (const bytes of read) {
      await keeping;
      if (this.isStopping || this.#isOver(id)) return undefined;
      const part = JSON.parse(new TextDecoder().decode(bytes)) as ComparedPart | ComparedEnd;
      if (!('found' in part)) return part;
      const from = n;
      n += part.found.length;
      keeping = writer.write(() => this.#keep(comparison, from, part)); // while the next part is made
      keeping.catch(() => undefined); // the next turn throws it
    }
    if (this.#isOver(id)) return undefined;
    throw new Error('A comparison had no end.');
  }

  #keep({ id, remoteId, cpfCnpjRaiz }: Comparison, from: number, part: ComparedPart): void {
    const { store, pairs } = this.#parts;
    if (this.#isOver(id)) return;
    for (const [at, found] of part.found.entries()) store.insertFound(id, from + at + 1, found);
    for (const pair of part.gone) pairs.delete(remoteId, cpfCnpjRaiz, pair);
    for (const pair of part.pairs) pairs.put(remoteId, cpfCnpjRaiz, pair);
  }
}

/** What is there, or may be decided to be taken from there. */
const THERES = ['soLa', 'mudouLa', 'desativadoLa', 'mudouNosDois', 'ambiguo'] as const;

const mayBeFetched = ({ counts }: Counted): boolean =>
  (['produto', 'operador'] as const).some((kind) => THERES.some((state) => (counts[kind][state] ?? 0) > 0));
