/**
 * Pool of long reads off the main thread. A few Workers, started on demand and ended when idle, take turns
 * with lists, exports and impacts.
 */
import { REAL_TIME, type RealTime, SECOND_MS, type Timer, waited } from '../clock.ts';
import { type QuotaOwner, FairShares, exceededLimitText } from '../fair-shares.ts';
import { Admission } from './admission.ts';
import { CREDIT_CHUNKS, LongRead, type ReadDesk, type ReadLimit } from './long-read.ts';
import type { ReadRequest } from './protocol.ts';
import { ReaderThread } from './thread.ts';

/** The interface for features. Each requests its own kinds. */
export interface Reads<Request extends ReadRequest> {
  /** Returns the whole text of a read that takes less than its way to a Worker, `undefined` for any other. */
  shortText?(request: Request): string | undefined;
  read(request: Request, quotaOwner: QuotaOwner, limit?: ReadLimit): LongRead;
}

export interface ReadPoolOptions {
  /** Starts a Worker that speaks the protocol and knows the kinds of reads. */
  readonly startWorker: () => Worker;
  /** The database file. */
  readonly database: string;
  /** Limit of reads under way (setting `servidor.listas`). */
  readonly limit: number;
  /** Time that a read waits for its slot (setting `servidor.listasEspera`). */
  readonly waitMs: number;
  /** Time that a reader may take nothing (setting `servidor.listasParada`). */
  readonly stallMs: number;
  readonly onStalled: (kind: string, ms: number) => void;
  /** Called for each failed read, also when its answer had begun. */
  readonly onFailed?: (error: Error) => void;
  readonly realTime?: RealTime;
}

/** Limit of Workers. More would take memory, and no machine that we know of reads faster with them. */
const THREADS_MAX = 4;

/** Time that an idle Worker is kept. Its start takes some ten ms and MiB. */
const IDLE_MS = 10 * SECOND_MS;

/**
 * Time that the process waits for a Worker at the end. A Worker that reads page after page in one call
 * receives a stop only after it.
 */
const LEAVE_WITHIN_MS = SECOND_MS;

export class ReadPool<Request extends ReadRequest> implements Reads<Request> {
  readonly #startWorker: () => Worker;
  readonly #database: string;
  readonly #stallMs: number;
  readonly #onStalled: (kind: string, ms: number) => void;
  readonly #onFailed: ((error: Error) => void) | undefined;
  readonly #realTime: RealTime;
  readonly #admission: Admission;
  readonly #threads = new Map<ReaderThread<Request>, Timer | undefined>();
  readonly #underWay = new Map<LongRead, QuotaOwner>();
  #lastId = 0;

  constructor({
    startWorker,
    database,
    limit,
    waitMs,
    stallMs,
    onStalled,
    onFailed,
    realTime,
  }: ReadPoolOptions) {
    this.#startWorker = startWorker;
    this.#database = database;
    this.#stallMs = stallMs;
    this.#onStalled = onStalled;
    this.#onFailed = onFailed;
    this.#realTime = realTime ?? REAL_TIME;
    this.#admission = new Admission(
      new FairShares(limit),
      waitMs,
      this.#realTime,
      (exceededLimit, quotaOwner) =>
        `As listas e exportações longas em andamento são ${exceededLimitText(exceededLimit, quotaOwner, 'servidor.listas')}`,
    );
  }

  /** Creates a read. It starts when its reader requests the first chunk. */
  read(request: Request, quotaOwner: QuotaOwner, limit?: ReadLimit): LongRead {
    const desk: ReadDesk = {
      begin: (read) => this.#begin(read, request, quotaOwner),
      stallMs: this.#stallMs,
      realTime: this.#realTime,
      onFailed: (error) => this.#onFailed?.(error),
      onLagging: () => this.#makeRoom(),
      onStalled: ({ kind }, ms) => this.#onStalled(kind, ms),
    };
    return new LongRead(request.kind, desk, quotaOwner.signal, limit);
  }

  /**
   * Ends all reads. Resolves when no Worker has the database open (the last one to close it folds the log
   * into it), or when a Worker does not react.
   */
  async close(): Promise<void> {
    this.#admission.close();
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const [, ending] of threads) ending?.cancel();
    const ended = Promise.all(threads.map(([thread]) => thread.end()));
    await waited(
      this.#realTime,
      LEAVE_WITHIN_MS,
      ended.then(() => undefined),
    );
  }

  async #begin(read: LongRead, request: Request, quotaOwner: QuotaOwner) {
    const admitted = this.#admission.enter(quotaOwner);
    this.#makeRoom();
    await admitted;
    this.#underWay.set(read, quotaOwner);
    const id = (this.#lastId += 1);
    const thread = this.#leastLoaded();
    thread.start({ type: 'start', id, database: this.#database, request, credit: CREDIT_CHUNKS }, read);
    return {
      credit: () => thread.credit(id),
      end: () => {
        thread.stop(id);
        this.#underWay.delete(read);
        this.#admission.leave(quotaOwner);
        this.#makeRoom();
        this.#endIfIdle(thread);
      },
    };
  }

  /**
   * Cuts one stalled read when a read waits for its slot. The next one follows when that slot is released.
   */
  #makeRoom(): void {
    for (const [read, quotaOwner] of this.#underWay)
      if (read.isLagging && this.#admission.isWaitedFor(quotaOwner)) {
        read.cutOff();
        return;
      }
  }

  /** Returns an idle Worker, else a new one, else the one with the least load. */
  #leastLoaded(): ReaderThread<Request> {
    const [first, ...others] = [...this.#threads.keys()].sort((a, b) => a.load - b.load);
    const isNewOneBetter = first === undefined || (first.load > 0 && others.length + 1 < THREADS_MAX);
    const chosen = isNewOneBetter
      ? new ReaderThread<Request>(this.#startWorker(), (thread) => this.#drop(thread))
      : first;
    this.#keep(chosen);
    return chosen;
  }

  #keep(thread: ReaderThread<Request>): void {
    this.#threads.get(thread)?.cancel();
    this.#threads.set(thread, undefined);
  }

  #drop(thread: ReaderThread<Request>): void {
    this.#threads.get(thread)?.cancel();
    this.#threads.delete(thread);
  }

  #endIfIdle(thread: ReaderThread<Request>): void {
    if (!this.#threads.has(thread) || !thread.isIdle) return;
    this.#keep(thread);
    this.#threads.set(
      thread,
      this.#realTime.after(IDLE_MS, () => {
        this.#drop(thread);
        void thread.end();
      }),
    );
  }
}
